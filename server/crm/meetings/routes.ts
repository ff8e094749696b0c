import { meetings } from '#contract/crm/meetings.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { calendarFile, calendarFileName } from './calendar-file.ts'
import { pageOfMeetings } from './list-meetings.ts'
import { scheduleMeeting } from './schedule-meeting.ts'
import { findMeeting, type MeetingRow } from './store.ts'
import { noMeeting, removeMeeting, updateMeeting } from './update-meeting.ts'

export function meetingRoutes(app: Server): void {
  serve(app, meetings.list, async ({ context, user, query }) => {
    const { rows, ...page } = await pageOfMeetings(context, user, query)
    return { rows: rows.map(present), ...page }
  })
  serve(app, meetings.get, async ({ context, user, params }) => {
    const found = await findMeeting(context.db, user.id, params.id)
    if (found === undefined) throw noMeeting()
    return present(found)
  })
  serve(app, meetings.calendar, async ({ context, user, params, reply }) => {
    const found = await findMeeting(context.db, user.id, params.id)
    if (found === undefined) throw noMeeting()
    const organizer = { name: user.name, address: user.email }
    await reply
      .type('text/calendar; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="${calendarFileName(found.title)}"`)
      .send(calendarFile(found, organizer, new URL(context.config.publicUrl).hostname))
    return undefined
  })
  serve(app, meetings.add, async ({ context, user, body }) =>
    present(await scheduleMeeting(context, user.id, body)),
  )
  serve(app, meetings.update, async ({ context, user, params, body }) =>
    present(await updateMeeting(context, user.id, params.id, body)),
  )
  serve(app, meetings.remove, ({ context, user, params }) => done(removeMeeting(context, user.id, params.id)))
}

const present = (row: MeetingRow) => ({ ...row, attendees: row.attendees.map(({ address }) => address) })
