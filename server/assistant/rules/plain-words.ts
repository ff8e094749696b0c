/** Short forms that people type, written out. */
const SHORT_FORMS: readonly [RegExp, string][] = [
  [/\b(what|who|how|where|when|that|it|there)s\b/gi, "$1's"],
  [/\b(does|did|do|is|are|was|were|has|have|had|ca|could|would|should)nt\b/gi, "$1n't"],
  [/\bim\b/gi, "I'm"],
  [/\b(we|you|they)ve\b/gi, "$1've"],
  [/\b(?:tmrw|tmr|tmw|tomo|2moro|2morrow)\b/gi, 'tomorrow'],
  [/\b(?:2day|tday)\b/gi, 'today'],
  [/\b(?:pls|plz|plse)\b/gi, 'please'],
  [/\b(?:thx|thnx)\b/gi, 'thanks'],
  [/\bwat\b/gi, 'what'],
  [/\bappt(s?)\b/gi, 'appointment$1'],
  [/\bfollow ?ups?\b/gi, 'follow-up'],
  [/\b(?:cust|custs)\b/gi, 'customers'],
  [/\badress\b/gi, 'address'],
]

/** Abbreviated days. "Sat" and "sun" are words of their own, so they count after a word that leads to a day only. */
const DAYS: readonly [RegExp, string][] = [
  [/\bmon\b/gi, 'Monday'],
  [/\btues?\b/gi, 'Tuesday'],
  [/\bweds?\b/gi, 'Wednesday'],
  [/\bthu(?:rs?)?\b/gi, 'Thursday'],
  [/\bfri\b/gi, 'Friday'],
  [/\b(on|this|next|last|for|by|until|till|to|due|free) sat\b/gi, '$1 Saturday'],
  [/\b(on|this|next|last|for|by|until|till|to|due|free) sun\b/gi, '$1 Sunday'],
]

/** A sentence with the short forms of typing written out. */
export function plainWords(typed: string): string {
  let text = typed.replaceAll(/[‘’]/g, "'")
  for (const [form, word] of [...SHORT_FORMS, ...DAYS]) text = text.replaceAll(form, word)
  return text
}

/** Words that a rule turns on. A slip in another word changes nothing for the rules. */
const KEY_WORDS =
  `agenda answer answered anything appointment appointments business calendar complete contact contacts
  customer customers draft drafts emails everyone follow friday interested invoice invoices latest meeting meetings message
  messages monday month months morning number numbers outstanding overdue overview phone please remind reminder replied
  replies reply reschedule response saturday schedule scheduled sunday tasks thursday today tomorrow tuesday unpaid unread
  unsubscribed waiting wednesday weeks yesterday`.split(/\s+/)
const KNOWN = new Set(KEY_WORDS)
/** Words that are right, though one letter makes them a key word. */
const OTHER_WORDS = new Set(
  'answers contract contracts draught follows month mouth others please remains together week'.split(' '),
)
const SHORTEST = 5

/** The sentence with key words put right that are one letter off, or null where there are none. */
export function withoutSlips(text: string): string | null {
  const right = text.replaceAll(/\p{L}+/gu, (word) => {
    const lower = word.toLowerCase()
    if (lower.length < SHORTEST || KNOWN.has(lower) || OTHER_WORDS.has(lower)) return word
    const near = KEY_WORDS.filter((key) => key[0] === lower[0] && isNear(lower, key))
    return near.length === 1 ? (near[0] ?? word) : word
  })
  return right === text ? null : right
}

/** True for words of which one becomes the other by one letter more, less or other, or two that change places. */
export function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const [here, there] = [one.slice(at), other.slice(at)]
  return (
    here.slice(1) === there.slice(1) ||
    here === there.slice(1) ||
    here.slice(1) === there ||
    (here[0] === there[1] && here[1] === there[0] && here.slice(2) === there.slice(2))
  )
}
