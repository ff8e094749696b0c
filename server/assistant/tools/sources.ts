import type { ContactRow } from '../../crm/contacts/contacts.ts'
import type { Source } from './tool.ts'
import { shownWords } from './shown-words.ts'

export const contactSource = ({ id, name, email }: Pick<ContactRow, 'id' | 'name' | 'email'>): Source => ({
  kind: 'contact',
  id,
  label: shownWords(name || email, 80),
  path: `/contacts/${id}`,
})

export const emailSource = (mail: { id: number; subject: string; folder: string }): Source => ({
  kind: 'email',
  id: mail.id,
  label: shownWords(mail.subject, 80) || '(no subject)',
  path: `/emails?folder=${encodeURIComponent(mail.folder)}&email=${mail.id}`,
})

export const meetingSource = ({ id, title }: { id: number; title: string }): Source => ({
  kind: 'meeting',
  id,
  label: shownWords(title, 80),
  path: `/meetings?open=${id}`,
})

export const taskSource = ({ id, title }: { id: number; title: string }): Source => ({
  kind: 'task',
  id,
  label: shownWords(title, 80),
  path: '/dashboard',
})

export const invoiceSource = (invoice: { id: number; number: string; customer: string }): Source => ({
  kind: 'invoice',
  id: invoice.id,
  label: shownWords(invoice.number || `Draft for ${invoice.customer || 'nobody yet'}`, 80),
  path: `/invoices/${invoice.id}`,
})

export const pageSource = (label: string, path: string): Source => ({ kind: 'page', id: null, label, path })
