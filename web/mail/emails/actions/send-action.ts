import type { QueryClient } from '@tanstack/react-query'
import type { Email, Folder } from '#contract/mail/email.ts'
import { ACTION_IDS_MAX, emailActions, type MailAction } from '#contract/mail/email-actions.ts'
import { call } from '#web/platform/api/call.ts'
import { countAhead, keepDone, reloadMail } from './mail-cache.ts'
import { showPending } from './optimistic-actions.ts'

export type Progress = { done: number; total: number }
/** `changed`: every mail the action touched, including those the inbox collapses into one row. */
export type ActionOutcome = { changed: number[]; restoredTo: Folder | null }

type ActionRequest = {
  action: MailAction
  mails: readonly Email[]
  /** Replaces `mails` with these ids, e.g. all mails that an earlier action touched. */
  ids?: readonly number[]
  onProgress?: (progress: Progress) => void
}

/**
 * Sends an action to the server. The page shows it at once; if the server refuses, the rows return.
 *
 * @throws ApiError if the action was refused or did not reach the server; some of many mails may have been changed by
 * then.
 */
export async function sendAction(
  client: QueryClient,
  { action, mails, ids, onProgress }: ActionRequest,
): Promise<ActionOutcome> {
  const end = showPending(action, mails)
  countAhead(client, action, mails)
  try {
    const outcome = await postAction(action, mails, ids, onProgress)
    keepDone(client, action, mails)
    return outcome
  } finally {
    // The rows stay as shown until the new list arrives, so nothing jumps.
    void reloadMail(client).finally(end)
  }
}

async function postAction(
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

/** The separate call for each action on a single mail. */
const PLAIN = {
  read: emailActions.markRead,
  unread: emailActions.markUnread,
  archive: emailActions.archive,
  trash: emailActions.trash,
  spam: emailActions.spam,
  delete: emailActions.deleteFromTrash,
}
const BACK = { unarchive: emailActions.unarchive, restore: emailActions.restore }

async function sendOne(action: MailAction, id: number): Promise<ActionOutcome> {
  const changed = [id]
  const params = { id }
  if (action === 'star' || action === 'unstar') {
    await call(emailActions.star, { params, body: { starred: action === 'star' } })
    return { changed, restoredTo: null }
  }
  if (action === 'not-spam') {
    const { restored_to } = await call(emailActions.notSpam, { body: { email_id: id } })
    return { changed, restoredTo: restored_to }
  }
  if (action === 'unarchive' || action === 'restore') {
    const { restored_to } = await call(BACK[action], { params })
    return { changed, restoredTo: restored_to }
  }
  await call(PLAIN[action], { params })
  return { changed, restoredTo: null }
}
