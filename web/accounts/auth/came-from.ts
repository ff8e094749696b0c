import { isOwnPath } from '#web/platform/own-path.ts'

/** Where a visitor wanted to go before the log-in; kept per tab, so that signing up on the way does not lose it. */
const KEY = 'app.cameFrom'

export function rememberWhereFrom(path: unknown): void {
  if (isOwnPath(path)) sessionStorage.setItem(KEY, path)
}

export function forgetWhereFrom(): void {
  sessionStorage.removeItem(KEY)
}

export function readWhereFrom(): string | null {
  const path = sessionStorage.getItem(KEY)
  return isOwnPath(path) ? path : null
}
