import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email } from '#contract/mail/emails.ts'
import { actionsFor, actionsForMany } from '../mail/mail-actions.ts'
import { focusedMail, focusRow, type ListHandle } from '../page/row-focus.ts'
import { type MailLocation, startOf } from '../page/page-location.ts'
import { ACTION_KEYS, FOLDER_KEYS } from '../mail/action-keys.ts'
import { isForPage } from '#web/platform/ui/key-press.ts'
import { isOutgoing } from '../mail/is-outgoing.ts'
import type { MailActionsHandle } from '../actions/use-mail-actions.tsx'
import type { Selection } from '../page/use-selection.ts'
import type { StartWriting } from '#web/mail/compose/writing.ts'

/** How long `g` waits for the folder's key. */
const SECOND_KEY_MS = 1500

type KeyContext = {
  location: MailLocation
  list: RefObject<ListHandle | null>
  /** The open mail, as far as it is loaded. */
  opened: Email | undefined
  actions: MailActionsHandle
  selection: Selection
  startWriting: StartWriting
}

/** The keyboard shortcuts of the page (see `mail-keys.ts`); inactive while the user types or a dialog is open. */
export function useMailKeys(context: KeyContext): void {
  const wentAt = useRef(-Infinity)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isForPage(event)) return
    // A key held down repeats only j and k.
    if (event.repeat && event.key !== 'j' && event.key !== 'k') return
    const isSecond = performance.now() - wentAt.current < SECOND_KEY_MS
    wentAt.current = -Infinity
    const folder = isSecond ? FOLDER_KEYS[event.key] : undefined
    if (folder !== undefined) context.location.go(startOf(folder))
    else if (event.key === 'g') wentAt.current = performance.now()
    else if (!doKey(event.key, context)) return
    event.preventDefault()
  })
  useEffect(() => {
    const stop = new AbortController()
    window.addEventListener('keydown', (event) => onKey(event), { signal: stop.signal })
    return () => stop.abort()
  }, [])
}

/** When a mail is closed in any way, its row in the list gets the focus. */
export function useFocusBack(emailId: number | null, list: RefObject<ListHandle | null>): void {
  const before = useRef<number | null>(null)
  useEffect(() => {
    const closed = before.current
    before.current = emailId
    if (emailId !== null || closed === null) return
    if (list.current?.rows.some(({ id }) => id === closed)) focusRow(list.current, closed)
  }, [emailId, list])
}

/** Performs the command of a key; false if it has none right now. */
function doKey(key: string, context: KeyContext): boolean {
  const { location, actions, selection, startWriting } = context
  if (key === 'j' || key === 'k') return step(key === 'j' ? 1 : -1, context)
  if (key === 'Escape') return escape(context)
  if (key === 'z') actions.undo()
  else if (key === 'c') startWriting({ kind: 'new' })
  else {
    const mail = currentMail(context)
    if (mail === undefined && selection.mails.length === 0) return false
    if (key === 'x' && mail !== undefined) selection.toggle(mail)
    else if (key === 'o' && mail !== undefined) location.go({ emailId: mail.id })
    else
      return performByKey(key, mail, context) || (mail !== undefined && writeByKey(key, mail, startWriting))
  }
  return true
}

function escape({ selection, location }: KeyContext): boolean {
  if (selection.mails.length > 0) selection.clear()
  else if (location.emailId !== null) location.go({ emailId: null }, { replace: true })
  else return false
  return true
}

/** The mail that shortcuts apply to: the open one, else the one in the focused row. */
function currentMail({ location, list, opened }: KeyContext): Email | undefined {
  const id = location.emailId ?? focusedMail()
  return list.current?.rows.find((row) => row.id === id) ?? (location.emailId === null ? undefined : opened)
}

function performByKey(key: string, mail: Email | undefined, { actions, selection }: KeyContext): boolean {
  const chosen = selection.mails
  const mails = chosen.length > 0 ? chosen : mail === undefined ? [] : [mail]
  const offered: readonly MailAction[] = chosen.length > 0 ? actionsForMany(mails) : mails.flatMap(actionsFor)
  const star = mails.every(({ isStarred }) => isStarred) ? 'unstar' : 'star'
  const action = [...offered, star as MailAction].find((each) => ACTION_KEYS[each] === key)
  if (action === undefined) return false
  actions.perform(action, mails)
  return true
}

function writeByKey(key: string, mail: Email, startWriting: StartWriting): boolean {
  const isUnsent = mail.status === 'draft' || mail.status === 'scheduled'
  if (isUnsent) return false
  if (key === 'r') startWriting({ kind: isOutgoing(mail) ? 'reply-all' : 'reply', mail })
  else if (key === 'a') startWriting({ kind: 'reply-all', mail })
  else if (key === 'f') startWriting({ kind: 'forward', mail })
  else return false
  return true
}

function step(by: 1 | -1, { location, list }: KeyContext): boolean {
  const rows = list.current?.rows ?? []
  const from = location.emailId ?? focusedMail()
  const at = rows.findIndex(({ id }) => id === from)
  const next = rows[at === -1 && by === -1 ? rows.length - 1 : at + by]
  if (next === undefined) return false
  focusRow(list.current, next.id)
  if (location.emailId !== null) location.go({ emailId: next.id }, { replace: true })
  return true
}
