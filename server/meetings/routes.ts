import { meetings } from '#contract/meetings.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { listMeetings } from './store.ts'

/** A list without parameters gives up to this many rows. */
const LIST_MAX = 1000

export function meetingRoutes(app: Server): void {
  serve(app, meetings.list, async ({ context, user }) => {
    const rows = await listMeetings(context.db, user.id, LIST_MAX)
    return rows.map(({ user_id: _, created_at: __, attendees, ...row }) => ({
      ...row,
      start_time: row.start_time.toISOString(),
      end_time: row.end_time.toISOString(),
      attendees: attendees.map((attendee) => attendee.address),
    }))
  })
}
