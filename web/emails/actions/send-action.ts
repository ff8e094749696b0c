import type { QueryClient } from '@tanstack/react-query'
import type { Email, Folder } from '#contract/email.ts'
import { ACTION_IDS_MAX, emailActions, type MailAction } from '#contract/email-actions.ts'
import { call } from '#web/api/call.ts'
import { countAhead, keepDone, reloadMail } from './mail-cache.ts'
import { showPending } from './optimistic-actions.ts'

export type Progress = { done: number; total: number }
/** `changed`: the mails that the act has really touched, those that the inbox shows as one with others among them. */
export type ActionOutcome = { changed: number[]; restoredTo: Folder | null }

type Act = {
  act: MailAction
  mails: readonly Email[]
  /** Other mails than these are meant, e.g. all that an act before has touched. */
  ids?: readonly number[]
  onProgress?: (progress: Progress) => void
}

/**
 * Does something with mails. The page shows it at once; when the server refuses, the rows come back.
 *
 * @throws ApiError when it was refused or did not get through; some of many may have been done by then.
 */
export async function sendAction(
  client: QueryClient,
  { act, mails, ids, onProgress }: Act,
): Promise<ActionOutcome> {
  const end = showPending(act, mails)
  countAhead(client, act, mails)
  try {
    const outcome = await sendAct(act, mails, ids, onProgress)
    keepDone(client, act, mails)
    return outcome
  } finally {
    // The rows stay as they are shown until a fresh list is there: nothing jumps.
    void reloadMail(client).finally(end)
  }
}

async function sendAct(
  action: MailAction,
  mails: readonly Email[],
  others: readonly number[] | undefined,
  onProgress: ((progress: Progress) => void) | undefined,
): Promise<ActionOutcome> {
  const collapsed = others === undefined && mails.some((mail) => mail.collapsed > 1)
  const ids = others ?? mails.map(({ id }) => id)
  const [only] = ids
  if (only !== undefined && ids.length === 1 && !collapsed) return sendOne(action, only)
  const changed: number[] = []
  for (let done = 0; done < ids.length; done += ACTION_IDS_MAX) {
    if (ids.length > ACTION_IDS_MAX) onProgress?.({ done, total: ids.length })
    const body = { action, ids: ids.slice(done, done + ACTION_IDS_MAX), collapsed }
    const reply = await call(emailActions.act, { body })
    changed.push(...reply.changed)
  }
  return { changed, restoredTo: null }
}

/** The call that each act on one mail has of its own. */
const PLAIN = {
  read: emailActions.markRead,
  unread: emailActions.markUnread,
  archive: emailActions.archive,
  trash: emailActions.trash,
  spam: emailActions.spam,
  delete: emailActions.deleteFromTrash,
}
const BACK = { unarchive: emailActions.unarchive, restore: emailActions.restore }

async function sendOne(act: MailAction, id: number): Promise<ActionOutcome> {
  const changed = [id]
  const params = { id }
  if (act === 'star' || act === 'unstar') {
    await call(emailActions.star, { params, body: { starred: act === 'star' } })
    return { changed, restoredTo: null }
  }
  if (act === 'not-spam') {
    const { restored_to } = await call(emailActions.notSpam, { body: { email_id: id } })
    return { changed, restoredTo: restored_to }
  }
  if (act === 'unarchive' || act === 'restore') {
    const { restored_to } = await call(BACK[act], { params })
    return { changed, restoredTo: restored_to }
  }
  await call(PLAIN[act], { params })
  return { changed, restoredTo: null }
}
