import { useEffect, useEffectEvent, useRef } from 'react'
import type { MailPlace } from './mail-address.ts'

const TYPING = 'input, textarea, select, [contenteditable], [role=dialog], [role=menu]'

/** j and k go through the list, Enter (the link's own) opens, Esc closes. An open mail gives way to its neighbour. */
export function useMailKeys(place: MailPlace): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (event.target instanceof Element && event.target.closest(TYPING) !== null) return
    if (event.key === 'j' || event.key === 'k') step(event.key === 'j' ? 1 : -1, place)
    else if (event.key === 'Escape' && place.emailId !== null) place.go({ emailId: null }, { replace: true })
  })
  useEffect(() => {
    const stop = new AbortController()
    window.addEventListener('keydown', (event) => onKey(event), { signal: stop.signal })
    return () => stop.abort()
  }, [])
}

/** When a mail is closed, however that was, its row in the list has the focus. */
export function useFocusBack(emailId: number | null): void {
  const before = useRef<number | null>(null)
  useEffect(() => {
    const closed = before.current
    before.current = emailId
    if (emailId !== null || closed === null) return
    const row = rowLinks().find((link) => idOf(link) === closed)
    row?.focus()
  }, [emailId])
}

function step(by: 1 | -1, place: MailPlace): void {
  const links = rowLinks()
  const at = links.findIndex((link) =>
    place.emailId === null ? link === document.activeElement : idOf(link) === place.emailId,
  )
  const next = links[at === -1 && by === -1 ? links.length - 1 : at + by]
  if (next === undefined) return
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
  if (place.emailId !== null) place.go({ emailId: idOf(next) }, { replace: true })
}

const rowLinks = () => [...document.querySelectorAll<HTMLElement>('[data-email]')]
const idOf = (link: HTMLElement) => Number(link.dataset['email'])
