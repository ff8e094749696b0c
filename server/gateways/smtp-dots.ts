const LF = 0x0a
const CR = 0x0d
const DOT = 0x2e
/** What a mail as we write it hardly ever has: a line that begins with a dot, or a line end that is not CRLF. */
const UNUSUAL = /(?:^|\n)\.|(?:^|[^\r])\n/

/**
 * Makes a piece of a mail ready for SMTP: a dot more where a line begins with one (RFC 5321 4.5.2), CRLF at every line's
 * end. `before` is the last byte of the piece before; undefined for the first piece.
 */
export function stuffDots(piece: Buffer, before?: number): Buffer {
  const text = piece.toString('latin1')
  if (!UNUSUAL.test(text)) return piece
  const [first] = piece
  const ready = (part: string) => part.replace(/\r?\n\.?/g, (end) => (end.endsWith('.') ? '\r\n..' : '\r\n'))
  // The first line may have begun, or its CR may have gone, with the piece before.
  if (before === CR && first === LF) {
    const dot = piece[1] === DOT
    return Buffer.from((dot ? '\n..' : '\n') + ready(text.slice(dot ? 2 : 1)), 'latin1')
  }
  const begins = first === DOT && (before === undefined || before === LF)
  return Buffer.from((begins ? '.' : '') + ready(text), 'latin1')
}

const ENDS = {
  line: Buffer.from('.\r\n'),
  return: Buffer.from('\n.\r\n'),
  middle: Buffer.from('\r\n.\r\n'),
}

/** The final dot, on a line of its own after a mail that ends as `raw` does. */
export function finalDot(raw: Buffer): Buffer {
  const last = raw.at(-1)
  return last === LF ? ENDS.line : last === CR ? ENDS.return : ENDS.middle
}
