import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { instant, line, requiredText, text } from '../platform/values.ts'

/** Longest entries of a brief, in characters. */
export const BRIEF_MAX = {
  offer: 500,
  audience: 200,
  benefit: 500,
  proof: 400,
  ask: 200,
  signature: 500,
} as const

/** Versions that are kept, and those of them that a list shows. */
export const BRIEF_VERSIONS_KEPT = 100
export const BRIEF_VERSIONS_LISTED = 10

export const TONES = ['friendly', 'plain', 'formal'] as const
export type Tone = (typeof TONES)[number]

/** The languages that the template knows, with their own names. */
export const MAIL_LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
  { code: 'fr', name: 'Français' },
  { code: 'es', name: 'Español' },
  { code: 'it', name: 'Italiano' },
  { code: 'nl', name: 'Nederlands' },
] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]['code']
const codes = MAIL_LANGUAGES.map(({ code }) => code) as [MailLanguage, ...MailLanguage[]]

// A mail says what is written here, word for word: a gap would stay one.
export const withoutGaps = z.refine<string>(
  (words) => !/\{\{|\}\}/.test(words),
  'Please write the words themselves: {{ }} is not filled in here',
)

/** What a user writes about, as it is saved. */
export const briefFields = z.object({
  /** What the user offers, in whole sentences. */
  offer: requiredText(BRIEF_MAX.offer, 'Please say what you offer').check(withoutGaps),
  /** Whom it is for: words that go on after "It is for". */
  audience: line(BRIEF_MAX.audience).check(withoutGaps),
  /** What the reader gets. */
  benefit: text(BRIEF_MAX.benefit).check(withoutGaps),
  /** Why the reader may believe it. */
  proof: text(BRIEF_MAX.proof).check(withoutGaps),
  /** The question that the mail ends with. */
  ask: line(BRIEF_MAX.ask).check(withoutGaps),
  tone: z.enum(TONES),
  language: z.enum(codes),
  /** Put below every mail as it is; without one the name, role and company of the profile. */
  signature: text(BRIEF_MAX.signature).check(withoutGaps),
})
export type BriefFields = z.infer<typeof briefFields>

export const brief = z.object({ ...briefFields.shape, version: z.number(), made_at: instant })
export type Brief = z.infer<typeof brief>

/** What the user's first mails are about. Saving makes a new version; earlier ones are kept. */
export const briefs = {
  get: endpoint({
    method: 'GET',
    path: '/brief',
    summary: 'What the user’s first mails are about, or null',
    reply: z.nullable(brief),
  }),
  versions: endpoint({
    method: 'GET',
    path: '/brief/versions',
    summary: 'The newest versions of it, the one in use first',
    reply: z.array(brief),
  }),
  save: endpoint({
    method: 'PUT',
    path: '/brief',
    summary: 'Say what first mails are about; makes a new version where something is different',
    body: briefFields,
    reply: brief,
  }),
}
