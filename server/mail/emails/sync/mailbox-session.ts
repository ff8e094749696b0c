import type { Context } from '../../../platform/context.ts'
import { NoAccessToken } from '../../../platform/gateways/access-token.ts'
import { type FolderStatus, ImapFailure } from '../../../platform/gateways/imap.ts'
import { Refusal } from '../../../platform/errors.ts'
import {
  loadFolders,
  type Mailbox,
  noteRead,
  type ReadFailure,
  releaseMailbox,
} from '../../mailboxes/mailboxes.ts'
import { countKnown } from './folder-state-store.ts'
import { isLost } from './fetch-messages.ts'
import { openPass } from './open-pass.ts'
import { type PassScope, syncMailbox } from './sync-mailbox.ts'
import { MailboxTaken, type OpenFolder, select, type SyncPass } from './sync-pass.ts'
import type { Suspects } from './suspects.ts'
import {
  FIRST_RETRY_MS,
  IDLE_SYNC_EVERY_MS,
  INBOX_PAUSE_MS,
  intervalFor,
  QUIET_LOSS_MS,
  retryInterval,
  usualInterval,
} from './poll-intervals.ts'

/** An account that this process has claimed. */
export type Held = {
  readonly mailbox: Mailbox
  /** True while the connection is idle and waits for the server to report changes. */
  waiting: boolean
  /** Sync all folders now; somebody asked. */
  wake(): void
  /** Push pending actions to the server now. */
  push(): void
  /** Ends at once, for an account that was changed or a process that is stopping. */
  stop(): void
  ended: Promise<void>
}

/**
 * Syncs an account that this worker has claimed. While `mayIdle` allows it, the connection is kept open in IDLE (RFC
 * 2177) on the inbox. At the end the account is released, with the failure if there was one.
 */
export function holdMailbox(
  context: Context,
  mailbox: Mailbox,
  suspects: Suspects,
  mayIdle: () => boolean,
): Held {
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, context.stopping])
  const state: State = { waiting: false, wake: () => {} }
  const run = async () => {
    let startedAt = context.clock.now()
    const began = (at: Date) => {
      startedAt = at
    }
    let nextAt: Date
    let keepsRequests = true
    let failure: ReadFailure | null = null
    try {
      nextAt = await readAndWait(context, mailbox, suspects, signal, mayIdle, state, began)
    } catch (error) {
      if (error instanceof MailboxTaken) return
      const stopped = signal.aborted
      failure = stopped ? null : failureOf(context, mailbox, error)
      nextAt = stopped ? context.clock.now() : retryAt(context, mailbox.read_failures, failure, error)
      // A request that came meanwhile waits, too, if the server says how long.
      keepsRequests = !(error instanceof ImapFailure) || error.pauseMs === null
    }
    if (failure !== null) context.memory.metrics.count('howl_imap_syncs_total', { outcome: 'failed' })
    await release(context, mailbox, nextAt, failure, keepsRequests ? startedAt : nextAt)
  }
  const held: Held = {
    mailbox,
    get waiting() {
      return state.waiting
    },
    wake: () => state.wake('all'),
    push: () => state.wake('actions'),
    stop: () => ending.abort(),
    ended: run().catch((error: unknown) =>
      context.log.warn({ err: error, mailbox: mailbox.id }, 'a mailbox could not be released'),
    ),
  }
  return held
}

type Folders = PassScope['folders']
type State = { waiting: boolean; wake: (what: Folders) => void }

/** @returns when the account is due for its next sync */
async function readAndWait(
  context: Context,
  mailbox: Mailbox,
  suspects: Suspects,
  signal: AbortSignal,
  mayIdle: () => boolean,
  state: State,
  began: (at: Date) => void,
): Promise<Date> {
  const pass = await openPass(context, mailbox, suspects, signal)
  try {
    let missed = 0
    let allReadAt = Date.now()
    let inboxReadAt = 0
    for (let folders: Folders = 'all'; ;) {
      const now = context.clock.now()
      if (folders === 'all') {
        began(now)
        allReadAt = Date.now()
      }
      if (folders === 'inbox') inboxReadAt = Date.now()
      const { more, unreconciled } = await syncMailbox(pass, { folders })
      if (folders !== 'actions') context.memory.metrics.count('howl_imap_syncs_total', { outcome: 'done' })
      if (folders !== 'actions') missed = unreconciled ? missed + 1 : 0
      // What did not fit into one fair share of time continues after the other accounts have had theirs.
      if (more || signal.aborted) return context.clock.now()
      if (!mayIdle()) return after(context, intervalFor(usualInterval(), missed))
      if (folders === 'all' && !(await noteSynced(context, mailbox, now))) throw new MailboxTaken()
      const next = await listen(
        pass,
        state,
        folders,
        intervalFor(IDLE_SYNC_EVERY_MS, missed) - (Date.now() - allReadAt),
        inboxReadAt + INBOX_PAUSE_MS,
      )
      if (typeof next === 'number') return after(context, next)
      if (!mayIdle() || signal.aborted) return context.clock.now()
      folders = next
    }
  } finally {
    pass.session.close()
  }
}

async function noteSynced(context: Context, mailbox: Mailbox, startedAt: Date): Promise<boolean> {
  const held = await noteRead(
    context.db,
    mailbox,
    context.workerId,
    startedAt,
    after(context, IDLE_SYNC_EVERY_MS),
  )
  if (held && mailbox.read_error !== null)
    await context.live.publish(context.db, mailbox.user_id, { topic: 'mailboxes' })
  return held
}

