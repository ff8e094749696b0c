import type { Context } from '../../../platform/context.ts'
import { type ActivityEvent, noteActivity } from '../messages/activity-store.ts'
import { noteBounced } from '../messages/correspondents-store.ts'
import { completeMails, insertMails, type StoredMail } from './copy-store.ts'
import { idsOf, matchKnown, copiesElsewhere } from './match-known.ts'
import type { MailFacts } from './incoming-message.ts'
import { type MailRow, textOfRow } from './message-rows.ts'
import {
  contactsMailed,
  newestSentTo,
  noteDeliveryReason,
  noteFailedAddress,
  noteReceived,
  noteSentElsewhere,
  sentAmong,
} from './classification-store.ts'
import {
  answersTo,
  lockIngest,
  mailsNamed,
  mergeThreads,
  type NamedMail,
  subjectsWith,
} from './ingest-store.ts'
import { findThreads, type KnownThreads, SAME_SUBJECT_MS, soughtSubjects } from './assign-threads.ts'
import { classifyMessage, type OurMails, reportedKeys, type Classification } from './classify-message.ts'
import { foldReports } from './fold-reports.ts'
import { queueUnsureReplies } from '../intents/unsure-store.ts'
import { readUnsubscribeToken } from '../suppressions/unsubscribe-link.ts'
import { insertLocations, type UidSpace, knownUids, noteRevived } from '../messages/locations-store.ts'
import { takeEmailIds } from '../messages/store.ts'
import { noteRefusals, suppress } from '../suppressions/suppressions-store.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'

/** Older replies are not asked about. */
const UNSURE_MAX_AGE_MS = 3 * 86_400_000

/** A message to store. `raw` is set if it goes into the blob store; `completes` is the row that waits for its body. */
export type ChunkMail = {
  uid: number | null
  mail: MailFacts
  row: MailRow
  raw: Buffer | null
  completes?: { emailId: number; threadId: number }
}

export type Chunk = { userId: number; mailboxId: number; at: UidSpace | null; mails: readonly ChunkMail[] }

/** A chunk whose row ids are taken and whose large messages are in the blob store. */
export type ReadyChunk = Chunk & { ids: readonly number[]; rawKeys: ReadonlyMap<number, string> }

/** What storing a chunk changed. `incomplete` is the change in the number of messages without a body. */
export type Stored = { added: number; incomplete: number; touchesContacts: boolean; unusedBlobs: string[] }

/**
 * Takes ids and writes large messages to the blob store, before the transaction: a blob without a row is harmless, a
 * row without its blob is a lost message.
 */
export async function readyChunk(context: Context, db: Queryable, chunk: Chunk): Promise<ReadyChunk> {
  const taken = await takeEmailIds(db, chunk.mails.filter(({ completes }) => completes === undefined).length)
  const ids = chunk.mails.map(({ completes }) => completes?.emailId ?? taken.shift() ?? 0)
  const rawKeys = new Map<number, string>()
  for (const [index, { raw }] of chunk.mails.entries()) {
    if (raw === null) continue
    const key = `raw/${chunk.userId}/${ids[index]}`
    await context.blobs.put(key, raw)
    rawKeys.set(ids[index] ?? 0, key)
  }
  return { ...chunk, ids, rawKeys }
}

/**
 * Stores messages in the caller's transaction: new ones as rows, known ones (our own sent mail, moved mail) as another
 * location of their row. Threads, replies, reports and their effects on contacts are committed together with the
 * messages.
 *
 * @throws DigestsMissing, before anything is written; see `withOldDigests`
 */
