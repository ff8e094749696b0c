import type { QueryOf, ReplyOf } from '#contract/platform/endpoint.ts'
import type { timeline, TimelineEntry } from '#contract/overview/timeline.ts'
import { getContact } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { correspondence } from '../../mail/emails/emails.ts'
import { invalidInput } from '../../platform/errors.ts'
import { invoicesOf, todayOf } from '../../invoicing/invoices/invoices.ts'
import { meetingsWith } from '../../crm/meetings/meetings.ts'
import { todosAbout } from '../../crm/todos/todos.ts'
import { behind, comparePlaces, type Place, readPlace, writePlace } from './place.ts'

/**
 * A page of what happened between the user and a contact, newest first. Each domain supplies one page of entries from
 * where the previous page ended, so that long histories cost no more than short ones.
 *
 * @throws Refusal 404; 400 for an `after` that no page returned
 */
export async function timelineOf(
  context: Context,
  user: Reader,
  contactId: number,
  query: QueryOf<typeof timeline.ofContact>,
): Promise<ReplyOf<typeof timeline.ofContact>> {
  const after = query.after === undefined ? undefined : readPlace(query.after)
  if (after === null) throw invalidInput('This page does not exist.', { after: 'This is no place' })
  const contact = await getContact(context, user.id, contactId)
  const limit = query.limit + 1
  const found = await entries(context, user, contact, after, limit)
  const page = found.toSorted((one, other) => comparePlaces(placeOf(one), placeOf(other))).slice(0, limit)
  const shown = page.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    entries: shown,
    next: page.length > shown.length && last !== undefined ? writePlace(placeOf(last)) : null,
  }
}

const placeOf = ({ at, kind, id }: TimelineEntry): Place => ({ at: Date.parse(at), kind, id })

/** Who asks, and in which zone their days begin. */
type Reader = { id: number; timeZone: string }

type Subject = { id: number; email_key: string; created_at: Date }

async function entries(
  { clock, db }: Context,
  user: Reader,
  contact: Subject,
  after: Place | undefined,
  limit: number,
): Promise<TimelineEntry[]> {
  const today = todayOf(clock, user.timeZone)
  const [mails, meetings, todos, invoices] = await Promise.all([
    correspondence(db, user.id, contact.email_key, behind('email', after), limit),
    meetingsWith(db, user.id, contact.email_key, behind('meeting', after), limit),
    todosAbout(db, user.id, contact.id, behind('todo', after), limit),
    invoicesOf(db, user.id, contact.id, behind('invoice', after), limit, today),
  ])
  const added = { kind: 'added' as const, id: contact.id, at: contact.created_at.toISOString() }
  const isBehind = after === undefined || comparePlaces(after, placeOf(added)) < 0
  return [
    ...mails.map((mail) => ({ ...mail, kind: 'email' as const, at: mail.at.toISOString() })),
    ...meetings.map(({ start_time, end_time, ...meeting }) => ({
      ...meeting,
      kind: 'meeting' as const,
      at: start_time.toISOString(),
      end_time: end_time.toISOString(),
    })),
    ...todos.map(({ id, title, due_date, priority, completed, created_at }) => ({
      kind: 'todo' as const,
      id,
      title,
      due_date,
      priority,
      completed,
      at: created_at.toISOString(),
    })),
    ...invoices.map(({ kind, number, at, ...invoice }) => ({
      ...invoice,
      kind: 'invoice' as const,
      document: kind,
      number: number ?? '',
      at: at.toISOString(),
    })),
    ...(isBehind ? [added] : []),
  ]
}