/** What to sync next, or in how many milliseconds to reconnect when an idle connection was lost. */
async function listen(
  pass: SyncPass,
  state: State,
  read: Folders,
  timeoutMs: number,
  inboxDueAt: number,
): Promise<Folders | number> {
  const began = Date.now()
  try {
    return await waitForChange(pass, state, read, timeoutMs, inboxDueAt)
  } catch (error) {
    if (!(error instanceof ImapFailure) || !isLost(pass, error)) throw error
    return Date.now() - began > QUIET_LOSS_MS ? 0 : FIRST_RETRY_MS
  }
}

/**
 * Waits until the server reports a change, somebody asks for a sync, or the other folders are due too. Changes that are
 * reported before `inboxDueAt` are read then: a server may report them without end.
 */
async function waitForChange(
  pass: SyncPass,
  state: State,
  read: Folders,
  timeoutMs: number,
  inboxDueAt: number,
): Promise<Folders> {
  const seen = pass.inbox
  // Nobody was told of what arrived since the inbox was read; only a fresh look shows it.
  const status = await select(pass, 'INBOX')
  const isChanged = await changedSince(pass, status, read === 'inbox' ? seen : null)
  if (isChanged && Date.now() >= inboxDueAt) return 'inbox'
  const waiting = new AbortController()
  let folders: Folders = 'all'
  const end = (what: Folders) => {
    if (!waiting.signal.aborted) folders = what
    waiting.abort()
  }
  state.wake = end
  state.waiting = true
  const timers = [setTimeout(() => end('all'), Math.max(0, timeoutMs))]
  const report = () => {
    const pauseMs = inboxDueAt - Date.now()
    if (pauseMs <= 0) end('inbox')
    else if (timers.length === 1) timers.push(setTimeout(() => end('inbox'), pauseMs))
  }
  if (isChanged) report()
  const called = AbortSignal.any([waiting.signal, pass.signal])
  try {
    await pass.session.idle(report, called)
  } finally {
    for (const timer of timers) clearTimeout(timer)
    state.waiting = false
    state.wake = () => {}
  }
  return folders
}

/**
 * Whether new messages arrived since the inbox was read. After a pass over the inbox, which saw it as `seen`, only what is
 * different by now is a change; otherwise also what differs from the stored state.
 */
async function changedSince(
  { context, mailbox }: SyncPass,
  status: OpenFolder,
  seen: FolderStatus | null,
): Promise<boolean> {
  const { user_id: userId, id: mailboxId } = mailbox
  const inbox = (await loadFolders(context.db, userId, mailboxId)).find(({ path }) => path === 'INBOX')
  if (inbox === undefined) return false
  if ((status.uidNext ?? 0) > inbox.high_uid + 1) return true
  const tellsNew = status.uidNext !== null && status.uidNext > inbox.high_uid
  // What was put away during that pass is reported to nobody either.
  if (seen !== null && tellsNew) return status.exists !== seen.exists
  if (status.highestModSeq !== undefined)
    return status.highestModSeq !== (seen === null ? inbox.mod_seq : seen.highestModSeq)
  if (seen !== null) return status.exists !== seen.exists
  const at = { userId, mailboxId, path: inbox.path, uidValidity: status.uidValidity }
  const { located, aside } = await countKnown(context.db, at, context.clock.now())
  return located + aside !== status.exists
}

function after(context: Context, milliseconds: number): Date {
  return new Date(context.clock.now().getTime() + milliseconds)
}

function retryAt(
  context: Context,
  failuresBefore: number,
  failure: ReadFailure | null,
  error: unknown,
): Date {
  const pauseMs = error instanceof ImapFailure ? error.pauseMs : null
  return after(context, retryInterval(failuresBefore, failure?.kind ?? 'internal', pauseMs))
}

/** What went wrong: its kind, and a sentence for the user. */
function failureOf(context: Context, mailbox: Mailbox, error: unknown): ReadFailure {
  if (error instanceof ImapFailure)
    return { kind: error.kind, sentence: sentenceOf(error, mailbox.oauth_provider !== null) }
  if (error instanceof Refusal) return { kind: 'settings', sentence: error.message }
  context.log.error({ err: error }, 'a mailbox could not be read')
  return {
    kind: 'internal',
    sentence: 'Something went wrong on our side while reading this mailbox. We will try again.',
  }
}

/** Our sentence, followed by what the server said if that is fit to show. */
function sentenceOf({ kind, words, cause }: ImapFailure, byToken: boolean): string {
  if (cause instanceof NoAccessToken) return cause.words
  const sentence = kind === 'auth' && byToken ? TOKEN_REFUSED : SENTENCES[kind]
  return words === '' ? sentence : `${sentence} ${words}`
}

const TOKEN_REFUSED = 'The mail server did not accept the sign-in.'
const SENTENCES: Record<ImapFailure['kind'], string> = {
  auth: 'The mail server did not accept the user name and password.',
  unreachable: 'The mail server cannot be reached.',
  certificate: 'The mail server has no trusted certificate.',
  not_allowed: 'This mail server may not be used from here.',
  timeout: 'The mail server did not answer in time.',
  gone: 'The mail server closed the connection.',
  no_folder: 'A folder is gone from the mail server.',
  refused: 'The mail server refused.',
  later: 'The mail server asked Howl to wait. Howl continues as soon as it can.',
  protocol: 'The mail server sent something that could not be understood.',
}

async function release(
  context: Context,
  mailbox: Mailbox,
  nextAt: Date,
  failure: ReadFailure | null,
  startedAt: Date,
): Promise<void> {
  const { user_id: userId, id } = mailbox
  const next = await releaseMailbox(context.db, userId, id, context.workerId, nextAt, failure, startedAt)
  if (next) await context.live.publish(context.db, userId, { topic: 'mailboxes' })
}
