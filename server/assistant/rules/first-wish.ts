import { isWish, readQuestion } from './read-question.ts'

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
