import { useEffect, useSyncExternalStore } from 'react'
import { alertState, onAlertWish } from './alert-wish.ts'

/** Shows browser notifications of meetings if the user wants them; their code is loaded only then. */
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
