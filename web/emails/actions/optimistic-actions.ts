import { useSyncExternalStore } from 'react'
import type { MailAction } from '#contract/email-actions.ts'
import type { Email, Folder } from '#contract/emails.ts'
import { folderOf, moves } from '../mail/mail-actions.ts'

/** What an act that is under way does to a mail, whatever an answer from before may still say of it. */
type Effect = { notIn?: Folder | null; isRead?: boolean; isStarred?: boolean }
export type OptimisticActions = ReadonlyMap<number, readonly Effect[]>

let pending: OptimisticActions = new Map()
const listeners = new Set<() => void>()

const publish = (next: OptimisticActions) => {
  pending = next
  for (const listener of listeners) listener()
}

/** Shows an act at once, before the server has said so. Gives the way to end that: what the server says then holds. */
export function showPending(act: MailAction, mails: readonly Email[]): () => void {
  const mine = new Map(mails.map((mail) => [mail.id, effectOf(act, mail)]))
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

function effectOf(act: MailAction, mail: Email): Effect {
  if (moves(act)) return { notIn: folderOf(mail) }
  return act === 'read' || act === 'unread' ? { isRead: act === 'read' } : { isStarred: act === 'star' }
}

/** A mail as it will be; the same object where nothing is under way. */
export function withPending<Mail extends Email>(mail: Mail, acts: OptimisticActions): Mail {
  let { isRead, isStarred } = mail
  for (const effect of acts.get(mail.id) ?? []) {
    isRead = effect.isRead ?? isRead
    isStarred = effect.isStarred ?? isStarred
  }
  return isRead === mail.isRead && isStarred === mail.isStarred ? mail : { ...mail, isRead, isStarred }
}

type Rows = { rows: Email[]; total: number }

/** A page of a folder as it will be: what is on its way out is gone already. */
export function pageWithPending<Page extends Rows>(page: Page, acts: OptimisticActions): Page {
  if (acts.size === 0) return page
  const rows = page.rows.filter(
    (mail) => !acts.get(mail.id)?.some(({ notIn }) => notIn !== undefined && notIn === folderOf(mail)),
  )
  const total = Math.max(0, page.total - (page.rows.length - rows.length))
  return { ...page, total, rows: rows.map((mail) => withPending(mail, acts)) }
}

/** The acts that are under way now. */
export function useOptimisticActions(): OptimisticActions {
  return useSyncExternalStore(subscribe, () => pending)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
