import { FALLBACK_ZONE, isTimeZone } from '#contract/values.ts'

/** The time zone that the user has chosen is kept under this key. */
const TIME_ZONE_KEY = 'app.timeZone'

const watchers = new Set<() => void>()

/** The zone that every screen shows times in: the chosen one, else the browser's, else Asia/Kolkata. */
export function currentTimeZone(): string {
  const chosen = read()
  if (chosen !== null && isTimeZone(chosen)) return chosen
  return browserTimeZone()
}

/** The browser's own zone, Asia/Kolkata where it does not tell. */
function browserTimeZone(): string {
  const zone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone !== undefined && isTimeZone(zone) ? zone : FALLBACK_ZONE
}

export function setTimeZone(zone: string): void {
  localStorage.setItem(TIME_ZONE_KEY, zone)
  for (const watcher of watchers) watcher()
}

/** Calls back when another zone is chosen, in this tab or in another: made for `useSyncExternalStore`. */
export function onTimeZoneChange(watcher: () => void): () => void {
  const elsewhere = (event: StorageEvent) => {
    if (event.key === TIME_ZONE_KEY || event.key === null) watcher()
  }
  watchers.add(watcher)
  window.addEventListener('storage', elsewhere)
  return () => {
    watchers.delete(watcher)
    window.removeEventListener('storage', elsewhere)
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(TIME_ZONE_KEY)
  } catch {
    return null
  }
}
