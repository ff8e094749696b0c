import type { Context } from '../../../platform/context.ts'
import { type ImapSession, openImap } from '../../../platform/gateways/imap.ts'
import { dialGuardOf, imapAccountOf, type Mailbox } from '../../mailboxes/mailboxes.ts'
import { ownKeys } from '../ingest/ingest-raw.ts'
import type { Suspects } from './suspects.ts'
import { MailboxTaken, makePass, PassOver, type SyncPass } from './sync-pass.ts'

/**
 * Connects to an account's IMAP server.
 *
 * @throws ImapFailure, Refusal IMAP_NOT_CONFIGURED
 */
export async function openPass(
  context: Context,
  mailbox: Mailbox,
  suspects: Suspects,
  signal: AbortSignal,
): Promise<SyncPass> {
  const dial = async (): Promise<ImapSession> => {
    const account = imapAccountOf(context, mailbox)
    if (account === null) throw new MailboxTaken()
    return unlessAborted(openImap(account, { guard: dialGuardOf(context, mailbox) }), signal)
  }
  const keys = await ownKeys(context, mailbox.user_id)
  const pass = await makePass({ context, mailbox, ownKeys: keys, dial, suspects, signal })
  // Anything that hangs ends when the pass is aborted.
  signal.addEventListener('abort', () => pass.session.close(), { once: true })
  return pass
}

/** Waits for a connection; one that opens only after the abort is closed at once. */
async function unlessAborted(opening: Promise<ImapSession>, signal: AbortSignal): Promise<ImapSession> {
  const aborted = Promise.withResolvers<never>()
  const stop = () => {
    opening.then((session) => session.close()).catch(() => {})
    aborted.reject(new PassOver())
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([opening, aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
