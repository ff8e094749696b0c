import type { MailLanguage, Tone } from '#contract/outreach/briefs.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { newestBrief } from './store.ts'

/** How a user's mails sound where Howl adds words of its own: a greeting, a closing, the line about unsubscribing. */
export type Voice = { language: MailLanguage; tone: Tone }

/** Of a user who has said nothing. */
export const USUAL_VOICE: Voice = { language: 'en', tone: 'plain' }

/** The voice of a user: that of the brief in use. */
export async function voiceOf(db: Queryable, userId: number): Promise<Voice> {
  return (await newestBrief(db, userId))?.fields ?? USUAL_VOICE
}
