import type { Context } from '../../../platform/context.ts'
import { isSameContent, mayBeVersion } from '../messages/draft-versions.ts'
import { isSameDate, isSameText, mailOfCopy, type SentCopy } from '../messages/sent-copies.ts'
import { type Content, contentsOf, noteRewrittenIds, writtenFor } from './copies-store.ts'
import { fileNames, keyOf, type MailFacts } from './incoming-message.ts'
import type { NamedMail } from './ingest-store.ts'
import { withoutRecipients } from './mail-digest.ts'
import { type MailRow, textOfRow } from './message-rows.ts'
import { DigestsMissing } from './old-digests.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'

/** A provider files its copy at once; older mails in Sent are not compared with what was written here. */
const COPY_MAX_AGE_MS = 30 * 86_400_000

type Arrived = { mail: MailFacts; row: MailRow; completes?: unknown }
type Account = { userId: number; mailboxId: number }
/** What is looked up only for the few messages that need it, by the id of the stored one. */
type Contents = ReadonlyMap<number, Content>

/**
 * Tells which stored message each of these is a copy of: one with its Message-ID and with what cannot differ by folder,
 * in the same account. A row is one message in a folder: if it is there under another UID, this is a second copy and gets
 * its own row, unless we may have filed it too: in Sent, where the provider does as well, or in Drafts, by an attempt that
 * broke off. A Message-ID that the provider gave its copy is noted: answers name it.
 *
 * @throws DigestsMissing if a stored one has none and is not among `digested`
 */
export async function matchKnown<Mail extends Arrived>(
  context: Context,
  tx: Tx,
  account: Account,
  mails: readonly Mail[],
  named: readonly NamedMail[],
  digested: ReadonlySet<number>,
): Promise<Map<Mail, number>> {
  const candidates = candidatesOf(account, mails, named)
  const contents = await lookUp(tx, account.userId, candidates, digested)
  const known = new Map<Mail, number>()
  const noted: { messageId: string; emailId: number }[] = []
  const taken = new Set<number>()
  for (const [arrived, some] of candidates) {
    const same = some.find(
      (candidate) =>
        ((!candidate.here && !taken.has(candidate.id)) || isFiledByUs(arrived, candidate)) &&
        isSame(arrived, candidate, contents),
    )
    if (same === undefined) continue
    known.set(arrived, same.id)
    taken.add(same.id)
    if (same.messageId !== arrived.mail.messageId)
      noted.push({ messageId: arrived.mail.messageId, emailId: same.id })
  }
  const left = mails.filter((arrived) => !known.has(arrived) && arrived.row.body !== null)
  for (const [arrived, emailId] of await rewrittenAmong(context, tx, account, left, taken)) {
    known.set(arrived, emailId)
    noted.push({ messageId: arrived.mail.messageId, emailId })
  }
  await noteRewrittenIds(tx, account.userId, noted)
  return known
}

/** Which of these messages, known by their envelopes only, may be copies of stored ones: the whole message will tell. */
export async function maybeKnown<Mail extends Arrived>(
  context: Context,
  db: Queryable,
  account: Account,
  mails: readonly Mail[],
  named: readonly NamedMail[],
): Promise<Set<Mail>> {
  const candidates = candidatesOf(account, mails, named)
  const maybe = [...candidates]
    .filter(([arrived, some]) => some.length > 0 && !some.some((each) => isSame(arrived, each, new Map())))
    .map(([arrived]) => arrived)
  const sent = mails.filter((arrived) => (candidates.get(arrived) ?? []).length === 0)
  const rewritten = await rewrittenAmong(context, db, account, sent)
  return new Set([...maybe, ...rewritten.keys()])
}

/** The stored messages that each of these may be, by Message-ID. */
function candidatesOf<Mail extends Arrived>(
  { mailboxId }: Account,
  mails: readonly Mail[],
  named: readonly NamedMail[],
): Map<Mail, NamedMail[]> {
  // A sent message differs from its draft, and a message to oneself from the one that was sent.
  const keyFor = (direction: string, isDraft: boolean, messageId: string) =>
    `${direction} ${isDraft} ${messageId}`
  const byKey = Map.groupBy(named, ({ direction, folder, messageId }) =>
    keyFor(direction, folder === 'drafts', messageId),
  )
  return new Map(
    mails
      .filter(({ completes }) => completes === undefined)
      .map((arrived) => {
        const { direction, folder } = arrived.mail
        const going = (way: string) =>
          idsOf(arrived.mail)
            .flatMap((id) => byKey.get(keyFor(way, folder === 'drafts', id)) ?? [])
            .filter((candidate) => isOfAccount(mailboxId, arrived, candidate))
        const some = going(direction)
        return [arrived, isOfEitherWay(arrived.mail) ? likeliest(arrived.mail, going('in'), some) : some]
      }),
  )
}