export async function storeChunk(
  context: Context,
  tx: Tx,
  chunk: ReadyChunk,
  digested: ReadonlySet<number>,
): Promise<Stored> {
  const { userId, at } = chunk
  if (chunk.mails.length === 0) return { added: 0, incomplete: 0, touchesContacts: false, unusedBlobs: [] }
  await lockIngest(tx, userId)
  const entries = await unstored(tx, chunk)
  const ids = [...new Set(entries.flatMap(({ mail }) => [...idsOf(mail), ...mail.follows]))]
  const named = await mailsNamed(tx, userId, ids, at)
  const copies = await matchKnown(context, tx, chunk, entries, named, digested)
  const fresh = entries.filter((entry) => !copies.has(entry))
  const locations = entries.flatMap((entry) =>
    entry.uid === null || entry.completes !== undefined
      ? []
      : [{ uid: entry.uid, emailId: copies.get(entry) ?? entry.id }],
  )
  const elsewhere = copiesElsewhere(chunk, fresh, named)
  const meantLast = named.toSorted(byLikelihood)
  const classifications = await classifyAll(context, tx, userId, fresh, meantLast)
  const threads = await threadAll(tx, userId, fresh, meantLast, elsewhere)

  const now = context.clock.now()
  const rows: (StoredMail & { isNew: boolean })[] = fresh.map(({ id, row, completes }) => ({
    id,
    row,
    isNew: completes === undefined,
    threadId: threads.threadOf.get(id) ?? id,
    intent: classifications.get(id)?.intent ?? null,
    rawKey: chunk.rawKeys.get(id) ?? null,
  }))
  await mergeThreads(tx, userId, threads.merged)
  const owner = { userId, mailboxId: chunk.mailboxId, now }
  const added = rows.filter(({ isNew }) => isNew)
  const completed = rows.filter(({ isNew }) => !isNew)
  await insertMails(tx, owner, added)
  await completeMails(tx, owner, completed)
  if (at !== null) {
    await insertLocations(tx, at, locations)
    const added = new Set(fresh.map(({ id }) => id))
    const known = locations.map(({ emailId }) => emailId).filter((id) => !added.has(id))
    await noteRevived(tx, at, known, now)
  }
  // A reply that came to two accounts counts once.
  const first = fresh.filter((entry) => !elsewhere.has(entry))
  await queueUnsureReplies(tx, userId, unsureAmong(first, classifications, now), now)
  const reports = fresh.flatMap(({ id, mail }) => {
    const { isReport = false, reasons = [] } = classifications.get(id) ?? {}
    return isReport ? [{ id, mail, isProven: reasons.some((reason) => reason.isProven) }] : []
  })
  await foldReports(context, tx, userId, reports)
  const touchesContacts = await applyEffects(tx, userId, { all: fresh, first }, classifications, now)
  const used = new Set(fresh.map(({ id }) => id))
  return {
    added: added.length,
    incomplete: rows.filter(({ row }) => row.body === null).length - completed.length,
    touchesContacts,
    unusedBlobs: [...chunk.rawKeys].filter(([id]) => !used.has(id)).map(([, key]) => key),
  }
}

type Entry = ChunkMail & { id: number }

/**
 * Sorts mails with one Message-ID: an answer most likely means the newest, which comes last, and hardly a draft or a
 * deleted one.
 */
function byLikelihood(one: NamedMail, other: NamedMail): number {
  const rank = ({ folder }: NamedMail) =>
    folder === 'deleted' ? 0 : folder === 'drafts' || folder === 'scheduled' ? 1 : 2
  return rank(one) - rank(other) || one.date.getTime() - other.date.getTime()
}

/** New replies whose wish the rules did not understand; what an account had before is left alone. */
function unsureAmong(
  entries: readonly Entry[],
  classifications: ReadonlyMap<number, Classification>,
  now: Date,
): number[] {
  return entries
    .filter(({ id, mail }) => {
      const { isReply, intent } = classifications.get(id) ?? {}
      const isNew = now.getTime() - mail.receivedAt.getTime() < UNSURE_MAX_AGE_MS
      return isReply === true && intent === 'other' && isNew && mail.folder === 'inbox'
    })
    .map(({ id }) => id)
}

async function unstored(tx: Tx, { mails, ids, at }: ReadyChunk): Promise<Entry[]> {
  const entries = mails.map((entry, index) => ({ ...entry, id: ids[index] ?? 0 }))
  const uids = entries.flatMap(({ uid, completes }) => (uid === null || completes !== undefined ? [] : [uid]))
  if (at === null || uids.length === 0) return entries
  const known = await knownUids(tx, at, Math.min(...uids), Math.max(...uids))
  return entries.filter(({ uid, completes }) => completes !== undefined || uid === null || !known.has(uid))
}

async function classifyAll(
  context: Context,
  tx: Tx,
  userId: number,
  entries: readonly Entry[],
  named: readonly NamedMail[],
): Promise<Map<number, Classification>> {
  const received = entries.filter(({ mail, row }) => mail.direction === 'in' && row.body !== null)
  if (received.length === 0) return new Map()
  const follows = new Set(received.flatMap(({ mail }) => mail.follows))
  const written = named.filter(({ direction, messageId }) => direction === 'out' && follows.has(messageId))
  const tokens = tokensOf(context, userId, received)
  const ids = written.map(({ id }) => id)
  const sent = await sentAmong(tx, userId, [...new Set([...ids, ...tokens.values()])])
  const left = new Map(sent.filter(({ hasLeft }) => hasLeft).map((mail) => [mail.id, mail]))
  const senders = received.filter(({ mail }) => mail.kind === 'personal' || mail.kind === 'automatic')
  const ours: OurMails = {
    byMessageId: new Map(written.map((our) => [our.messageId, our])),
    left: new Map(
      written.flatMap(({ messageId, id }) => {
        const mail = left.get(id)
        return mail === undefined ? [] : [[messageId, mail]]
      }),
    ),
    tokens: new Map(
      [...tokens].flatMap(([token, id]) =>
        sent.filter((mail) => mail.id === id).map((mail) => [token, mail]),
      ),
    ),
    newestTo: await newestSentTo(tx, userId, [
      ...new Set(received.flatMap(({ mail }) => reportedKeys(mail))),
    ]),
    contactsMailed: await contactsMailed(tx, userId, [
      ...new Set(senders.map(({ mail }) => mail.correspondentKey)),
    ]),
  }
  return new Map(received.map(({ id, mail, row }) => [id, classifyMessage(mail, () => textOfRow(row), ours)]))
}

