import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type Email, emails } from '#contract/emails.ts'
import { refresh, useCommand, useEndpoint } from '#web/api/queries.ts'
import { findShown, showAsRead } from './mail-cache.ts'

/**
 * One mail: what the list knows of it at once, all of it when it comes. Whoever opens it has read it. For one mail in
 * the life of its component.
 */
export function useOpenedMail(id: number) {
  const client = useQueryClient()
  const asked = useEndpoint(emails.get, { params: { id } })
  const shown: Email | undefined = asked.data ?? findShown(client, id)
  const { mutate } = useCommand(emails.markRead, {
    onError: () => {
      void refresh(client, emails.list)
      void refresh(client, emails.counts)
    },
  })
  const read = useRef(false)
  const markRead = useEffectEvent((mail: Email) => {
    // An answer that was under way before may call it unread once more.
    if (read.current) return
    read.current = true
    showAsRead(client, mail)
    mutate({ params: { id } })
  })
  const isUnread = shown?.isRead === false
  useEffect(() => {
    if (isUnread && shown !== undefined) markRead(shown)
    // oxlint-disable-next-line react/exhaustive-deps -- it is read once, when it opens, however often it is fetched anew
  }, [id, isUnread])
  return { ...asked, shown }
}
