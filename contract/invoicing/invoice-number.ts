import type { InvoiceKind } from './invoice-kinds.ts'

/** The pattern of each kind's numbers until a user chooses another; each has a series of its own. */
export const NUMBER_PATTERNS: Record<InvoiceKind, string> = {
  invoice: 'INV-{year}-{0001}',
  credit_note: 'CN-{year}-{0001}',
  quote: 'QUO-{year}-{0001}',
}

const NUMBER_MAX = 60
/** The counter of a pattern has at most this many digits with its leading zeros. */
const WIDTH_MAX = 9
/** The highest number of a series. */
export const COUNT_MAX = 999_999_999

const PART = /\{([^{}]*)\}/g
const COUNTER = new RegExp(`^0{0,${WIDTH_MAX - 1}}1$`)

/**
 * What is wrong with a pattern, as a sentence for its field; null if nothing is. `{year}` and `{month}` are those of the
 * issue date, `{0001}` counts from 1 with leading zeros.
 */
export function patternFault(pattern: string): string | null {
  const parts = [...pattern.matchAll(PART)].map(([, name = '']) => name)
  const counters = parts.filter((name) => COUNTER.test(name))
  const others = parts.filter((name) => !COUNTER.test(name))
  if (/[{}]/.test(pattern.replaceAll(PART, ''))) return 'Please close each brace, as in {year}'
  const unknown = others.find((name) => name !== 'year' && name !== 'month')
  if (unknown !== undefined) return `{${unknown}} is not known. Use {year}, {month} and {0001}`
  if (counters.length !== 1) return 'Please put the counter in once, as {0001}'
  if (others.includes('month') && !others.includes('year')) return 'Please put {year} in beside {month}'
  if (formatNumber(pattern, '2026-01-01', COUNT_MAX).length > NUMBER_MAX)
    return `Please keep numbers under ${NUMBER_MAX} characters`
  return null
}

/** The time in which numbers of a pattern count on before they begin at 1 again: '2026', '2026-03', or '' for ever. */
export function periodOf(pattern: string, issueDate: string): string {
  if (pattern.includes('{month}')) return issueDate.slice(0, 7)
  return pattern.includes('{year}') ? issueDate.slice(0, 4) : ''
}

/** The number of a document with this issue date, `count` in its series. */
export function formatNumber(pattern: string, issueDate: string, count: number): string {
  return pattern.replaceAll(PART, (_, name: string) => {
    if (name === 'year') return issueDate.slice(0, 4)
    return name === 'month' ? issueDate.slice(5, 7) : String(count).padStart(name.length, '0')
  })
}

/** True if a number could be one of this pattern's series, of whatever period. */
export function isOfPattern(pattern: string, number: string): boolean {
  const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  const source = pattern
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      if (!part.startsWith('{')) return literal(part)
      if (part === '{year}') return String.raw`\d{4}`
      return part === '{month}' ? String.raw`\d{2}` : String.raw`\d+`
    })
    .join('')
  return new RegExp(`^${source}$`, 'u').test(number)
}
