import { ImapFailure, type ImapSentRow, type ImapSession } from '../../gateways/imap.ts'
import { addressKey } from '../../mail/addresses.ts'
import { messageIds, parseMail, UnreadableMail } from '../../mail/parse.ts'
import { cleanText, oneLine } from '../../mail/words.ts'
import { emailsAt } from './locations-store.ts'
import { mailOfCopy, type SentCopy, type WrittenMail } from './sent-copies.ts'
import type { Queryable } from '../../database/handles.ts'

/** So many newer messages may be in Sent than those that are looked for. */
const NEWER_MAX = 50
/** The text of a message is at its beginning. */
const TEXT_BYTES = 256 * 1024

/**
 * Looks among the newest messages of a Sent folder for mails that the provider has filed there, under their Message-ID or
 * one of its own.
 *
 * @returns the ids of the mails that are there
 * @throws ImapFailure
 */
export async function findSentCopies(
  db: Queryable,
  session: ImapSession,
  folder: { userId: number; mailboxId: number; path: string },
  mails: readonly WrittenMail[],
): Promise<Set<number>> {
  const found = new Set<number>()
  const left = () => mails.filter(({ emailId }) => !found.has(emailId))
  const newest = await session.newestSent(folder.path, mails.length + NEWER_MAX).catch(ignoreRefusal(session))
  if (newest === undefined) return found
  const { uidValidity, rows } = newest
  const uids = rows.map(({ uid }) => uid)
  // Without UIDVALIDITY a UID names no message for certain.
  const known = uidValidity === null ? new Map() : await emailsAt(db, { ...folder, uidValidity }, uids)
  const alike: ImapSentRow[] = []
  for (const row of rows) {
    const owner = known.get(row.uid)
    if (owner !== undefined) found.add(owner)
    else if (mailOfCopy(copyOf(row, null), left()) !== undefined) alike.push(row)
  }
  for (const { row, text } of await withTexts(session, alike)) {
    const mail = mailOfCopy(copyOf(row, text), left())
    if (mail !== undefined) found.add(mail.emailId)
  }
  return found
}

function copyOf({ envelope, internalDate, originalMessageId }: ImapSentRow, text: string | null): SentCopy {
  return {
    messageId: messageIds(envelope?.messageId ?? '')[0] ?? null,
    originalMessageId,
    correspondentKey: addressKey(envelope?.to[0]?.address ?? ''),
    subject: oneLine(cleanText(envelope?.subject ?? '')),
    date: envelope?.date ?? internalDate ?? new Date(0),
    text,
  }
}

/** Fetches the texts of messages in the folder that is selected; one that cannot be read is left out. */
async function withTexts(
  session: ImapSession,
  rows: readonly ImapSentRow[],
): Promise<{ row: ImapSentRow; text: string }[]> {
  if (rows.length === 0) return []
  const byUid = new Map(rows.map((row) => [row.uid, row]))
  const fetching = Array.fromAsync(session.fetchRaw([...byUid.keys()], { maxBytes: TEXT_BYTES }))
  const fetched = (await fetching.catch(ignoreRefusal(session))) ?? []
  const read: { row: ImapSentRow; text: string }[] = []
  for (const { uid, raw } of fetched) {
    const row = byUid.get(uid)
    const text = raw === null ? null : await textOf(raw)
    if (row !== undefined && text !== null) read.push({ row, text })
  }
  return read
}

/** A server that refuses to be asked must not keep mails from being filed or settled. */
function ignoreRefusal(session: ImapSession): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof ImapFailure) || error.kind !== 'refused' || !session.usable) throw error
  }
}

async function textOf(raw: Buffer): Promise<string | null> {
  try {
    return (await parseMail(raw)).text
  } catch (error) {
    if (!(error instanceof UnreadableMail)) throw error
    return null
  }
}
