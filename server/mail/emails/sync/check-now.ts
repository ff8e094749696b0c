import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { Refusal } from '../../../platform/errors.ts'
import { pauseAskedFor } from '../../../platform/gateways/imap.ts'
import {
  hasImap,
  hastenTroubles,
  loadFolders,
  mailbox as findMailbox,
  type Mailbox,
  mailboxesOf,
  primaryMailbox,
  type ReadFailure,
  readSoon,
} from '../../mailboxes/mailboxes.ts'
import { hastenDrafts } from './draft-appends-store.ts'
import { countArrived, hastenPutAside } from './folder-state-store.ts'
import { hastenActions } from './pending-actions-store.ts'

const IMAP_NOT_CONFIGURED = 'Please configure your email settings in the Profile page to receive emails'
const CONFIGURATION_ERROR = 'Email configuration error. Please check your settings in Profile page'
/** The user waits this long for the answer; the sync continues in the background. */
const CHECK_MS = 20_000
const INGEST_MS = 60_000
const POLL_EVERY_MS = 100

/**
 * Syncs the inboxes of all accounts now and waits for it, up to 20 s. Calls made in the meantime join the same sync.
 *
 * @throws Refusal 400 IMAP_NOT_CONFIGURED, MAIL_SERVER with what the server said
 */
export async function checkInbox(
  context: Context,
  userId: number,
): Promise<{ new_emails: number; message: string }> {
  const synced = await syncNow(context, userId, 'inbox', CHECK_MS)
  if (synced.failure !== null && synced.failure.kind !== 'later')
    throw new Refusal(400, `The IMAP check failed. ${synced.failure.sentence}`, 'MAIL_SERVER')
  return { new_emails: synced.added, message: messageOf(synced) }
}

/**
 * Syncs all folders of all accounts now and waits up to a minute. A first sync takes longer and continues in the background.
 *
 * @throws Refusal 400 IMAP_NOT_CONFIGURED, 500 MAIL_SERVER
 */
export async function ingestAll(
  context: Context,
  userId: number,
): Promise<{ ingested: number; message: string }> {
  const synced = await syncNow(context, userId, 'all', INGEST_MS)
  if (synced.failure?.kind === 'auth') throw new Refusal(500, CONFIGURATION_ERROR, 'MAIL_SERVER')
  if (synced.failure !== null && synced.failure.kind !== 'later')
    throw new Refusal(500, synced.failure.sentence, 'MAIL_SERVER')
  return { ingested: synced.added, message: messageOf(synced) }
}

/** A server that says "later" is no error: what is known is shown, and the rest follows. */
function messageOf({ added, failure, done }: Synced): string {
  if (failure !== null) return failure.sentence
  return done ? countSentence(added) : 'Your mailbox is still being read.'
}

function countSentence(added: number): string {
  if (added === 0) return 'No new emails'
  return `${added} new ${added === 1 ? 'email' : 'emails'}`
}

type Synced = { added: number; failure: ReadFailure | null; done: boolean }

/**
 * Asks the workers for a sync (only they read mailboxes) and polls the accounts' rows for the results. An account whose
 * server has named a wait answers from what is known.
 */
async function syncNow(
  context: Context,
  userId: number,
  what: 'inbox' | 'all',
  timeoutMs: number,
): Promise<Synced> {
  if ((await primaryMailbox(context.db, userId))?.is_practice) return { added: 0, failure: null, done: true }
  const readable = (await mailboxesOf(context.db, userId)).filter(hasImap)
  if (readable.length === 0) throw new Refusal(400, IMAP_NOT_CONFIGURED, 'IMAP_NOT_CONFIGURED')
  const asked = context.clock.now()
  await readUnlessPaused(context, userId, asked)
  const until = Date.now() + timeoutMs
  const synced = await Promise.all(readable.map((mailbox) => untilRead(context, mailbox, asked, what, until)))
  const isError = ({ failure }: Synced) => failure !== null && failure.kind !== 'later'
  const error = synced.findIndex(isError)
  const failed = error === -1 ? synced.findIndex(({ failure }) => failure !== null) : error
  return {
    added: synced.reduce((sum, { added }) => sum + added, 0),
    failure: named(synced[failed]?.failure ?? null, readable.length > 1 ? readable[failed] : undefined),
    done: synced.every(({ done }) => done),
  }
}

/** With several accounts the user must learn which of them failed. */
function named(failure: ReadFailure | null, mailbox: Mailbox | undefined): ReadFailure | null {
  if (failure === null || mailbox === undefined) return failure
  return { ...failure, sentence: `${mailbox.address}: ${failure.sentence}` }
}

async function untilRead(
  context: Context,
  mailbox: Mailbox,
  asked: Date,
  what: 'inbox' | 'all',
  until: number,
): Promise<Synced> {
  for (;;) {
    const state = await readSince(context, mailbox, asked, what)
    const over = Date.now() > until || context.stopping.aborted
    if (state !== null || over) {
      const added = await countArrived(context.db, mailbox.user_id, mailbox.id, asked, what === 'inbox')
      return { added, failure: state?.failure ?? null, done: state !== null }
    }
    await pause(POLL_EVERY_MS)
  }
}

/** Whether the account has been synced since `asked`, or has failed; null while that is pending. */
async function readSince(
  context: Context,
  before: Mailbox,
  asked: Date,
  what: 'inbox' | 'all',
): Promise<{ failure: ReadFailure | null } | null> {
  const now = await findMailbox(context.db, before.user_id, before.id)
  if (now === undefined || now.disconnected_at !== null) return { failure: null }
  const hasFailed = now.read_failures > before.read_failures || isInAskedPause(before, asked)
  if (hasFailed && now.read_error !== null)
    return { failure: { kind: now.read_error_kind ?? 'internal', sentence: now.read_error } }
  const inbox = (await loadFolders(context.db, before.user_id, before.id)).find(
    ({ role }) => role === 'inbox',
  )
  const inboxRead = inbox?.last_read_at != null && inbox.last_read_at >= asked
  if (!inboxRead) return null
  // A pass over all folders postpones the next one when it ends.
  const allRead = now.next_read_at === null || now.next_read_at > asked
  return what === 'inbox' || allRead ? { failure: null } : null
}

/** Whether the account's server has asked for a wait, and for how long, which is not over. */
function isInAskedPause(
  { read_error: words, read_error_kind: kind, next_read_at: next }: Mailbox,
  now: Date,
): boolean {
  return kind === 'later' && next !== null && next > now && pauseAskedFor(words ?? '') !== null
}

/** Asks the workers to read the user's accounts now, except those whose servers have asked for a wait. */
export async function readUnlessPaused(context: Context, userId: number, now: Date): Promise<void> {
  const paused = (await mailboxesOf(context.db, userId)).filter((mailbox) => isInAskedPause(mailbox, now))
  await readSoon(
    context.db,
    userId,
    now,
    paused.map(({ id }) => id),
  )
}

/** Makes everything due now that was put aside in any of the user's accounts, and asks the workers to read them. */
export async function tryAgain(context: Context, userId: number): Promise<void> {
  const now = context.clock.now()
  await inTransaction(context.db, async (tx) => {
    await hastenTroubles(tx, userId, now)
    await hastenPutAside(tx, userId, now)
    await hastenActions(tx, userId, now)
    await hastenDrafts(tx, userId, now)
  })
  await readSoon(context.db, userId, now)
}
