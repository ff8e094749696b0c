import { useSyncExternalStore } from 'react'
import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email, Folder } from '#contract/mail/emails.ts'
import { folderOf, moves } from '../mail/mail-actions.ts'

/** The effect of a pending action on a mail. It takes precedence over answers from before the action. */
type Effect = { notIn?: Folder | null; isRead?: boolean; isStarred?: boolean }
export type OptimisticActions = ReadonlyMap<number, readonly Effect[]>

let pending: OptimisticActions = new Map()
const listeners = new Set<() => void>()

const publish = (next: OptimisticActions) => {
  pending = next
  for (const listener of listeners) listener()
}

/**
 * Shows an action at once, before the server confirms it. Returns a function that ends this; then the server's state is
 * shown.
 */
export function showPending(action: MailAction, mails: readonly Email[]): () => void {
  const mine = new Map(mails.map((mail) => [mail.id, effectOf(action, mail)]))
  const next = new Map(pending)
  for (const [id, effect] of mine) next.set(id, [...(next.get(id) ?? []), effect])
  publish(next)
  return () => {
    const rest = new Map(pending)
    for (const [id, effect] of mine) {
      const others = (rest.get(id) ?? []).filter((each) => each !== effect)
      if (others.length === 0) rest.delete(id)
      else rest.set(id, others)
    }
    publish(rest)
  }
}

function effectOf(action: MailAction, mail: Email): Effect {
  if (moves(action)) return { notIn: folderOf(mail) }
  return action === 'read' || action === 'unread'
    ? { isRead: action === 'read' }
    : { isStarred: action === 'star' }
}

/** A mail with its pending actions applied; the same object if there are none. */
export function withPending<Mail extends Email>(mail: Mail, actions: OptimisticActions): Mail {
  let { isRead, isStarred } = mail
  for (const effect of actions.get(mail.id) ?? []) {
    isRead = effect.isRead ?? isRead
    isStarred = effect.isStarred ?? isStarred
  }
  return isRead === mail.isRead && isStarred === mail.isStarred ? mail : { ...mail, isRead, isStarred }
}

type Rows = { rows: Email[]; total: number }

/** A page of a folder with the pending actions applied: mails that are leaving are not shown. */
export function pageWithPending<Page extends Rows>(page: Page, actions: OptimisticActions): Page {
  if (actions.size === 0) return page
  const rows = page.rows.filter(
    (mail) => !actions.get(mail.id)?.some(({ notIn }) => notIn !== undefined && notIn === folderOf(mail)),
  )
  const total = Math.max(0, page.total - (page.rows.length - rows.length))
  return { ...page, total, rows: rows.map((mail) => withPending(mail, actions)) }
}

/** The pending actions. */
export function useOptimisticActions(): OptimisticActions {
  return useSyncExternalStore(subscribe, () => pending)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
