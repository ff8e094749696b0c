/**
 * Whether a stored token is worth asking the server about: three parts (RFC 7519) and not past its `exp`. A token
 * without a readable `exp` is left to the server.
 */
export function isUsableToken(token: string, now: number = Date.now()): boolean {
  if (token.split('.').length !== 3) return false
  const exp = expiryOf(token)
  return exp === null || exp * 1000 >= now
}

function expiryOf(token: string): number | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { exp } = JSON.parse(atob(payload)) as { exp?: unknown }
    return typeof exp === 'number' ? exp : null
  } catch {
    return null
  }
}
