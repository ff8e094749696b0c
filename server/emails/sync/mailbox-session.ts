import type { Context } from '../../context.ts'
import { type FolderStatus, ImapFailure } from '../../gateways/imap.ts'
import { Refusal } from '../../errors.ts'
import { loadFolders, type Mailbox, noteRead, releaseMailbox } from '../../mailboxes/mailboxes.ts'
import { countKnown } from './folder-state-store.ts'
import { isLost } from './fetch-messages.ts'
import { openPass, type Reading, syncMailbox } from './sync-mailbox.ts'
import { MailboxTaken, select, type SyncPass } from './sync-pass.ts'

/** All folders of a watched account are looked at this often; its inbox tells by itself. */
const WATCHED_EVERY_MS = 60_000
/** An account that nobody is looking at is read this often, give or take a quarter so that not all come at once. */
const UNWATCHED_EVERY_MS = 5 * 60_000
const JITTER = 0.25
/** A mail that was missed in one folder may have come into another: they are read again this soon, then less often. */
const MISSED_MS = 2000
/** Servers end connections that wait for long. One that is ended sooner than this is not opened again at once. */
const QUIET_LOSS_MS = 10_000
/** After the first failure; twice as long after each further one. */
const FIRST_RETRY_MS = 30_000
const LAST_RETRY_MS = 30 * 60_000

/** An account in this process's hands. */
export type Held = {
  readonly mailbox: Mailbox
  /** True while nothing is being read: the connection waits for the server to tell of new mail. */
  waiting: boolean
  /** Read all folders now; somebody asked. */
  wake(): void
  /** Tell the server now what was done here. */
  push(): void
  /** Ends at once; for an account that was changed, or a process that stops. */
  letGo(): void
  ended: Promise<void>
}

/**
 * Reads an account that this worker has claimed, and while `isWatched` says so keeps the connection and waits for what
 * the server tells of the inbox (RFC 2177). Gives the account back in the end, with what went wrong if something did.
 */
export function holdMailbox(context: Context, mailbox: Mailbox, isWatched: () => boolean): Held {
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, context.stopping])
  const state: State = { waiting: false, wake: () => {} }
  const run = async () => {
    let startedAt = context.clock.now()
    const began = (at: Date) => {
      startedAt = at
    }
    let nextAt: Date
    let failure: string | null = null
    try {
      nextAt = await readAndWait(context, mailbox, signal, isWatched, state, began)
    } catch (error) {
      if (error instanceof MailboxTaken) return
      const stopped = signal.aborted
      failure = stopped ? null : wordsOf(context, error)
      nextAt = stopped ? context.clock.now() : retryAt(context, mailbox.read_failures)
    }
    await giveBack(context, mailbox, nextAt, failure, startedAt)
  }
  const held: Held = {
    mailbox,
    get waiting() {
      return state.waiting
    },
    wake: () => state.wake('all'),
    push: () => state.wake('actions'),
    letGo: () => ending.abort(),
    ended: run().catch((error: unknown) =>
      context.log.warn({ err: error, mailbox: mailbox.id }, 'a mailbox could not be given back'),
    ),
  }
  return held
}

type What = Reading['folders']
type State = { waiting: boolean; wake: (what: What) => void }

/** @returns when the account is to be read again */
async function readAndWait(
  context: Context,
  mailbox: Mailbox,
  signal: AbortSignal,
  isWatched: () => boolean,
  state: State,
  began: (at: Date) => void,
): Promise<Date> {
  const turn = await openPass(context, mailbox, signal)
  try {
    let missed = 0
    let allReadAt = Date.now()
    for (let folders: What = 'all'; ;) {
      const now = context.clock.now()
      if (folders === 'all') {
        began(now)
        allReadAt = Date.now()
      }
      const { more, unsettled } = await syncMailbox(turn, { folders })
      if (folders !== 'actions') missed = unsettled ? missed + 1 : 0
      // What a fair share of time was not enough for goes on when others had theirs.
      if (more || signal.aborted) return context.clock.now()
      if (!isWatched())
        return after(context, soonOr(UNWATCHED_EVERY_MS * (1 + JITTER * (2 * Math.random() - 1)), missed))
      if (folders === 'all' && !(await keep(context, mailbox, now))) throw new MailboxTaken()
      const news = await listen(
        turn,
        state,
        folders,
        soonOr(WATCHED_EVERY_MS, missed) - (Date.now() - allReadAt),
      )
      if (typeof news === 'number') return after(context, news)
      if (!isWatched() || signal.aborted) return context.clock.now()
      folders = news
    }
  } finally {
    turn.session.close()
  }
}

