import type { BriefFields, MailLanguage, Tone } from '#contract/outreach/briefs.ts'
import { findUser, type UserRow } from '../../accounts/auth/auth.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { PHRASES } from './phrases.ts'
import { newestBrief } from './store.ts'

/** How a user's mails sound where Howl adds words of its own: a greeting, a closing, the line about unsubscribing. */
export type Voice = { language: MailLanguage; tone: Tone }

/** Of a user who has said nothing. */
export const USUAL_VOICE: Voice = { language: 'en', tone: 'plain' }

/** The voice of a user: that of the brief in use. */
export async function voiceOf(db: Queryable, userId: number): Promise<Voice> {
  return (await newestBrief(db, userId))?.fields ?? USUAL_VOICE
}

/** Who mails are from. */
export type Sender = { name: string; company: string; role: string }

/** The sender, and how the sender's mails sound. */
export type Writer = Sender & { voice: Voice }

/** The user as the writer of mails. */
export function writerOf(
  user: Pick<UserRow, 'name' | 'company_name' | 'business_name' | 'job_title'>,
  voice: Voice,
): Writer {
  return { name: user.name, company: user.company_name || user.business_name, role: user.job_title, voice }
}

/** The same by the user's id; without words of one who is gone. */
export async function findWriter(db: Queryable, userId: number): Promise<Writer> {
  const [user, voice] = await Promise.all([findUser(db, userId), voiceOf(db, userId)])
  return user === undefined ? { name: '', company: '', role: '', voice } : writerOf(user, voice)
}

/** A mail's text with the line that tells its recipient how to unsubscribe. */
export function withOptOut(text: string, url: string, language: MailLanguage): string {
  return `${text}\n\n--\n${PHRASES[language].optOut} ${url}\n`
}

/** What stands below the text: the closing in the user's language and tone, and the signature. */
export function closingOf(
  from: Sender,
  { language, tone, signature }: Pick<BriefFields, 'language' | 'tone' | 'signature'>,
): string {
  const own = [from.name, [from.role, from.company].filter((part) => part !== '').join(', ')]
  const signed = signature === '' ? own.filter((part) => part !== '').join('\n') : signature
  return `${PHRASES[language].closing[tone]}\n${signed}`
}
