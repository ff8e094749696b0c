import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { publishMeetings } from './publish-meetings.ts'
import { deleteMeeting } from './store.ts'
import { noMeeting } from './update-meeting.ts'

/** @throws Refusal 404 */
export async function removeMeeting(context: Context, userId: number, id: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await deleteMeeting(tx, userId, id))) throw noMeeting()
    await publishMeetings(context, tx, userId)
  })
}
