/** Whether this browser is to notify of meetings is kept under this key. */
const WISH_KEY = 'app.meetingAlerts'

const watchers = new Set<() => void>()

export type AlertState = 'impossible' | 'denied' | 'unasked' | 'wished'

/** Whether this browser can notify, may, and is to. */
export function alertState(): AlertState {
  if (typeof Notification === 'undefined') return 'impossible'
  if (Notification.permission === 'denied') return 'denied'
  return Notification.permission === 'granted' && read() === 'on' ? 'wished' : 'unasked'
}

/** Notes the user's wish; asks the browser for leave where it has not been asked. Called by a click only. */
export async function wishAlerts(wished: boolean): Promise<AlertState> {
  if (wished && Notification.permission === 'default') await Notification.requestPermission()
  try {
    if (wished) localStorage.setItem(WISH_KEY, 'on')
    else localStorage.removeItem(WISH_KEY)
  } catch {
    // Storage that is closed forgets the wish with the page.
  }
  for (const watcher of watchers) watcher()
  return alertState()
}

/** Calls back when the wish has changed in this tab: made for `useSyncExternalStore`. */
export function onAlertWish(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

function read(): string | null {
  try {
    return localStorage.getItem(WISH_KEY)
  } catch {
    return null
  }
}
