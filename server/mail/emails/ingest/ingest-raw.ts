import type { Context } from '../../../platform/context.ts'
import { mailboxesOf } from '../../mailboxes/mailboxes.ts'
import { authservIdOf } from '../../../formats/mail-text/authentication-results.ts'
import { parseMail } from '../../../formats/mail-text/parse.ts'
import { readyChunk, storeChunk } from './ingest-chunk.ts'
import { factsOf, incomingMessage, keyOf } from './incoming-message.ts'
import { mailRow } from './message-rows.ts'
import { withOldDigests } from './old-digests.ts'
import { RAW_IN_DATABASE_MAX } from '../content/pack-raw.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/**
 * Ingests one raw message into the inbox, in the caller's transaction, just like mail from IMAP.
 *
 * @returns how many messages were added: 0 if the inbox already has it
 * @throws UnreadableMail when there is nothing in it to read
 */
export async function ingestRaw(
  context: Context,
  tx: Tx,
  arrival: { userId: number; mailboxId: number; raw: Buffer; receivedAt: Date },
): Promise<number> {
  const { userId, mailboxId, raw, receivedAt } = arrival
  const mailbox = (await mailboxesOf(tx, userId)).find(({ id }) => id === mailboxId)
  const folder = {
    role: 'inbox' as const,
    ownKeys: await ownKeys(context, userId),
    authservId: authservIdOf(context.config.authservIds, mailbox?.imap_host ?? ''),
  }
  const mail = incomingMessage(await parseMail(raw), raw, folder, {
    receivedAt,
    flags: new Set(),
    size: raw.length,
  })
  const entry = {
    uid: null,
    mail: factsOf(mail),
    row: mailRow(mail),
    raw: raw.length > RAW_IN_DATABASE_MAX ? raw : null,
  }
  const chunk = await readyChunk(context, tx, { userId, mailboxId, at: null, mails: [entry] })
  // Digests are made here while the lock on ingest is held: an answer in the practice mailbox can only share its Message-ID
  // with another one, which is as small and in the database.
  const { added, touchesContacts } = await withOldDigests(context, tx, userId, (digested) =>
    storeChunk(context, tx, chunk, digested),
  )
  if (added > 0) await context.live.publish(tx, userId, { topic: 'emails' })
  if (touchesContacts) await context.live.publish(tx, userId, { topic: 'contacts' })
  return added
}

/** The addresses that the user writes from. */
export async function ownKeys(context: Context, userId: number): Promise<Set<string>> {
  const mailboxes = await mailboxesOf(context.db, userId)
  const addresses = mailboxes.flatMap(({ address, imap_username, smtp_username }) => [
    address,
    imap_username,
    smtp_username,
  ])
  return new Set(addresses.filter((address) => address.includes('@')).map(keyOf))
}
