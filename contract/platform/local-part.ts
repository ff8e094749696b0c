/** A local part that needs no quotes (RFC 5322 3.4.1, RFC 6531). */
export const DOT_ATOM = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
export const QUOTED_LOCAL_PART = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])+"$/

/** An RFC 5322 quoted-string. */
export function quoted(words: string): string {
  return `"${words.replace(/["\\]/g, '\\$&')}"`
}

/** An address without quotes and backslashes that it does not need: `"ana"@x.test` and `ana@x.test` are one address. */
export function plainAddress(address: string): string {
  if (!address.startsWith('"')) return address
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  if (at < 1 || !QUOTED_LOCAL_PART.test(local)) return address
  const meant = local.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  return `${DOT_ATOM.test(meant) ? meant : quoted(meant)}${address.slice(at)}`
}

/** An address with the quotes that its local part needs: IMAP servers take them off (RFC 3501 7.4.2). */
export function withQuotes(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  return at < 1 || DOT_ATOM.test(local) || QUOTED_LOCAL_PART.test(local)
    ? address
    : `${quoted(local)}${address.slice(at)}`
}
