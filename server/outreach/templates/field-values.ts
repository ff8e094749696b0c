import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { FieldValues } from '#contract/outreach/template-text/fields.ts'
import type { templates } from '#contract/outreach/templates.ts'
import { PHRASES, type Writer } from '../briefs/briefs.ts'
import { getContact, pageOfContacts } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { firstName } from '../../formats/mail-text/first-name.ts'

/** What a template may say of its reader. Notes are the user's own and are not among it. */
export type Reader = { name: string; email: string; company: string; position: string }

/** What each field says for a reader. A greeting has a first name only where one is certain. */
export function fieldValues(to: Reader, from: Writer): FieldValues {
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

/** Stands for a contact where there is none yet. */
const SOMEBODY = { name: 'Ana Ruiz', email: 'ana@ruiz.example', company: 'Ruiz & Sons', position: 'Owner' }

/** What each field says for a contact, by default the newest one. @throws Refusal 404 */
export async function valuesFor(
  context: Context,
  user: { id: number; timeZone: string },
  contactId: number | undefined,
  writer: Writer,
): Promise<ReplyOf<typeof templates.values>> {
  const contact =
    contactId === undefined
      ? (await pageOfContacts(context, user, { page: 1, page_size: 1, total: 'rough' })).rows[0]
      : await getContact(context, user.id, contactId)
  if (contact === undefined) return { contact: null, values: fieldValues(SOMEBODY, writer) }
  const { id, name, email } = contact
  return { contact: { id, name, email }, values: fieldValues(contact, writer) }
}
