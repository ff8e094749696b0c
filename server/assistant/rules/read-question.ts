import type { Figure } from '../tools/read-figures.ts'
import { plainWords, withoutSlips } from './plain-words.ts'
import type { Rule, RuleIntent } from './rule.ts'
import { RULES_OF_LIMITS, RULES_OF_TALK } from './rules-of-talk.ts'
import { RULES_OF_QUESTIONS } from './rules-of-questions.ts'
import { RULES_OF_WISHES } from './rules-of-wishes.ts'
import { READ_MAX, readable } from './said-time.ts'

/** A question as the rules read it: what is wanted, and the words that the patterns have named. */
export type ReadQuestion = { intent: RuleIntent; text: string; named: Readonly<Record<string, string>> }

/** In this order: the first that fits. */
const RULES: readonly Rule[] = [
  ...RULES_OF_TALK,
  ...RULES_OF_LIMITS,
  ...RULES_OF_WISHES,
  ...RULES_OF_QUESTIONS,
]

/** What is wanted; `find` where no rule fits: then the words are looked for. Slips in key words are put right if need be. */
export function readQuestion(question: string): ReadQuestion {
  const text = readForm(question)
  const right = match(text) === null ? withoutSlips(text) : null
  const read = match(text) ?? (right === null ? null : match(right))
  if (read === null) return { intent: 'find', text, named: {} }
  const { body } = read.named
  return body === undefined ? read : { ...read, named: { ...read.named, body: asTyped(question, body) } }
}

/** A question as the patterns read it. */
const readForm = (question: string): string =>
  readable(plainWords(readable(question)))
    .trim()
    .replace(/(?<=[^?!.\s])[?!.\s]+$/, '')

/** The end of a question that was read as these words, as it was typed: its lines, its short forms, and all of its length. */
function asTyped(question: string, words: string): string {
  const said = question.replaceAll(/[‘’]/g, "'")
  // Of a long one only the beginning was read; short forms that are written out have cut it earlier.
  const isLong = said.length > READ_MAX
  for (const { index } of said.slice(0, READ_MAX).matchAll(/(?<![^\s:,])[^\s:,]/g)) {
    const form = readForm(said.slice(index, READ_MAX))
    if (form === words || (isLong && form.startsWith(words))) return question.slice(index).trim()
  }
  return words
}

/** True for what would become a proposal. */
export const isWish = ({ intent }: ReadQuestion) => RULES_OF_WISHES.some(([each]) => each === intent)

function match(text: string): ReadQuestion | null {
  for (const [intent, pattern] of RULES) {
    const found = pattern.exec(text)
    if (found === null) continue
    const named = Object.entries(found.groups ?? {}).filter(
      ([, value]) => value !== undefined && value !== '',
    )
    return { intent, text, named: Object.fromEntries(named.map(([name, value]) => [name, value.trim()])) }
  }
  return null
}

const FIGURE_WORDS: readonly [Figure, RegExp][] = [
  ['replies', /\brepl|\bresponse|\banswer/i],
  ['unread', /\bunread\b/i],
  ['drafts', /\bdrafts?\b/i],
  ['scheduled', /\bscheduled\b/i],
  ['invoices', /\binvoice|\bowed?\b|\bowes\b|\boutstanding\b|\bunpaid\b|\bmoney\b|\boverdue amount/i],
  ['meetings', /\bmeeting|\bappointment|\bcalls?\b/i],
  ['tasks', /\btasks?\b|\bto-?dos?\b/i],
  ['sent', /\bsent\b|\be?-?mails?\b|\bsend\b|\bmails?\b|\bmailed\b/i],
  ['contacts', /\bcontacts?\b|\bcustomers?\b|\bpeople\b|\bleads?\b|\bclients?\b/i],
]

/** Which figure a question counts. */
export function figureIn(text: string): Figure | null {
  return FIGURE_WORDS.find(([, words]) => words.test(text))?.[0] ?? null
}
