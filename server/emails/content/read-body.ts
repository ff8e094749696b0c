import { doMailWork } from '../../worker-threads/run-mail-task.ts'
import { unpackRaw } from './pack-raw.ts'
import { type EmailBodyRow, findBodyRow } from '../messages/store.ts'
import type { Queryable } from '../../database/handles.ts'

/**
 * A mail's words; its HTML comes out of the mail as it came, where it lies only there.
 *
 * @throws WorkFailed where the mail was made to stop its reader
 */
export async function readBody(
  db: Queryable,
  userId: number,
  emailId: number,
): Promise<EmailBodyRow | undefined> {
  const row = await findBodyRow(db, userId, emailId)
  if (row === undefined || row.raw === null || !row.html_in_raw) return row
  return { ...row, html: await doMailWork('html', unpackRaw(row.raw)) }
}
