import type { Contact } from '#contract/crm/contacts.ts'
import type { ContactRow } from './store.ts'

export function presentContact(row: ContactRow): Contact {
  const { user_id: _, email_key: __, updated_at: ___, ...contact } = row
  return {
    ...contact,
    last_contact: row.last_contact?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
