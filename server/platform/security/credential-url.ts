/** What a user name and a password need in a URL. */
export const PERCENT_CODES = 'write @ as %40, / as %2F, # as %23, ? as %3F and % as %25'

/**
 * What is wrong with the URL of a server that asks for a password; null: nothing. The sentence has no part of the URL.
 *
 * @param protocols such as `smtp:`
 * @param form how such a URL looks
 */
export function faultOfCredentialUrl(
  text: string,
  protocols: readonly string[],
  form: string,
): string | null {
  if (!protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`)))
    return `must be a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`
  const url = URL.parse(text)
  return url === null || endsEarly(url) || ![url.username, url.password, url.pathname].every(isPercentEncoded)
    ? `cannot be read as ${form}: in the user name and the password, ${PERCENT_CODES}`
    : null
}

/** The @ before the host is behind what was taken for the host: a / # or ? of the password has ended it. */
function endsEarly({ pathname, hash, searchParams }: URL): boolean {
  return hash !== '' || pathname.includes('@') || [...searchParams.keys()].some((name) => name.includes('@'))
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
