/** The key of the user's choice in local storage. */
const WISH_KEY = 'app.meetingAlerts'

const watchers = new Set<() => void>()

export type AlertState = 'impossible' | 'denied' | 'unasked' | 'wished'

/** Whether this browser supports notifications, permits them, and the user wants them. */
export function alertState(): AlertState {
  if (typeof Notification === 'undefined') return 'impossible'
  if (Notification.permission === 'denied') return 'denied'
  return Notification.permission === 'granted' && read() === 'on' ? 'wished' : 'unasked'
}

/** Stores the user's choice and asks the browser for permission if necessary. Call it from a click only. */
export async function wishAlerts(wished: boolean): Promise<AlertState> {
  if (wished && Notification.permission === 'default') await Notification.requestPermission()
  try {
    if (wished) localStorage.setItem(WISH_KEY, 'on')
    else localStorage.removeItem(WISH_KEY)
  } catch {
    // Without storage the choice is lost with the page.
  }
  for (const watcher of watchers) watcher()
  return alertState()
}

/**
 * Calls `watcher` when the choice changes in this tab; for `useSyncExternalStore`. Returns a function that ends this.
 */
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
