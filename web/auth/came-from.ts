/** Where a visitor wanted to go before the log-in; kept per tab, so that signing up on the way does not lose it. */
const KEY = 'app.cameFrom'

/** A path of this app; an address elsewhere is none (`//evil.example` is one in disguise). */
export const isOwnPath = (path: unknown): path is string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path)

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
