import type { QueryClient } from '@tanstack/react-query'
import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email } from '#contract/mail/email.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { predictOutcome } from './predict-outcome.ts'
import { doneMessage, FAILURES } from './action-messages.ts'
import { backOf } from '../mail/mail-actions.ts'
import { type ActionOutcome, type Progress, sendAction } from './send-action.ts'

export type Done = { action: MailAction; mails: readonly Email[]; outcome: Promise<ActionOutcome> }
export type ActionContext = {
  client: QueryClient
  /** The actions that can be undone, newest last. */
  history: Done[]
  onProgress: (progress: Progress | null) => void
}
/** The shortcut can undo this many actions; older ones are final. */
const UNDO_MAX = 20

/** Performs an action and shows the result, with Undo, or the failure. */
export async function performAction(
  context: ActionContext,
  action: MailAction,
  mails: readonly Email[],
): Promise<void> {
  const outcome = sendAction(context.client, { action, mails, onProgress: context.onProgress })
  const done: Done = { action, mails, outcome }
  const canUndo = backOf(action) !== undefined
  if (canUndo)
    context.history.splice(0, context.history.length, ...[...context.history, done].slice(-UNDO_MAX))
  try {
    const message = doneMessage(action, mails, (await outcome).restoredTo)
    if (message !== null) toast.success(message, canUndo ? { undo: () => void takeBack(context, done) } : {})
  } catch {
    forget(context, done)
    if (FAILURES[action] !== null) toast.error(FAILURES[action])
  } finally {
    context.onProgress(null)
  }
}

/** Undoes the last action. */
export function takeBackLast(context: ActionContext): void {
  const last = context.history.at(-1)
  if (last === undefined) toast.info('There is nothing to undo')
  else void takeBack(context, last)
}

async function takeBack(context: ActionContext, done: Done): Promise<void> {
  const back = backOf(done.action)
  forget(context, done)
  if (back === undefined) return
  try {
    const { changed } = await done.outcome
    const mails = done.mails.map((mail) => predictOutcome(mail, done.action))
    if (changed.length === 0) return
    const { client, onProgress } = context
    const { restoredTo } = await sendAction(client, { action: back, mails, ids: changed, onProgress })
    await putBackIntoArchive(client, done)
    const message = doneMessage(back, mails, restoredTo)
    if (message !== null) toast.success(message)
  } catch {
    toast.error('This could not be undone')
  } finally {
    context.onProgress(null)
  }
}

function forget({ history }: ActionContext, done: Done): void {
  const at = history.indexOf(done)
  if (at !== -1) history.splice(at, 1)
}

/**
 * Restoring from trash or spam moves a mail to its folder before the archive. Undo must move it back into the archive.
 */
async function putBackIntoArchive(client: QueryClient, { action, mails }: Done): Promise<void> {
  if (action !== 'trash' && action !== 'spam') return
  const archived = mails.filter(({ status }) => status === 'archived')
  if (archived.length === 0) return
  await sendAction(client, {
    action: 'archive',
    mails: archived.map((mail) => predictOutcome(predictOutcome(mail, action), 'restore')),
  })
}
