import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type Email, emails } from '#contract/emails.ts'
import { useEndpoint } from '#web/api/queries.ts'
import { findCachedMail } from '../mail/cached-mail.ts'
import { useOptimisticActions, withPending } from '../actions/optimistic-actions.ts'
import { sendAction } from '../actions/send-action.ts'

/** A mail fetched ahead is shown without asking again at once. */
const FRESH_MS = 60_000

/**
 * One mail: what the list knows of it at once, all of it when it comes. Whoever opens it has read it. For one mail in
 * the life of its component.
 */
export function useOpenedMail(id: number) {
  const client = useQueryClient()
  const pending = useOptimisticActions()
  const asked = useEndpoint(emails.get, { params: { id }, staleTime: FRESH_MS })
  const listed = findCachedMail(client, id)
  const known: Email | undefined = asked.data ?? listed
  // Only the list knows how many mails it shows as this one.
  const shown = known && withPending({ ...known, collapsed: listed?.collapsed ?? known.collapsed }, pending)
  const read = useRef(false)
  const markRead = useEffectEvent((mail: Email) => {
    // An answer that was under way before may call it unread once more; and who marks it as unread means it.
    if (read.current) return
    read.current = true
    // What fails stays unread, and the list says so.
    sendAction(client, { action: 'read', mails: [mail] }).catch(() => undefined)
  })
  const isUnread = shown?.isRead === false
  useEffect(() => {
    if (isUnread && shown !== undefined) markRead(shown)
    // oxlint-disable-next-line react/exhaustive-deps -- it is read once, when it opens, however often it is fetched anew
  }, [id, isUnread])
  return { ...asked, shown }
}
