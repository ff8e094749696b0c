import type { Intent } from '#contract/mail/email.ts'
import type {
  SequenceCondition,
  SequenceStart,
  SequenceStep,
  StepTarget,
} from '#contract/outreach/sequences.ts'
import { hoursOfDay } from '#web/platform/dates/hours-of-day.ts'
import { statusWord } from '#web/platform/ui/StatusBadge.tsx'
import { counted } from '../runs/run-text.ts'
import { placeOf } from './edit-steps.ts'

/** What a reply can want, as it is chosen and told. */
export const INTENT_WORDS: Record<Intent, string> = {
  interested: 'they are interested',
  not_interested: 'they are not interested',
  meeting_request: 'they ask for a meeting',
  question: 'they ask something',
  out_of_office: 'they are away',
  unsubscribe: 'they want no more mail',
  other: 'something else',
}

const UNIT_WORDS = { hours: 'hour', days: 'day', working_days: 'working day' } as const

/** What a step does, in a few words. `templateName` is that of its template, if it has one. */
export function stepText(step: SequenceStep, templateName?: string): string {
  if (step.kind === 'mail') {
    if (step.template_id !== null) return `Email: ${templateName ?? 'a template'}`
    return step.subject === ''
      ? step.same_conversation && step.body !== ''
        ? `Email: ${firstWords(step.body)}`
        : 'Email'
      : `Email: ${readable(step.subject)}`
  }
  if (step.kind === 'wait')
    return Number.isFinite(step.amount) ? `Wait ${counted(step.amount, UNIT_WORDS[step.unit])}` : 'Wait'
  if (step.kind === 'task') return step.title === '' ? 'Task for you' : `Task: ${readable(step.title)}`
  if (step.kind === 'tag') {
    const tag = step.tag === '' ? 'a tag' : `the tag “${step.tag}”`
    return step.act === 'add' ? `Add ${tag}` : `Remove ${tag}`
  }
  return `If ${conditionText(step.if)}`
}

/** What a condition asks, without its "if". */
export function conditionText(condition: SequenceCondition): string {
  if (condition.about === 'replied') return 'they have replied'
  if (condition.about === 'intent') return `their last reply says: ${INTENT_WORDS[condition.intent]}`
  if (condition.about === 'status') return `their status is ${statusWord(condition.status)}`
  return condition.tag === '' ? 'they have a tag' : `they have the tag “${condition.tag}”`
}

/** Where a condition leads, in words. */
export function targetText(steps: readonly SequenceStep[], at: number, target: StepTarget): string {
  const place = placeOf(steps, at, target)
  if (place >= steps.length) return 'it ends here'
  return `go on with step ${place + 1}`
}

/** What puts a contact into a sequence, in words. */
export function startText(start: SequenceStart): string {
  if (start.on === 'contact') return 'A new contact is added'
  if (start.on === 'tag')
    return start.tag === '' ? 'A contact gets a tag' : `A contact gets the tag “${start.tag}”`
  if (start.on === 'status') return `A contact’s status becomes ${statusWord(start.status)}`
  return `Somebody replies, and ${INTENT_WORDS[start.intent]}`
}

const DAY_WORDS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
/** The days of the week, 1 Monday to 7 Sunday. */
export const WEEK_DAYS = DAY_WORDS.map((name, index) => ({ day: index + 1, name, short: name.slice(0, 2) }))

type HoursToSay = { days: readonly number[]; from_hour: number; until_hour: number; zone?: 'user' | 'reader' }

/** "Monday to Friday, 09:00 to 17:00"; with "of the next day" where it is, and whether that is the reader's time. */
export function hoursText(hours: HoursToSay): string {
  const days = hours.days.toSorted((one, other) => one - other)
  const named = days.map((day) => DAY_WORDS[day - 1] ?? '')
  const isRow =
    days.length > 2 && days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) + 1)
  const when =
    days.length === 7
      ? 'Every day'
      : isRow
        ? `${named[0] ?? ''} to ${named.at(-1) ?? ''}`
        : new Intl.ListFormat('en').format(named)
  const whose = hours.zone === 'reader' ? ' where the reader is' : ''
  return `${when}, ${hoursOfDay(hours.from_hour, hours.until_hour)}${whose}`
}

/** What stops a sequence for a contact, in words. */
export function stopsText(stops: { reply: boolean; meeting: boolean; payment: boolean }): string {
  const chosen = [
    ...(stops.reply ? ['a reply'] : []),
    ...(stops.meeting ? ['a planned meeting'] : []),
    ...(stops.payment ? ['a paid invoice'] : []),
    'a bounce',
    'unsubscribing',
  ]
  const text = new Intl.ListFormat('en', { type: 'disjunction' }).format(chosen)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const LONGEST = 60

/** A template's text in a heading: fields stand there by their names. */
function readable(text: string): string {
  const said = text
    .replaceAll(/\{%[^%]{0,300}%\}/g, '')
    .replaceAll(/\{\{\s*(\w{1,40})[^}]{0,300}\}\}/g, (_, name: string) => `(${name.replaceAll('_', ' ')})`)
    .trim()
  return said.length > LONGEST ? `${said.slice(0, LONGEST - 1).trimEnd()}…` : said
}

/** The beginning of a text, without its greeting. */
function firstWords(body: string): string {
  const text = body.slice(0, 1000).replace(/^\s*\{\{\s*greeting\s*\}\},?\s*/, '')
  return readable(text.replaceAll(/\s+/g, ' '))
}
