import * as z from 'zod/mini'
import { money } from '#contract/invoicing/money.ts'
import { countContacts, countMailed } from '../../crm/contacts/contacts.ts'
import { readToday } from '../../overview/dashboard/dashboard.ts'
import { countEmails } from '../../mail/emails/emails.ts'
import { todayOf, totalsOf } from '../../invoicing/invoices/invoices.ts'
import { pageOfMeetings } from '../../crm/meetings/meetings.ts'
import { listTodos } from '../../crm/todos/todos.ts'
import { pageSource } from './sources.ts'
import { countWords } from './shown-words.ts'
import { type Asking, type Fact, type Found, readingTool } from './tool.ts'

export const FIGURES = [
  'contacts',
  'sent',
  'replies',
  'unread',
  'drafts',
  'scheduled',
  'meetings',
  'tasks',
  'invoices',
] as const
export type Figure = (typeof FIGURES)[number]

/** The headline numbers of the business, from counters that are kept: it costs the same however much mail there is. */
export const readFigures = readingTool({
  name: 'read_figures',
  topics: ['figures'],
  summary:
    'How many contacts, mails (sent, unread, drafts, scheduled), replies, upcoming meetings, pending tasks and open invoices there are',
  input: z.object({ only: z.optional(z.array(z.enum(FIGURES)).check(z.maxLength(FIGURES.length))) }),
  run: async (asking, { only }) => figuresOf(asking, only ?? FIGURES),
})

/** The figures that are asked for, in the usual order. */
export async function figuresOf(asking: Asking, wanted: readonly Figure[]): Promise<Found> {
  const facts = (
    await Promise.all(FIGURES.filter((each) => wanted.includes(each)).map((each) => FACTS[each](asking)))
  ).flat()
  return { facts, total: facts.length }
}

const mails = ({ context, user }: Asking) => countEmails(context.db, user.id)
const FACTS: Record<Figure, (asking: Asking) => Promise<Fact[]>> = {
  contacts: async ({ context, user }) => [
    {
      text: `You have ${countWords(await countContacts(context.db, user.id), 'contact')}.`,
      source: pageSource('Contacts', '/contacts'),
    },
  ],
  sent: async (asking) => [
    {
      text: `You have sent ${countWords((await mails(asking)).delivered, 'email')}.`,
      source: pageSource('Sent', '/emails?folder=sent'),
    },
  ],
  replies: async ({ context, user }) => {
    const { mailed, replied } = await countMailed(context.db, user.id)
    const rate = mailed === 0 ? 0 : Math.round((100 * replied) / mailed)
    return [
      {
        text: `${replied.toLocaleString('en-GB')} of ${countWords(mailed, 'contact')} that you mailed ${replied === 1 ? 'has' : 'have'} replied: a response rate of ${rate}%.`,
        source: pageSource('Dashboard', '/dashboard'),
      },
    ]
  },
  unread: async (asking) => [
    {
      text: `${countWords((await mails(asking)).unread_inbox, 'unread email')} in your inbox.`,
      source: pageSource('Unread emails', '/emails?folder=inbox&filter=unread'),
    },
  ],
  drafts: async (asking) => [
    {
      text: `${countWords((await mails(asking)).drafts, 'draft')}.`,
      source: pageSource('Drafts', '/emails?folder=drafts'),
    },
  ],
  scheduled: async (asking) => [
    {
      text: `${countWords((await mails(asking)).scheduled, 'scheduled email')}.`,
      source: pageSource('Scheduled', '/emails?folder=scheduled'),
    },
  ],
  meetings: async ({ context, user }) => {
    const { total } = await pageOfMeetings(context, user, {
      filter: 'upcoming',
      status: 'scheduled',
      page: 1,
      page_size: 1,
    })
    return [
      { text: `${countWords(total, 'upcoming meeting')}.`, source: pageSource('Meetings', '/meetings') },
    ]
  },
  tasks: async (asking) => {
    const { context, user } = asking
    const [{ total }, today] = await Promise.all([
      listTodos(
        context.db,
        user.id,
        { search: '', priority: null, completed: false, contactId: null, emailId: null },
        { sort: 'created', limit: 1, offset: 0 },
      ),
      readToday(context, user.id, user.timeZone),
    ])
    return [
      {
        text: `${countWords(total, 'pending task')}, ${today.overdue_tasks.toLocaleString('en-GB')} of them overdue and ${today.tasks_today.toLocaleString('en-GB')} due today.`,
        source: pageSource('Tasks', '/dashboard'),
      },
    ]
  },
  invoices: async ({ context, user }) => {
    const { counts, currencies } = await totalsOf(context.db, user.id, todayOf(context.clock, user.timeZone))
    const amounts = (of: 'outstanding' | 'overdue') =>
      currencies
        .filter((each) => each[of] > 0)
        .map((each) => money(each[of], each.currency))
        .join(' and ')
    const open = amounts('outstanding')
    const overdue = amounts('overdue')
    const words = [
      `${countWords(counts.open, 'open invoice')}${open === '' ? '' : `, ${open} outstanding`}`,
      `${counts.overdue.toLocaleString('en-GB')} overdue${overdue === '' ? '' : ` (${overdue})`}`,
    ]
    return [{ text: `${words.join('; ')}.`, source: pageSource('Invoices', '/invoices/all') }]
  },
}
