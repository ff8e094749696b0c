import { FALLBACK_ZONE, isTimeZone } from '#contract/platform/values.ts'

/** The time zone that the user has chosen is kept under this key. */
const TIME_ZONE_KEY = 'app.timeZone'

const watchers = new Set<() => void>()

/** The zone that every screen shows times in: the chosen one, else the browser's, else Asia/Kolkata. */
export function currentTimeZone(): string {
  const chosen = read()
  if (chosen === null) return browserTimeZone()
  if (chosen !== checked.zone) checked = { zone: chosen, isKnown: isTimeZone(chosen) }
  return checked.isKnown ? chosen : browserTimeZone()
}

// Every row of a list asks for the zone, and each look into Intl costs as much as drawing the row.
let checked = { zone: '', isKnown: false }
let browsers: { offset: number; zone: string } | null = null

/** The browser's own zone, Asia/Kolkata where it does not tell. */
function browserTimeZone(): string {
  // Who travels takes the window along: another offset is looked up anew.
  const offset = new Date().getTimezoneOffset()
  if (browsers?.offset === offset) return browsers.zone
  const zone: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone
  browsers = { offset, zone: zone !== undefined && isTimeZone(zone) ? zone : FALLBACK_ZONE }
  return browsers.zone
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
