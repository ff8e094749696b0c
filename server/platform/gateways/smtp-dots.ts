const LF = 0x0a
const CR = 0x0d
const DOT = 0x2e
/** Rare in the mails that we render: a line that begins with a dot, or a line end other than CRLF. */
const NEEDS_WORK = /(?:^|\n)\.|(?:^|[^\r])\n/

/**
 * Prepares a piece of a mail for SMTP: doubles a dot at the start of a line (RFC 5321 4.5.2), and ends every line with
 * CRLF. `before` is the last byte of the previous piece; undefined for the first piece.
 */
export function stuffDots(piece: Buffer, before?: number): Buffer {
  const text = piece.toString('latin1')
  if (!NEEDS_WORK.test(text)) return piece
  const [first] = piece
  const prepared = (part: string) =>
    part.replace(/\r?\n\.?/g, (end) => (end.endsWith('.') ? '\r\n..' : '\r\n'))
  // The first line may have begun in the previous piece, or its CR may be there.
  if (before === CR && first === LF) {
    const dot = piece[1] === DOT
    return Buffer.from((dot ? '\n..' : '\n') + prepared(text.slice(dot ? 2 : 1)), 'latin1')
  }
  const begins = first === DOT && (before === undefined || before === LF)
  return Buffer.from((begins ? '.' : '') + prepared(text), 'latin1')
}

const ENDS = {
  line: Buffer.from('.\r\n'),
  return: Buffer.from('\n.\r\n'),
  middle: Buffer.from('\r\n.\r\n'),
}

/** The final dot on a line of its own, depending on how `raw` ends. */
export function finalDot(raw: Buffer): Buffer {
  const last = raw.at(-1)
  return last === LF ? ENDS.line : last === CR ? ENDS.return : ENDS.middle
}
