import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { templates } from '#contract/outreach/templates.ts'
import { getContact, pageOfContacts } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { fieldValues, type TemplateWriter } from './field-values.ts'

/** Stands for a contact where there is none yet. */
const SOMEBODY = { name: 'Ana Ruiz', email: 'ana@ruiz.example', company: 'Ruiz & Sons', position: 'Owner' }

/** What each field says for a contact, by default the newest one. @throws Refusal 404 */
export async function valuesFor(
  context: Context,
  user: { id: number; timeZone: string },
  contactId: number | undefined,
  writer: TemplateWriter,
): Promise<ReplyOf<typeof templates.values>> {
  const contact =
    contactId === undefined
      ? (await pageOfContacts(context, user, { page: 1, page_size: 1, total: 'rough' })).rows[0]
      : await getContact(context, user.id, contactId)
  if (contact === undefined) return { contact: null, values: fieldValues(SOMEBODY, writer) }
  const { id, name, email } = contact
  return { contact: { id, name, email }, values: fieldValues(contact, writer) }
}
