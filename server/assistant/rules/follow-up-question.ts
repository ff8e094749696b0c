import { isWish, readQuestion } from './read-question.ts'
import { plainWords } from './plain-words.ts'
import { unknownWords } from './unknown-words.ts'

const LEADS = /^(?:ok |okay |so )?(?:and|what about|how about|and what about|and how about)\s+(?<rest>\S.*)$/i
const PREPOSITION = /^(?:with|from|for|in|on|of|to|about)\s+/i
const FIELD =
  /^(?:his|her|their|the|whats? (?:his|her|their))\s+(?<field>phone(?: number)?|number|e-?mail(?: address)?|address|company|position|job)$/i
const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const PERIOD = new RegExp(
  String.raw`\b(?:(?:on |by )?(?:this|next|last) (?:week|month|year|weekend|${DAY})|today|tomorrow|yesterday|(?:on )?${DAY}|(?:in )?${MONTH})\b`,
  'i',
)
/** Words of a follow-up question; more of them make a question of its own. */
const WORDS_MAX = 5

/** A question written out that leans on the one before ("and last month?"), or as it is where it does not. */
export function writtenOut(typed: string, before: string): string {
  const plain = plainWords(typed.slice(0, 200))
    .trim()
    .replace(/[?!.\s]+$/, '')
  const rest = LEADS.exec(plain)?.groups?.['rest']
  if (rest === undefined || before === '' || rest.split(/\s+/).length > WORDS_MAX) return typed
  const earlier = readQuestion(before)
  const about = unknownWords(earlier.text).map((word) => word.replace(/'s$/i, ''))
  const field = FIELD.exec(rest)?.groups?.['field']
  if (field !== undefined) return earlier.intent === 'find_contact' ? `${about.join(' ')}'s ${field}` : typed
  const period = PERIOD.exec(rest)
  if (period?.[0].length === rest.length)
    return PERIOD.test(earlier.text) ? earlier.text.replace(PERIOD, rest) : `${earlier.text} ${rest}`
  const who = rest.replace(PREPOSITION, '')
  const named = unknownWords(who)
  const [first] = about
  if (first === undefined || named.length !== who.split(/\s+/).length) return typed
  return earlier.text.includes(about.join(' ')) ? earlier.text.replace(about.join(' '), who) : typed
}

/** The same over all questions of a conversation, oldest first: one may lean on one that leaned on another. */
export const inConversation = (earlier: readonly string[], typed: string): string =>
  writtenOut(
    typed,
    earlier.reduce((before, question) => writtenOut(question, before), ''),
  )

const WISHING =
  'add|answer|arrange|bill|book|chase|create|draft|e-?mail|invoice|mail|make|mark|move|remind|reply|reschedule|schedule|send|tell|tick|write'
const BREAK = new RegExp(
  String.raw`(?:\s*[,;.]\s*|\s+)(?:and then|then|and also|also|and|plus)\s+(?:please\s+)?(?=(?:${WISHING})\b(?!\s+(?:him|her|them|me if)\b))`,
  'i',
)

/** The first of several wishes, and the rest of the sentence; the whole and '' where there is one. */
export function firstWish(typed: string): { first: string; rest: string } {
  const whole = { first: typed, rest: '' }
  const at = BREAK.exec(typed.slice(0, 500))
  if (at === null) return whole
  const [first, rest] = [typed.slice(0, at.index).trim(), typed.slice(at.index + at[0].length).trim()]
  const [one, other] = [readQuestion(first), readQuestion(rest)]
  // What is to be written down may hold "and": it is one text.
  if (!isWish(one) || !isWish(other) || one.named['body'] !== undefined || /[“"]/.test(first)) return whole
  return { first, rest }
}
