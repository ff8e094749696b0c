import { type ContactRow, getContact } from '../../crm/contacts/contacts.ts'
import { stopsMail } from '../../mail/emails/emails.ts'
import { conflict, invalidInput, Refusal } from '../../platform/errors.ts'
import type { Asking } from './tool.ts'
import { shownWords } from './shown-words.ts'

/** "Ann Lee (ann@acme.example)": two contacts may have one name. */
export function contactWords({ name, email }: Pick<ContactRow, 'name' | 'email'>): string {
  const known = shownWords(name, 80)
  if (known === '' || known === email) return shownWords(email, 254)
  return email === '' ? known : `${known} (${shownWords(email, 254)})`
}

/** Why not even the user's own email reaches a contact; null: it does. */
export const whyUnmailable = ({ suppressed }: Pick<ContactRow, 'suppressed'>): ContactRow['suppressed'] =>
  suppressed !== null && stopsMail(suppressed, 'compose') ? suppressed : null

/** A contact whom mail may be sent to. @throws Refusal 404; 400 for one who gets no more mail */
export async function mailableContact(asking: Asking, contactId: number): Promise<ContactRow> {
  const contact = await getContact(asking.context, asking.user.id, contactId)
  const suppressed = whyUnmailable(contact)
  if (suppressed === null) return contact
  const why: Record<string, string> = {
    unsubscribed: 'has unsubscribed',
    bounced: 'has an address that mail does not reach',
    complaint: 'has reported your mail as spam',
    manual: 'gets no mail: you stopped it',
  }
  throw invalidInput(
    `${shownWords(contact.name || contact.email)} ${why[suppressed] ?? 'gets no more mail'}. Nothing can be sent to this address.`,
  )
}

/** @throws Refusal 409 when the contact is gone or has another address than the one that was shown */
export async function sameContact(asking: Asking, contactId: number, address: string): Promise<ContactRow> {
  const contact = await getContact(asking.context, asking.user.id, contactId).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 404)
      throw conflict('This contact has been deleted or merged since. Please ask again.')
    throw error
  })
  if (contact.email === address) return contact
  throw conflict(
    `The address of ${shownWords(contact.name || contact.email)} has changed since. Please ask again.`,
  )
}
