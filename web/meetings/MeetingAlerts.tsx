import { useEffect, useSyncExternalStore } from 'react'
import { alertState, onAlertWish } from './alert-wish.ts'

/** Gives this browser's notifications of meetings, where they are wished for; what it takes is fetched only then. */
export function MeetingAlerts() {
  const state = useSyncExternalStore(onAlertWish, alertState)
  useEffect(() => {
    if (state !== 'wished') return undefined
    const stopping = new AbortController()
    void import('./alerts.ts').then(({ watchMeetings }) => watchMeetings(stopping.signal)).catch(() => {})
    return () => stopping.abort()
  }, [state])
  return null
}
