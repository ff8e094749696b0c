import { Temporal } from 'temporal-polyfill'
import { PHRASES, type Voice } from '../briefs/briefs.ts'
import { FOLLOW_UP_PHRASES } from './follow-up-phrases.ts'

/** What a follow-up is written from. */
export type FollowUpFacts = {
  /** First name of the recipient; may be empty. */
  name: string
  /** What stands below the text: the closing and who writes. */
  closing: string
  voice: Voice
  /** The mail that was not answered. */
  subject: string
  /** When it left, and where the user is. */
  sentAt: Date
  zone: string
  /** Which one it is: 1 to 3. */
  number: number
}

/** A follow-up when no language model wrote one: each has its own words, and is shorter than the one before. */
export function followUpText({ name, closing, voice, subject, sentAt, zone, number }: FollowUpFacts): string {
  const { language, tone } = voice
  const say = FOLLOW_UP_PHRASES[language]
  const day = dayIn(say.locale, sentAt, zone)
  const body = number === 1 ? say.first({ subject, day }) : number === 2 ? say.second : say.third
  return [PHRASES[language].greeting[tone](name), body, closing].join('\n\n')
}

/** "3 November". */
function dayIn(locale: string, at: Date, timeZone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  return day.toLocaleString(locale, { day: 'numeric', month: 'long' })
}
