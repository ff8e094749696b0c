import * as z from 'zod/mini'
import { COMPUTED_STATUSES, CONTACT_STATUSES } from '#contract/crm/contacts.ts'
import { id, line } from '#contract/platform/values.ts'
import {
  type ContactRow,
  contactsThatAreSilent,
  countMailed,
  getContact,
  pageOfContacts,
} from '../../crm/contacts/contacts.ts'
import { contactSource } from './sources.ts'
import { dayOf, dayWords, shownText, shownWords } from './shown-words.ts'
import { type Asking, type Fact, type Found, readingTool, ROWS_MAX, ROWS_USUAL } from './tool.ts'
import { whyUnmailable } from './stored-contact.ts'

const NOTES_SHOWN = 600

const STATUS_WORDS: Record<string, string> = {
  new: 'not mailed yet',
  sent: 'mailed, no reply yet',
  replied: 'has replied',
  interested: 'is interested',
  meeting_scheduled: 'has a meeting',
  follow_up_1: 'one follow-up sent, no reply yet',
  follow_up_2: 'two follow-ups sent, no reply yet',
  follow_up_3: 'three follow-ups sent, no reply yet',
}

export const findContacts = readingTool({
  name: 'find_contacts',
  topics: ['contacts', 'mail', 'calendar', 'invoices'],
  summary: 'Contacts by words of name, address, company or notes, and by status; gives their ids',
  input: z.object({
    search: z.optional(line(200)),
    status: z.optional(z.enum([...CONTACT_STATUSES, ...COMPUTED_STATUSES])),
    limit: z.optional(z.number().check(z.int(), z.gte(1), z.lte(ROWS_MAX))),
  }),
  run: async (asking, { search, status, limit }) =>
    contactFacts(asking, { search: search ?? '', status: status ?? 'all', limit: limit ?? ROWS_USUAL }),
})

export const readContact = readingTool({
  name: 'read_contact',
  topics: ['contacts'],
  summary: 'All that is stored about one contact, with the notes',
  input: z.object({ contact_id: id }),
  run: async (asking, { contact_id }) => {
    const contact = await getContact(asking.context, asking.user.id, contact_id)
    const notes = shownText(contact.notes, NOTES_SHOWN)
    return {
      facts: [
        contactFact(asking, contact),
        ...(notes === '' ? [] : [{ text: `Your notes: ${notes}`, source: contactSource(contact) }]),
      ],
      total: 1,
    }
  },
})

export const listSilentContacts = readingTool({
  name: 'list_silent_contacts',
  topics: ['contacts', 'mail'],
  summary: 'Contacts that were mailed and have not replied, those who have waited longest first',
  input: z.object({ limit: z.optional(z.number().check(z.int(), z.gte(1), z.lte(ROWS_MAX))) }),
  run: async (asking, { limit }) => silentContacts(asking, limit ?? ROWS_USUAL),
})

type Status = NonNullable<Parameters<typeof pageOfContacts>[2]['status']>

/** A page of contacts as facts. */
export async function contactFacts(
  asking: Asking,
  asked: {
    search: string
    status: Status
    limit: number
    sort?: 'newest' | 'last_contact' | '-last_contact'
  },
): Promise<Found> {
  const { rows, total } = await pageOfContacts(asking.context, asking.user, {
    search: asked.search,
    status: asked.status,
    sort: asked.sort ?? 'newest',
    page: 1,
    page_size: asked.limit,
    total: asked.search === '' ? 'exact' : 'rough',
  })
  return { facts: rows.map((row) => contactFact(asking, row)), total }
}

/** Those who were mailed and are silent, the longest first: first mails and follow-ups together. */
export async function silentContacts(asking: Asking, limit: number): Promise<Found> {
  const { db, clock } = asking.context
  const [rows, { mailed, replied }] = await Promise.all([
    contactsThatAreSilent(db, asking.user.id, limit, clock.now()),
    countMailed(db, asking.user.id),
  ])
  return {
    facts: rows.map((row) => contactFact(asking, row)),
    total: Math.max(rows.length, mailed - replied),
  }
}

export function contactFact({ context, user }: Asking, contact: ContactRow): Fact {
  const { last_contact: last } = contact
  const unmailable = whyUnmailable(contact)
  const parts = [
    `**${shownWords(contact.name || contact.email)}**`,
    shownWords(contact.email),
    shownWords([contact.position, contact.company].filter(Boolean).join(' at ')),
    shownWords(contact.phone),
    unmailable === null
      ? (STATUS_WORDS[contact.computed_status] ?? contact.computed_status)
      : `gets no mail (${unmailable})`,
    contact.suppressed === 'declined' ? 'said no' : '',
    last === null
      ? ''
      : `last contact ${dayWords(dayOf(last, user.timeZone), context.clock.now(), user.timeZone)}`,
  ]
  return { text: parts.filter((part) => part !== '').join(', '), source: contactSource(contact) }
}
