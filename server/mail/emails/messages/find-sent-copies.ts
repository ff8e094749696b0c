import { ImapFailure, type ImapSentRow, type ImapSession } from '../../../platform/gateways/imap.ts'
import { addressKey } from '../../../formats/mail-text/addresses.ts'
import { messageIds, parseMail, UnreadableMail } from '../../../formats/mail-text/parse.ts'
import { cleanText, oneLine } from '../../../platform/text.ts'
import { emailsAt, rewrittenIds } from './locations-store.ts'
import { attachedNames, mailOfCopy, type SentCopy, type WrittenMail } from './sent-copies.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

/** So many newer messages may be in Sent than those that are looked for. */
const NEWER_MAX = 50
/** The text of a message is at its beginning. */
const TEXT_BYTES = 256 * 1024

/** `isComplete` is false where the server let only a part be looked at: a mail that was not found may be there. */
export type FoundCopies = { filed: Set<number>; isComplete: boolean }

/**
 * Looks among the newest messages of a Sent folder for mails that the provider has filed there, under their Message-ID or
 * one of its own.
 *
 * @returns the ids of the mails that are there, as far as the server lets it be seen
 * @throws ImapFailure
 */
export async function findSentCopies(
  db: Queryable,
  session: ImapSession,
  folder: { userId: number; mailboxId: number; path: string },
  mails: readonly WrittenMail[],
): Promise<FoundCopies> {
  const found = new Set<number>()
  const left = () => mails.filter(({ emailId }) => !found.has(emailId))
  const newest = await session.newestSent(folder.path, mails.length + NEWER_MAX).catch(ignoreRefusal(session))
  if (newest === undefined) return { filed: found, isComplete: false }
  const { uidValidity, rows } = newest
  const uids = rows.map(({ uid }) => uid)
  // Without UIDVALIDITY a UID names no message for certain, but the Message-ID that a copy was read under does.
  const known =
    uidValidity === null
      ? await knownById(db, folder.userId, rows)
      : await emailsAt(db, { ...folder, uidValidity }, uids)
  const alike: ImapSentRow[] = []
  for (const row of rows) {
    const owner = known.get(row.uid)
    if (owner !== undefined) found.add(owner)
    else if (mailOfCopy(copyOf(row, null), left()) !== undefined) alike.push(row)
  }
  const read = await withContents(session, alike)
  for (const { row, content } of read) {
    const mail = mailOfCopy(copyOf(row, content), left())
    if (mail !== undefined) found.add(mail.emailId)
  }
  return { filed: found, isComplete: read.length === alike.length }
}

/** Which mails these messages are copies of that their provider gave another Message-ID, by UID. */
async function knownById(
  db: Queryable,
  userId: number,
  rows: readonly ImapSentRow[],
): Promise<Map<number, number>> {
  const ids = rows.flatMap(({ envelope }) => idOf(envelope) ?? [])
  const owners = await rewrittenIds(db, userId, ids)
  return new Map(
    rows.flatMap(({ uid, envelope }): [number, number][] => {
      const owner = owners.get(idOf(envelope) ?? '')
      return owner === undefined ? [] : [[uid, owner]]
    }),
  )
}

function idOf(envelope: ImapSentRow['envelope']): string | null {
  return messageIds(envelope?.messageId ?? '')[0] ?? null
}

/** The files are null where the message was cut before its end. */
type Content = { text: string; fileNames: string[] | null }

function copyOf(
  { envelope, internalDate, originalMessageId }: ImapSentRow,
  content: Content | null,
): SentCopy {
  return {
    messageId: idOf(envelope),
    originalMessageId,
    correspondentKey: addressKey(envelope?.to[0]?.address ?? ''),
    subject: oneLine(cleanText(envelope?.subject ?? '')),
    date: envelope?.date ?? internalDate ?? new Date(0),
    text: content?.text ?? null,
    fileNames: content?.fileNames ?? null,
  }
}

/** Fetches the texts and file names of messages in the folder that is selected; one that cannot be read is left out. */
async function withContents(
  session: ImapSession,
  rows: readonly ImapSentRow[],
): Promise<{ row: ImapSentRow; content: Content }[]> {
  if (rows.length === 0) return []
  const byUid = new Map(rows.map((row) => [row.uid, row]))
  const fetching = Array.fromAsync(session.fetchRaw([...byUid.keys()], { maxBytes: TEXT_BYTES }))
  const fetched = (await fetching.catch(ignoreRefusal(session))) ?? []
  const read: { row: ImapSentRow; content: Content }[] = []
  for (const { uid, raw } of fetched) {
    const row = byUid.get(uid)
    const content = raw === null ? null : await contentOf(raw)
    if (row !== undefined && content !== null) read.push({ row, content })
  }
  return read
}

/** A server that refuses to be asked must not keep mails from being filed or settled. */
function ignoreRefusal(session: ImapSession): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof ImapFailure) || error.kind !== 'refused' || !session.usable) throw error
  }
}

async function contentOf(raw: Buffer): Promise<Content | null> {
  try {
    const { text, attachments } = await parseMail(raw)
    return { text, fileNames: raw.length < TEXT_BYTES ? attachedNames(attachments) : null }
  } catch (error) {
    if (!(error instanceof UnreadableMail)) throw error
    return null
  }
}
