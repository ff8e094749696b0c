import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import {
  hasImap,
  loadFolders,
  mailbox as findMailbox,
  type Mailbox,
  primaryMailbox,
  readSoon,
} from '../../mailboxes/mailboxes.ts'
import { countArrived } from './folder-state-store.ts'
import { SIGN_IN_FAILED } from './mailbox-session.ts'

const IMAP_NOT_CONFIGURED = 'Please configure your email settings in the Profile page to receive emails'
const CONFIGURATION_ERROR = 'Email configuration error. Please check your settings in Profile page'
/** Somebody waits for the answer; reading goes on behind it. */
const CHECK_MS = 20_000
const INGEST_MS = 60_000
const LOOK_EVERY_MS = 100

/**
 * Has the inbox read now and waits for it, up to 20 s. Whoever asks meanwhile joins the same reading.
 *
 * @throws Refusal 400 IMAP_NOT_CONFIGURED, MAIL_SERVER with the server's words
 */
export async function checkInbox(
  context: Context,
  userId: number,
): Promise<{ new_emails: number; message: string }> {
  const outcome = await haveRead(context, userId, 'inbox', CHECK_MS)
  if (outcome.failure !== null)
    throw new Refusal(400, `The IMAP check failed. ${outcome.failure}`, 'MAIL_SERVER')
  return {
    new_emails: outcome.added,
    message: outcome.done ? countWords(outcome.added) : 'Your mailbox is still being read.',
  }
}

/**
 * Has all folders read now and waits for it, up to a minute; a first sync takes longer and goes on by itself.
 *
 * @throws Refusal 400 IMAP_NOT_CONFIGURED, 500 MAIL_SERVER
 */
export async function ingestAll(
  context: Context,
  userId: number,
): Promise<{ ingested: number; message: string }> {
  const outcome = await haveRead(context, userId, 'all', INGEST_MS)
  if (outcome.failure?.startsWith(SIGN_IN_FAILED)) throw new Refusal(500, CONFIGURATION_ERROR, 'MAIL_SERVER')
  if (outcome.failure !== null) throw new Refusal(500, outcome.failure, 'MAIL_SERVER')
  return {
    ingested: outcome.added,
    message: outcome.done ? countWords(outcome.added) : 'Your mailbox is still being read.',
  }
}

function countWords(added: number): string {
  if (added === 0) return 'No new emails'
  return `${added} new ${added === 1 ? 'email' : 'emails'}`
}

type Outcome = { added: number; failure: string | null; done: boolean }

/** Asks the workers, who alone read mailboxes, and waits for what the table says of it. */
async function haveRead(
  context: Context,
  userId: number,
  what: 'inbox' | 'all',
  patienceMs: number,
): Promise<Outcome> {
  const mailbox = await primaryMailbox(context.db, userId)
  if (mailbox?.is_practice) return { added: 0, failure: null, done: true }
  if (mailbox === undefined || !hasImap(mailbox))
    throw new Refusal(400, IMAP_NOT_CONFIGURED, 'IMAP_NOT_CONFIGURED')
  const asked = context.clock.now()
  await readSoon(context.db, userId, asked)
  const until = Date.now() + patienceMs
  for (;;) {
    const state = await readSince(context, mailbox, asked, what)
    const over = Date.now() > until || context.stopping.aborted
    if (state !== null || over) {
      const added = await countArrived(context.db, userId, mailbox.id, asked, what === 'inbox')
      return { added, failure: state?.failure ?? null, done: state !== null }
    }
    await pause(LOOK_EVERY_MS)
  }
}

/** Whether the account was read since `asked`, or could not be; null while it is still to come. */
async function readSince(
  context: Context,
  before: Mailbox,
  asked: Date,
  what: 'inbox' | 'all',
): Promise<{ failure: string | null } | null> {
  const now = await findMailbox(context.db, before.user_id, before.id)
  if (now === undefined || now.disconnected_at !== null) return { failure: null }
  if (now.read_failures > before.read_failures && now.read_error !== null) return { failure: now.read_error }
  const inbox = (await loadFolders(context.db, before.user_id, before.id)).find(
    ({ role }) => role === 'inbox',
  )
  const inboxRead = inbox?.last_read_at != null && inbox.last_read_at >= asked
  if (!inboxRead) return null
  // A turn over all folders puts the next one off when it ends.
  const allRead = now.next_read_at === null || now.next_read_at > asked
  return what === 'inbox' || allRead ? { failure: null } : null
}
