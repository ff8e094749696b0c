/**
 * Text of a CSV file with the blanks off that stand before a quoted cell (`a, "b, c", d`): RFC 4180 knows none there, and
 * the parser would take the quotes for part of the cell. A cell that only begins like a quoted one stays as it is.
 * Linear in its length: an end that was not found from one cell is not looked for past another quote.
 */
export function withoutBlanksBeforeQuotes(text: string, delimiter: string): string {
  // Asked first of every block of a file: most have no such cell.
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

/** Behind the closing quote of the cell that opens at `quote`; -1 where more than blanks stand between it and the cell's end. */
function endOfQuoted(text: string, quote: number, delimiter: string): number {
  let close = text.indexOf('"', quote + 1)
  while (close >= 0 && text.charAt(close + 1) === '"') close = text.indexOf('"', close + 2)
  if (close < 0) return -1
  const end = behindBlanks(text, close + 1, delimiter)
  const next = text.charAt(end)
  return next === '' || next === '\n' || next === delimiter ? end : -1
}

/** The beginning of the cell behind the one that is read up to `from`. */
function nextCell(text: string, from: number, delimiter: string): number {
  let at = from
  while (at < text.length && text.charAt(at) !== '\n' && text.charAt(at) !== delimiter) at += 1
  return at + 1
}
