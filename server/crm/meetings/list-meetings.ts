import type { QueryOf } from '#contract/platform/endpoint.ts'
import type { meetings } from '#contract/crm/meetings.ts'
import type { Context } from '../../platform/context.ts'
import { addressKey } from '../../formats/mail-text/addresses.ts'
import { startsWithin } from './meeting-times.ts'
import { listMeetings, type MeetingRow } from './store.ts'

/** A list without `page_size` returns up to this many rows. */
const LIST_MAX = 1000

/** Without a page size the caller wants an overview: of very many meetings those around now, not the oldest. */
export async function pageOfMeetings(
  context: Context,
  user: { id: number; timeZone: string },
  query: QueryOf<typeof meetings.list>,
): Promise<{ rows: MeetingRow[]; total: number; page: number; pageSize: number }> {
  const { page, page_size: size, limit, from, to, attendee, status = 'all' } = query
  const now = context.clock.now()
  const pageSize = size ?? limit ?? LIST_MAX
  const wanted = {
    search: query.search ?? '',
    status: status === 'all' ? null : status,
    attendeeKey: attendee ? addressKey(attendee) : null,
    starts: startsWithin(query.filter ?? 'all', now, query.time_zone ?? user.timeZone),
    touches: { from: from ? new Date(from) : null, before: to ? new Date(to) : null },
  }
  const found = await listMeetings(context.db, user.id, wanted, {
    limit: pageSize,
    offset: (page - 1) * pageSize,
    nearestTo: size === undefined && limit === undefined ? now : null,
  })
  return { ...found, page, pageSize }
}