/** Where the sender decides, a mail of the user may be the one that was sent, or the one that arrived from themselves. */
function isOfEitherWay({ direction, folder }: MailFacts): boolean {
  return direction === 'out' && (folder === 'archived' || folder === 'trash')
}

/**
 * What such a mail is a copy of, the likeliest first: a mail that has just left its folder, then one that arrived. If only
 * the sent one of a mail to oneself is known, and has not left Sent, this is the one that arrived.
 */
function likeliest(mail: MailFacts, received: readonly NamedMail[], sent: NamedMail[]): NamedMail[] {
  if (received.length > 0) {
    const rank = ({ isLost, folder }: NamedMail) => (isLost ? 0 : folder === 'deleted' ? 2 : 1)
    return [...received, ...sent].sort((one, other) => rank(one) - rank(other))
  }
  const isToSelf = sent.length > 0 && mail.recipientKeys.includes(keyOf(mail.fromAddress))
  return isToSelf ? sent.filter(({ isLost, folder }) => isLost || folder === mail.folder) : sent
}

/** The Message-IDs of a mail. Only in Sent is the original one believed: elsewhere it is what a stranger wrote. */
export function idsOf({ messageId, originalMessageId, folder }: MailFacts): string[] {
  return folder === 'sent' && originalMessageId !== null ? [messageId, originalMessageId] : [messageId]
}

/** A mail to two addresses of the user is in both accounts. What was written here may be filed in either. */
function isOfAccount(mailboxId: number, arrived: Arrived, candidate: NamedMail): boolean {
  return candidate.mailboxId === mailboxId || candidate.mailboxId === null || isFiledByUs(arrived, candidate)
}

function isFiledByUs({ mail }: Arrived, { isOurs }: NamedMail): boolean {
  return isOurs && (mail.folder === 'sent' || mail.folder === 'drafts')
}

type Likeness = 'same' | 'other' | 'depends on contents'

function isSame(arrived: Arrived, candidate: NamedMail, contents: Contents): boolean {
  const likeness = likenessOf(arrived, candidate)
  if (likeness !== 'depends on contents') return likeness === 'same'
  const content = contents.get(candidate.id)
  if (arrived.row.body === null || content === undefined) return false
  const { files, recipients, folder } = arrived.mail
  const text = textOfRow(arrived.row)
  if (folder === 'drafts') return isSameContent({ text, files, recipients }, content)
  return isSameText(text, content.text) && (candidate.isOurs || files === content.files)
}

/** What can be said without looking the stored one's contents up. */
function likenessOf({ mail, row }: Arrived, candidate: NamedMail): Likeness {
  const isDraft = mail.folder === 'drafts'
  if (candidate.isOurs && isDraft) {
    // Another program may have changed it and kept its Message-ID.
    if (mail.digest !== null && candidate.versions?.includes(mail.digest) === true) return 'same'
    return mayBeVersion({ date: mail.occurredAt, subject: mail.subject }, candidate)
      ? 'depends on contents'
      : 'other'
  }
  if (candidate.isOurs) return agreesByHeader({ mail, row }, candidate) ? 'same' : 'depends on contents'
  const atOneMoment = isOfOneMoment(mail, candidate)
  const [sameSize, sameSubject] = [mail.size === candidate.size, mail.subject === candidate.subject]
  if (mail.digest !== null && candidate.digest !== null) {
    if (isSameDigest(mail, candidate.digest)) return 'same'
    return sameSubject && atOneMoment ? 'depends on contents' : 'other'
  }
  if (isDraft && row.body === null) return 'depends on contents'
  // A whole message cannot wait for the other one's. That has left its place, maybe to a server that counts sizes or
  // reads subjects in another way.
  const isLenient = row.body !== null && !candidate.isLocated
  const agrees = isLenient ? sameSize || sameSubject : sameSize && sameSubject
  return atOneMoment && agrees ? 'same' : 'other'
}

