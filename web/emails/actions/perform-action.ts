import type { QueryClient } from '@tanstack/react-query'
import type { MailAction } from '#contract/email-actions.ts'
import type { Email } from '#contract/email.ts'
import { toast } from '#web/ui/toast.ts'
import { predictOutcome } from './predict-outcome.ts'
import { doneMessage, FAILURES } from './action-messages.ts'
import { backOf } from '../mail/mail-actions.ts'
import { type ActionOutcome, type Progress, sendAction } from './send-action.ts'

export type Done = { act: MailAction; mails: readonly Email[]; outcome: Promise<ActionOutcome> }
export type ActionContext = {
  client: QueryClient
  /** What can be taken back, the newest last. */
  history: Done[]
  onProgress: (progress: Progress | null) => void
}
/** What can be taken back with the key; older acts are settled. */
const UNDO_MAX = 20

/** Does something with mails and says so, with its Undo; or says that it failed. */
export async function performAction(
  desk: ActionContext,
  act: MailAction,
  mails: readonly Email[],
): Promise<void> {
  const outcome = sendAction(desk.client, { act, mails, onProgress: desk.onProgress })
  const done: Done = { act, mails, outcome }
  const canUndo = backOf(act) !== undefined
  if (canUndo) desk.history.splice(0, desk.history.length, ...[...desk.history, done].slice(-UNDO_MAX))
  try {
    const words = doneMessage(act, mails, (await outcome).restoredTo)
    if (words !== null) toast.success(words, canUndo ? { undo: () => void takeBack(desk, done) } : {})
  } catch {
    forget(desk, done)
    if (FAILURES[act] !== null) toast.error(FAILURES[act])
  } finally {
    desk.onProgress(null)
  }
}

/** Takes back what was done last. */
export function takeBackLast(desk: ActionContext): void {
  const last = desk.history.at(-1)
  if (last === undefined) toast.info('There is nothing to undo')
  else void takeBack(desk, last)
}

async function takeBack(desk: ActionContext, done: Done): Promise<void> {
  const back = backOf(done.act)
  forget(desk, done)
  if (back === undefined) return
  try {
    const { changed } = await done.outcome
    const mails = done.mails.map((mail) => predictOutcome(mail, done.act))
    if (changed.length === 0) return
    const { client, onProgress } = desk
    const { restoredTo } = await sendAction(client, { act: back, mails, ids: changed, onProgress })
    await putBackIntoArchive(client, done)
    const words = doneMessage(back, mails, restoredTo)
    if (words !== null) toast.success(words)
  } catch {
    toast.error('This could not be undone')
  } finally {
    desk.onProgress(null)
  }
}

function forget({ history }: ActionContext, done: Done): void {
  const at = history.indexOf(done)
  if (at !== -1) history.splice(at, 1)
}

/** Out of the trash and out of spam a mail goes to where it was before the archive; Undo means the archive itself. */
async function putBackIntoArchive(client: QueryClient, { act, mails }: Done): Promise<void> {
  if (act !== 'trash' && act !== 'spam') return
  const archived = mails.filter(({ status }) => status === 'archived')
  if (archived.length === 0) return
  await sendAction(client, {
    act: 'archive',
    mails: archived.map((mail) => predictOutcome(predictOutcome(mail, act), 'restore')),
  })
}
