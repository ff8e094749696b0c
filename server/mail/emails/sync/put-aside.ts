import { ImapFailure } from '../../../platform/gateways/imap.ts'
import {
  isTold,
  loadTroubles,
  type MailboxTrouble,
  removeTrouble,
  saveTrouble,
  type TroubleKind,
} from '../../mailboxes/mailboxes.ts'
import { isLost, UidValidityChanged } from './fetch-messages.ts'
import { type Growth, STEP_GROWTH, waitAfter } from './poll-intervals.ts'
import { accountOf, MailboxTaken, PassOver, reconnect, type SyncPass } from './sync-pass.ts'

/** What a trouble is about: a step of the pass, and where it is narrower, a folder or an email. */
type About = { kind: TroubleKind; path?: string; emailId?: number | null }

/** Reads what was put aside in earlier passes; what a pass finds out since then is kept in `pass.troubles`. */
export async function loadPutAside(pass: SyncPass): Promise<void> {
  const { userId, mailboxId } = accountOf(pass)
  pass.troubles.clear()
  for (const row of await loadTroubles(pass.context.db, userId, mailboxId))
    pass.troubles.set(nameOf({ kind: row.kind, path: row.path, emailId: row.email_id }), row)
}

/** A trouble that is known, if any. */
export function troubleWith(pass: SyncPass, about: About): MailboxTrouble | undefined {
  return pass.troubles.get(nameOf(about))
}

/** When something that is put aside is tried again; null when it is due, or not put aside. */
export function pausedUntil(pass: SyncPass, about: About): Date | null {
  const until = troubleWith(pass, about)?.next_try_at
  return until !== undefined && until > pass.context.clock.now() ? until : null
}

/** Puts something aside with its reason, to be tried again after a growing pause. Returns when. */
export async function noteTrouble(
  pass: SyncPass,
  about: About,
  reason: string,
  growth: Growth,
  leastTries = 1,
): Promise<Date> {
  const { context } = pass
  const { kind, path = '', emailId = null } = about
  const account = accountOf(pass)
  const before = troubleWith(pass, about)
  const now = context.clock.now()
  const tries = Math.max((before?.tries ?? 0) + 1, leastTries)
  const nextTryAt = new Date(now.getTime() + waitAfter(growth, tries))
  await saveTrouble(context.db, { ...account, kind, path, emailId }, { reason, tries, nextTryAt }, now)
  pass.troubles.set(nameOf(about), {
    user_id: account.userId,
    mailbox_id: account.mailboxId,
    kind,
    path,
    email_id: emailId,
    reason,
    tries,
    since: before?.since ?? now,
    next_try_at: nextTryAt,
  })
  if (before?.reason !== reason || !isTold(before)) await tellPage(pass)
  return nextTryAt
}

/** Notes that something works again. */
export async function clearTrouble(pass: SyncPass, about: About): Promise<void> {
  if (troubleWith(pass, about) === undefined) return
  const { kind, path = '', emailId = null } = about
  await removeTrouble(pass.context.db, { ...accountOf(pass), kind, path, emailId })
  pass.troubles.delete(nameOf(about))
  await tellPage(pass)
}

/**
 * Runs a step besides reading. What goes wrong puts the step aside with its reason, and the pass goes on; null then. A
 * lost connection is replaced, and the step tried once more, unless the server was silent: that takes too long.
 *
 * @throws ImapFailure when no connection can be made any more; PassOver, MailboxTaken
 */
export async function runBeside<T>(
  pass: SyncPass,
  kind: TroubleKind,
  step: () => Promise<T>,
): Promise<T | null> {
  if (pausedUntil(pass, { kind }) !== null) return null
  for (let losses = 0; ; losses += 1) {
    try {
      const done = await step()
      await clearTrouble(pass, { kind })
      return done
    } catch (error) {
      if (error instanceof PassOver || error instanceof MailboxTaken) throw error
      if (error instanceof UidValidityChanged) return null
      const lost = error instanceof ImapFailure && isLost(pass, error)
      if (lost) await reconnect(pass, error)
      if (lost && error.kind === 'gone' && losses === 0) continue
      pass.context.log.warn({ err: error, kind }, 'a step of a sync pass was put aside')
      await noteTrouble(pass, { kind }, reasonOf(error), STEP_GROWTH)
      return null
    }
  }
}

/** The server's words, or a sentence for a fault of ours. */
export function reasonOf(error: unknown): string {
  if (error instanceof ImapFailure) return error.words || 'The mail server gave no reason.'
  return 'Something went wrong on our side.'
}

function nameOf({ kind, path = '', emailId = null }: About): string {
  return JSON.stringify([kind, path, emailId])
}

async function tellPage({ context, mailbox }: SyncPass): Promise<void> {
  await context.live.publish(context.db, mailbox.user_id, { topic: 'mailboxes' })
}

/** When the server wants to do so many items in a row later, it means the account. */
const LATER_IN_A_ROW = 3

/** Counts the items in a row that the server wants to do later. */
export type LaterItems = { inARow: number }

/**
 * Whether a failure concerns one item only, so that the next one is tried. A full mailbox may still have room for a
 * smaller message.
 */
export function isOfItem(pass: SyncPass, error: unknown, later: LaterItems): error is ImapFailure {
  if (!(error instanceof ImapFailure) || isLost(pass, error)) return false
  if (error.kind !== 'later' || error.code === 'OVERQUOTA') {
    later.inARow = 0
    return true
  }
  later.inARow += 1
  return later.inARow < LATER_IN_A_ROW
}