async function keep(context: Context, mailbox: Mailbox, startedAt: Date): Promise<boolean> {
  const kept = await noteRead(
    context.db,
    mailbox,
    context.workerId,
    startedAt,
    after(context, WATCHED_EVERY_MS),
  )
  if (kept && mailbox.read_error !== null)
    await context.live.publish(context.db, mailbox.user_id, { topic: 'mailboxes' })
  return kept
}

/** What to read next; where the connection was lost while nothing was going on, in how many milliseconds to open another. */
async function listen(turn: SyncPass, state: State, read: What, patienceMs: number): Promise<What | number> {
  const began = Date.now()
  try {
    return await waitForNews(turn, state, read, patienceMs)
  } catch (error) {
    if (!(error instanceof ImapFailure) || !isLost(turn, error)) throw error
    return Date.now() - began > QUIET_LOSS_MS ? 0 : FIRST_RETRY_MS
  }
}

/** Waits until the server tells of the inbox, somebody asks, or it is time to look at the other folders too. */
async function waitForNews(turn: SyncPass, state: State, read: What, patienceMs: number): Promise<What> {
  // What came since the inbox was read was told to nobody: only a fresh look shows it.
  const status = await select(turn, 'INBOX')
  if (await changedSince(turn, status, read !== 'inbox')) return 'inbox'
  const waiting = new AbortController()
  let folders: What = 'all'
  state.wake = (what) => {
    folders = what
    waiting.abort()
  }
  state.waiting = true
  const timer = setTimeout(() => waiting.abort(), Math.max(0, patienceMs))
  const called = AbortSignal.any([waiting.signal, turn.signal])
  try {
    await turn.session.idle(() => {
      folders = 'inbox'
      waiting.abort()
    }, called)
  } finally {
    clearTimeout(timer)
    state.waiting = false
    state.wake = () => {}
  }
  return folders
}

/** Whether mail has come since the inbox was read; with `wholly` also whether mails went or were marked. */
async function changedSince(
  { context, mailbox }: SyncPass,
  status: FolderStatus,
  wholly: boolean,
): Promise<boolean> {
  const { user_id: userId, id: mailboxId } = mailbox
  const inbox = (await loadFolders(context.db, userId, mailboxId)).find(({ path }) => path === 'INBOX')
  if (inbox === undefined) return false
  if (status.uidNext > inbox.high_uid + 1) return true
  if (!wholly) return false
  if (status.highestModSeq !== undefined) return status.highestModSeq !== inbox.mod_seq
  const at = { userId, mailboxId, path: inbox.path, uidValidity: status.uidValidity }
  const { located, aside } = await countKnown(context.db, at)
  return located + aside !== status.exists
}

/** The usual time, or sooner while mails are missed. */
function soonOr(usualMs: number, missed: number): number {
  return missed === 0 ? usualMs : Math.min(usualMs, MISSED_MS * 2 ** Math.min(missed - 1, 20))
}

function after(context: Context, milliseconds: number): Date {
  return new Date(context.clock.now().getTime() + milliseconds)
}

/** Ever longer, and not all at the same moment. */
function retryAt(context: Context, failuresBefore: number): Date {
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failuresBefore, 20), LAST_RETRY_MS)
  return after(context, wait * (1 + JITTER * Math.random()))
}

function wordsOf(context: Context, error: unknown): string {
  if (error instanceof ImapFailure) return sentenceOf(error)
  if (error instanceof Refusal) return error.message
  context.log.error({ err: error }, 'a mailbox could not be read')
  return 'Something went wrong on our side while reading this mailbox. It is tried again.'
}

/** The server's own words; where it said nothing fit to show, ours. */
function sentenceOf({ kind, words }: ImapFailure): string {
  const sentence = SENTENCES[kind]
  return words === '' ? sentence : `${sentence} ${words}`
}

/** How a failed sign-in begins, by which it is known from other failures. */
export const SIGN_IN_FAILED = 'The mail server did not accept the user name and password.'

const SENTENCES: Record<ImapFailure['kind'], string> = {
  auth: SIGN_IN_FAILED,
  unreachable: 'The mail server cannot be reached.',
  certificate: 'The mail server has no trusted certificate.',
  not_allowed: 'This mail server may not be used from here.',
  timeout: 'The mail server did not answer in time.',
  gone: 'The mail server closed the connection.',
  no_folder: 'A folder is gone from the mail server.',
  refused: 'The mail server refused.',
  protocol: 'The mail server said something that could not be understood.',
}

async function giveBack(
  context: Context,
  mailbox: Mailbox,
  nextAt: Date,
  failure: string | null,
  startedAt: Date,
): Promise<void> {
  const { user_id: userId, id } = mailbox
  const news = await releaseMailbox(context.db, userId, id, context.workerId, nextAt, failure, startedAt)
  if (news) await context.live.publish(context.db, userId, { topic: 'mailboxes' })
}
