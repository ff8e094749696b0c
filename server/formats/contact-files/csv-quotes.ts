/**
 * Removes the blanks before a quoted cell of CSV text (`a, "b, c", d`): RFC 4180 does not allow them, and the parser
 * would take the quotes for part of the cell. A cell that only begins like a quoted one stays as it is. Linear time:
 * when a closing quote is not found from one cell, later ones do not search past another quote.
 */
export function withoutBlanksBeforeQuotes(text: string, delimiter: string): string {
  // Checked first for every block: most files have no such cell.
  if (!text.includes(' "') && !text.includes('\t"')) return text
  let plain = ''
  let copied = 0
  for (let at = 0; at < text.length;) {
    const quote = behindBlanks(text, at, delimiter)
    const end = text.charAt(quote) === '"' ? endOfQuoted(text, quote, delimiter) : -1
    if (end >= 0 && quote > at) {
      plain += text.slice(copied, at)
      copied = quote
    }
    at = nextCell(text, end < 0 ? at : end, delimiter)
  }
  return plain + text.slice(copied)
}

const isBlank = (char: string, delimiter: string): boolean =>
  (char === ' ' || char === '\t') && char !== delimiter

function behindBlanks(text: string, from: number, delimiter: string): number {
  let at = from
  while (isBlank(text.charAt(at), delimiter)) at += 1
  return at
}

/**
 * The position after the closing quote of the cell opened at `quote`; -1 if more than blanks follow before the cell's
 * end.
 */
function endOfQuoted(text: string, quote: number, delimiter: string): number {
  let close = text.indexOf('"', quote + 1)
  while (close >= 0 && text.charAt(close + 1) === '"') close = text.indexOf('"', close + 2)
  if (close < 0) return -1
  const end = behindBlanks(text, close + 1, delimiter)
  const next = text.charAt(end)
  return next === '' || next === '\n' || next === delimiter ? end : -1
}

/** The beginning of the next cell, when the text is read up to `from`. */
function nextCell(text: string, from: number, delimiter: string): number {
  let at = from
  while (at < text.length && text.charAt(at) !== '\n' && text.charAt(at) !== delimiter) at += 1
  return at + 1
}
