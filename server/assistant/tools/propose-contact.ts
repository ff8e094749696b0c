import * as z from 'zod/mini'
import { CONTACT_STATUSES } from '#contract/crm/contacts.ts'
import { emailAddress, id, line, requiredLine, text } from '#contract/platform/values.ts'
import { addContact, contactByAddress, getContact, updateContact } from '../../crm/contacts/contacts.ts'
import { suppressContacts } from '../../mail/emails/emails.ts'
import { conflict, invalidInput } from '../../platform/errors.ts'
import { inOneTransaction } from './in-one-transaction.ts'
import { shownWords } from './shown-words.ts'
import { contactWords, sameContact, whyUnmailable } from './stored-contact.ts'
import { type Asking, proposingTool } from './tool.ts'

const name = requiredLine(200, "Please enter the contact's name")
const short = z.optional(line(200))
const notes = z.optional(text(20_000))

const FIELDS = ['name', 'email', 'company', 'position', 'phone', 'status', 'notes'] as const
type Field = (typeof FIELDS)[number]
const LABELS: Record<Field, string> = {
  name: 'Name',
  email: 'Email',
  company: 'Company',
  position: 'Position',
  phone: 'Phone',
  status: 'Status',
  notes: 'Notes',
}
type Added = { name: string; email: string; company: string; position: string; phone: string; notes: string }
type Changed = {
  contact_id: number
  name: string
  before: Partial<Record<Field, string>>
  after: Partial<Record<Field, string>>
}
type Stopped = { contact_id: number; name: string; address: string }

export const addContactTool = proposingTool({
  name: 'add_contact',
  topics: ['contacts'],
  summary: 'Add a contact, with an address that the user has given',
  input: z.object({
    name,
    email: emailAddress,
    company: short,
    position: short,
    phone: z.optional(line(60)),
    notes,
  }),
  editable: ['name', 'email', 'company', 'position', 'phone', 'notes'],
  async prepare({ context, user }: Asking, input): Promise<Added> {
    if ((await contactByAddress(context.db, user.id, input.email.toLowerCase())) !== undefined)
      throw conflict('A contact with this email already exists.')
    const { company = '', position = '', phone = '', notes: written = '' } = input
    return { name: input.name, email: input.email, company, position, phone, notes: written }
  },
  summarise: (content: Added) => `Add the contact ${shownWords(content.name, 80)}`,
  lines: (content: Added) =>
    FIELDS.flatMap((field) => {
      const value = field === 'status' ? '' : content[field]
      return value === '' ? [] : [{ label: LABELS[field], text: value }]
    }),
  async perform(asking, content, settlement) {
    await inOneTransaction(asking, settlement, async ({ context, user }) => {
      const contact = await addContact(context, user.id, { ...content, status: 'prospect' })
      return { label: contact.name, path: `/contacts/${contact.id}` }
    })
  },
})

export const changeContactTool = proposingTool({
  name: 'change_contact',
  topics: ['contacts'],
  summary: 'Change fields of a contact',
  input: z.object({
    contact_id: id,
    name: z.optional(name),
    email: z.optional(emailAddress),
    company: short,
    position: short,
    phone: z.optional(line(60)),
    status: z.optional(z.enum(CONTACT_STATUSES)),
    notes,
  }),
  editable: [...FIELDS],
  async prepare({ context, user }: Asking, input): Promise<Changed> {
    const contact = await getContact(context, user.id, input.contact_id)
    const changed = FIELDS.filter((field) => input[field] !== undefined && input[field] !== contact[field])
    if (changed.length === 0) throw invalidInput('Nothing would change: the contact says so already.')
    return {
      contact_id: contact.id,
      name: contactWords(contact),
      before: Object.fromEntries(changed.map((field) => [field, contact[field]])),
      after: Object.fromEntries(changed.map((field) => [field, input[field] ?? ''])),
    }
  },
  summarise: (content: Changed) => `Change the contact ${content.name}`,
  lines: ({ name: of, before, after }: Changed) => [
    { label: 'Contact', text: of },
    ...FIELDS.flatMap((field) => {
      const value = after[field]
      if (value === undefined) return []
      const was = before[field] ? [{ label: `${LABELS[field]} until now`, text: before[field] }] : []
      return [...was, { label: LABELS[field], text: value === '' ? '(nothing)' : value }]
    }),
  ],
  async perform(asking, content, settlement) {
    await inOneTransaction(asking, settlement, async ({ context, user }) => {
      const contact = await getContact(context, user.id, content.contact_id)
      if (
        FIELDS.some(
          (field) => content.before[field] !== undefined && content.before[field] !== contact[field],
        )
      )
        throw conflict('This contact has been changed since. Please ask again.')
      await updateContact(
        context,
        user.id,
        content.contact_id,
        content.after as Parameters<typeof updateContact>[3],
      )
      return { label: content.name, path: `/contacts/${content.contact_id}` }
    })
  },
})

export const stopMailingTool = proposingTool({
  name: 'stop_mailing',
  topics: ['contacts', 'mail'],
  summary: 'Stop all mail to a contact',
  input: z.object({ contact_id: id }),
  editable: [],
  async prepare({ context, user }: Asking, input): Promise<Stopped> {
    const contact = await getContact(context, user.id, input.contact_id)
    const suppressed = whyUnmailable(contact)
    if (suppressed !== null)
      throw invalidInput(`${shownWords(contact.name || contact.email)} gets no mail already (${suppressed}).`)
    return {
      contact_id: contact.id,
      name: shownWords(contact.name || contact.email, 80),
      address: contact.email,
    }
  },
  summarise: (content: Stopped) => `Stop all mail to ${content.name}`,
  lines: (content: Stopped) => [
    { label: 'Contact', text: content.name },
    { label: 'Email', text: content.address },
    {
      label: 'What happens',
      text: 'No more mail goes to this address: no outreach, no follow-ups, no answers.',
    },
  ],
  async perform(asking, content, settlement) {
    await inOneTransaction(asking, settlement, async (within) => {
      await sameContact(within, content.contact_id, content.address)
      await suppressContacts(within.context, within.user, { ids: [content.contact_id] })
      return { label: content.name, path: `/contacts/${content.contact_id}` }
    })
  },
})
