import type { FieldValues } from '#contract/outreach/template-text/fields.ts'
import { PHRASES, type Voice } from '../briefs/briefs.ts'
import { firstName } from '../../formats/mail-text/first-name.ts'

/** What a template may say of its reader. Notes are the user's own and are not among it. */
export type Reader = { name: string; email: string; company: string; position: string }

/** What a template may say of its writer. */
export type TemplateWriter = { name: string; company: string; role: string; voice: Voice }

/** What each field says for a reader. A greeting has a first name only where one is certain. */
export function fieldValues(to: Reader, from: TemplateWriter): FieldValues {
  const first = firstName(to)
  const { language, tone } = from.voice
  return {
    // The comma is the template's.
    greeting: PHRASES[language].greeting[tone](first).replace(/,$/, ''),
    first_name: first,
    // An address book that knows no name often has the address in its place.
    name: to.name.includes('@') ? '' : to.name,
    company: to.company,
    position: to.position,
    email: to.email,
    my_name: from.name,
    my_company: from.company,
    my_role: from.role,
  }
}
