import { matchPath } from 'react-router'
import type { Contact } from '#contract/crm/contacts.ts'
import { paths } from '#web/platform/paths.ts'

const QUESTIONS: readonly (readonly [path: string, questions: readonly string[]])[] = [
  [paths.dashboard, ['What are my numbers?', 'Who has not replied?']],
  [paths.contacts, ['Who has not replied?', 'Who is interested?']],
  [paths.emails, ['Who has not replied?', 'How many emails did I send this week?']],
  [paths.meetings, ['When am I free tomorrow?', 'What is due today?']],
  [paths.invoiceList, ['Which invoices are overdue?']],
  [paths.invoices, ['Which invoices are overdue?']],
  [paths.invoice, ['Which invoices are overdue?']],
]
const USUAL = ['What are my numbers?', 'Who has not replied?', 'What is due today?', 'What can you do?']

type Asked = Pick<Contact, 'name' | 'email' | 'computed_status' | 'last_contact' | 'suppressed'>

/** Questions that one may have on a page; `contact` is whom the page is about. Each can be answered by rules as well. */
export function pageQuestions(pathname: string, contact: Asked | null = null): readonly string[] {
  if (contact !== null) return contactQuestions(contact)
  return QUESTIONS.find(([path]) => matchPath(path, pathname) !== null)?.[1] ?? USUAL
}

function contactQuestions(contact: Asked): readonly string[] {
  const who = contact.name || contact.email
  const { computed_status: status } = contact
  const isStopped = contact.suppressed !== null
  const isSilent = status === 'sent' || status.startsWith('follow_up')
  return [
    ...(contact.last_contact === null ? [] : [`Summarise the conversation with ${who}`]),
    ...(isSilent && !isStopped ? [`Write a follow-up to ${who}`] : []),
    ...(status === 'new' || isStopped ? [`Why was ${who} not mailed?`] : []),
    `Remind me to call ${who} tomorrow`,
  ]
}
