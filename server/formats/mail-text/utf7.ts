/** Names of UTF-7 (RFC 2152) in mail. */
export const UTF7 = /^(?:x-)?(?:unicode-1-1-)?utf-?7$/i

/** A shifted sequence: "+", base64 without padding, and a "-" that only ends it. */
const SHIFTED = /\+([A-Za-z0-9+/]*)(-?)/g
const BITS_PER_CHAR = 6
const BITS_PER_UNIT = 16

/** Decodes UTF-7 (RFC 2152). What only looks like a shifted sequence stays as it is: "1 + 1", "C++". */
export function decodeUtf7(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return text.replace(SHIFTED, (piece: string, base64: string, end: string) => {
    if (base64 === '') return end === '' ? piece : '+'
    return unshifted(base64) ?? piece
  })
}

function unshifted(base64: string): string | null {
  const spare = (base64.length * BITS_PER_CHAR) % BITS_PER_UNIT
  const bytes = Buffer.from(base64, 'base64')
  const length = Math.floor((base64.length * BITS_PER_CHAR) / BITS_PER_UNIT) * 2
  // The remaining bits are padding: less than a character, and zero.
  if (length === 0 || spare >= BITS_PER_CHAR || (bytes[length] ?? 0) !== 0) return null
  const text = Buffer.from(bytes.subarray(0, length)).swap16().toString('utf16le')
  return text.isWellFormed() ? text : null
}
