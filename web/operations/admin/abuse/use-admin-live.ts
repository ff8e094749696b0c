import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { abuse } from '#contract/operations/abuse.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { notifications } from '#contract/accounts/notifications.ts'
import { keepStream } from '#web/platform/api/live-stream.ts'
import { refresh } from '#web/platform/api/queries.ts'
import { clearAdminSession, readAdminToken } from '../admin-session.ts'

const STALE = [notifications.list, abuse.statistics, abuse.patterns]

/** Keeps what is shown of notifications and abuse up to date while the page is open. */
export function useAdminLive(): void {
  const client = useQueryClient()
  useEffect(() => {
    const reload = () => {
      for (const endpoint of STALE) void refresh(client, endpoint)
    }
    return keepStream(
      { onEvent: reload, onResume: reload, onState: () => {} },
      { path: pathOf(notifications.stream), token: readAdminToken, onRefused: clearAdminSession },
    )
  }, [client])
}
