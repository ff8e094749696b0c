import { runMailTask, type MailReader } from '../../../formats/mail-tasks/run-mail-task.ts'
import { unpackRaw } from './pack-raw.ts'
import { type EmailBodyRow, findBodyRow } from '../messages/store.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

/**
 * A mail's body; its HTML is parsed out of the raw mail if it is stored only there.
 *
 * @throws MailTaskFailed for a mail that was crafted to stall its parser
 */
export async function readBody(
  db: Queryable,
  userId: number,
  emailId: number,
  reading: Omit<MailReader, 'userId'> = {},
): Promise<EmailBodyRow | undefined> {
  const row = await findBodyRow(db, userId, emailId)
  if (row === undefined || row.raw === null || !row.html_in_raw) return row
  return { ...row, html: await runMailTask({ userId, ...reading }, 'html', unpackRaw(row.raw)) }
}