/** Our mails by the unsubscribe tokens in subjects and returned mails: only tokens that we signed for this user. */
function tokensOf(context: Context, userId: number, entries: readonly Entry[]): Map<string, number> {
  return new Map(
    entries.flatMap(({ mail }): [string, number][] => {
      const token = mail.unsubscribe?.token ?? mail.report?.originalToken ?? mail.complaint?.originalToken
      const named = token === undefined ? null : readUnsubscribeToken(context, token)
      return token !== undefined && named?.userId === userId ? [[token, named.emailId]] : []
    }),
  )
}

async function threadAll(
  tx: Tx,
  userId: number,
  entries: readonly Entry[],
  named: readonly NamedMail[],
  elsewhere: ReadonlyMap<Entry, NamedMail>,
) {
  const byMessageId = new Map(named.map(({ messageId, threadId }) => [messageId, threadId]))
  const inChunk = new Set(entries.map(({ mail }) => mail.messageId))
  const lonely = entries.filter(
    ({ mail, completes }) =>
      completes === undefined &&
      isConversation(mail) &&
      !mail.follows.some((id) => byMessageId.has(id) || inChunk.has(id)),
  )
  const known: KnownThreads = {
    byMessageId,
    ofAnswers: entries.length === 0 ? new Map() : await answersTo(tx, userId, [...inChunk]),
    bySubject: await subjectsOf(tx, userId, lonely),
  }
  return findThreads(
    entries.map((entry) => ({
      ...entry.mail,
      id: entry.id,
      threadId: entry.completes?.threadId ?? elsewhere.get(entry)?.threadId ?? null,
      bySubject: isConversation(entry.mail),
    })),
    known,
  )
}

function isConversation({ kind, folder }: MailFacts): boolean {
  return (kind === 'personal' || kind === 'automatic') && folder !== 'spam' && folder !== 'drafts'
}

async function subjectsOf(
  tx: Tx,
  userId: number,
  entries: readonly Entry[],
): Promise<KnownThreads['bySubject']> {
  if (entries.length === 0) return new Map()
  const times = entries.map(({ mail }) => mail.occurredAt.getTime())
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
  const [from, to] = [new Date(first - SAME_SUBJECT_MS), new Date(last + SAME_SUBJECT_MS)]
  const sought = soughtSubjects(entries.map(({ mail }) => mail))
  const rows = await subjectsWith(tx, userId, sought, from, to)
  return Map.groupBy(rows, ({ key }) => key)
}

/** Applies the effects on contacts, suppressions and our sent messages. True when a contact may look different now. */
async function applyEffects(
  tx: Tx,
  userId: number,
  { all: entries, first }: { all: readonly Entry[]; first: readonly Entry[] },
  classifications: ReadonlyMap<number, Classification>,
  now: Date,
): Promise<boolean> {
  const sentMails = entries.filter(
    ({ mail, completes }) => mail.folder === 'sent' && mail.direction === 'out' && completes === undefined,
  )
  const sent = sentMails.flatMap(({ mail }) =>
    mail.recipientKeys.filter((key) => key !== '').map((key) => ({ key, at: mail.occurredAt })),
  )
  const repliesFound = await noteSentElsewhere(tx, userId, sent)
  const receivedFrom = [...classifications.values()].flatMap((classification) => classification.receivedFrom)
  await noteReceived(tx, userId, receivedFrom)
  const replies = first.filter(({ id }) => classifications.get(id)?.isReply === true)
  const activity: ActivityEvent[] = [
    ...sentMails.map(({ mail }) => ({ what: 'sent' as const, at: mail.occurredAt })),
    ...replies.map(({ mail }) => ({ what: 'reply' as const, at: mail.occurredAt })),
    ...repliesFound.map((at) => ({ what: 'reply' as const, at })),
  ]
  await noteActivity(tx, userId, activity, now)
  let suppressed = 0
  for (const { id, mail } of entries) {
    const classification = classifications.get(id)
    for (const { key, reason, detail } of classification?.suppress ?? []) {
      await suppress(tx, userId, { address_key: key, reason, detail, email_id: id }, now)
      suppressed += 1
    }
    for (const key of classification?.bounced ?? []) await noteBounced(tx, userId, key, mail.occurredAt)
    for (const failure of classification?.failures ?? []) await noteFailedAddress(tx, userId, failure)
    for (const reason of classification?.reasons ?? []) await noteDeliveryReason(tx, userId, reason)
  }
  const refusals = replies.flatMap(({ id }) =>
    (classifications.get(id)?.refused ?? []).map((key) => ({ key, emailId: id })),
  )
  await noteRefusals(tx, userId, refusals, now)
  return sent.length > 0 || receivedFrom.length > 0 || suppressed > 0
}