/** The recipients of a draft may change; those of a mail that has left its folder are not written into its digest. */
function isSameDigest({ digest, folder }: MailFacts, other: string): boolean {
  return folder === 'drafts' ? digest === other : digest === withoutRecipients(other)
}

function isOfOneMoment(mail: MailFacts, candidate: NamedMail): boolean {
  const sameFrom = mail.fromAddress.toLowerCase() === candidate.fromAddress.toLowerCase()
  return sameFrom && isSameDate(mail.occurredAt, candidate.date)
}

/** Nobody but the user puts mails into Sent, and nobody guesses a Message-ID of ours: there, the Date is enough. */
function agreesByHeader({ mail, row }: Arrived, { messageId, date }: NamedMail): boolean {
  if (mail.folder === 'sent' && messageId !== mail.messageId) return true
  return (mail.folder === 'sent' || row.body === null) && isSameDate(mail.occurredAt, date)
}

/** The copies of these messages that came to other accounts of the user, and not as spam, by message. */
export function copiesElsewhere<Mail extends Arrived>(
  { mailboxId }: Account,
  mails: readonly Mail[],
  named: readonly NamedMail[],
): Map<Mail, NamedMail> {
  const received = named.filter(
    (each) => each.direction === 'in' && each.folder !== 'spam' && each.mailboxId !== mailboxId,
  )
  const byKey = new Map(
    received.flatMap((each) => (each.digest === null ? [] : [[`${each.messageId} ${each.digest}`, each]])),
  )
  return new Map(
    mails.flatMap((arrived): [Mail, NamedMail][] => {
      const other = byKey.get(`${arrived.mail.messageId} ${arrived.mail.digest}`)
      return other === undefined ? [] : [[arrived, other]]
    }),
  )
}

/**
 * Looks up the contents of mails that need a closer look: they were written here, or a server has encoded them in another
 * way, as after moving an account to another provider.
 *
 * @throws DigestsMissing
 */
async function lookUp(
  tx: Tx,
  userId: number,
  candidates: ReadonlyMap<Arrived, readonly NamedMail[]>,
  digested: ReadonlySet<number>,
): Promise<Contents> {
  const pairs = [...candidates]
    .filter(([{ row }]) => row.body !== null)
    .flatMap(([arrived, some]) => some.map((candidate) => ({ arrived, candidate })))
  const old = pairs.filter(
    ({ candidate: { isOurs, digest, hasBody } }) => !isOurs && digest === null && hasBody,
  )
  const missing = new Set(old.map(({ candidate }) => candidate.id)).difference(digested)
  if (missing.size > 0) throw new DigestsMissing([...missing])
  const unsettled = pairs.filter(
    ({ arrived, candidate }) => likenessOf(arrived, candidate) === 'depends on contents',
  )
  const ids = new Set(unsettled.map(({ candidate }) => candidate.id))
  return contentsOf(tx, userId, [...ids])
}

/** Our mails that the provider filed in Sent under a Message-ID of its own, and does not say so. */
async function rewrittenAmong<Mail extends Arrived>(
  context: Context,
  db: Queryable,
  account: Account,
  mails: readonly Mail[],
  taken: ReadonlySet<number> = new Set(),
): Promise<Map<Mail, number>> {
  const now = context.clock.now()
  const copies = mails
    .filter(
      ({ mail, completes }) =>
        completes === undefined &&
        mail.folder === 'sent' &&
        now.getTime() - mail.receivedAt.getTime() < COPY_MAX_AGE_MS,
    )
    .map((arrived) => ({ arrived, copy: copyOf(arrived) }))
  const written = await writtenFor(
    db,
    account,
    copies.map(({ copy }) => copy),
    now,
  )
  for (const mail of written) if (taken.has(mail.emailId)) mail.hasCopy = true
  const found = new Map<Mail, number>()
  for (const { arrived, copy } of copies) {
    const mail = mailOfCopy(copy, written)
    if (mail === undefined) continue
    found.set(arrived, mail.emailId)
    mail.hasCopy = true
  }
  return found
}

function copyOf({ mail, row }: Arrived): SentCopy {
  const { messageId, originalMessageId, correspondentKey, subject, occurredAt } = mail
  return {
    messageId,
    originalMessageId,
    correspondentKey,
    subject,
    date: occurredAt,
    text: row.body === null ? null : textOfRow(row),
    fileNames: row.body === null ? null : fileNames(mail.files),
  }
}
