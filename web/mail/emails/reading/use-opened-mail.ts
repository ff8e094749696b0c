import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type Email, emails } from '#contract/mail/emails.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { findCachedMail } from '../mail/cached-mail.ts'
import { useOptimisticActions, withPending } from '../actions/optimistic-actions.ts'
import { sendAction } from '../actions/send-action.ts'

/** A prefetched mail is shown without refetching it at once. */
const FRESH_MS = 60_000

/**
 * The opened mail: what the list knows of it at once, the whole mail when it arrives. Opening marks it as read. The id
 * must not change during the component's life.
 */
export function useOpenedMail(id: number) {
  const client = useQueryClient()
  const pending = useOptimisticActions()
  const asked = useEndpoint(emails.get, { params: { id }, staleTime: FRESH_MS })
  const listed = findCachedMail(client, id)
  const known: Email | undefined = asked.data ?? listed
  // Only the list knows how many mails a row collapses.
  const shown = known && withPending({ ...known, collapsed: listed?.collapsed ?? known.collapsed }, pending)
  const read = useRef(false)
  const markRead = useEffectEvent((mail: Email) => {
    // An answer from before may still say unread, and a user who marks the mail as unread means it.
    if (read.current) return
    read.current = true
    // If this fails the mail stays unread, and the list shows that.
    sendAction(client, { action: 'read', mails: [mail] }).catch(() => undefined)
  })
  const isUnread = shown?.isRead === false
  useEffect(() => {
    if (isUnread && shown !== undefined) markRead(shown)
    // oxlint-disable-next-line react/exhaustive-deps -- the mail is marked once, when it opens, however often it is refetched
  }, [id, isUnread])
  return { ...asked, shown }
}
