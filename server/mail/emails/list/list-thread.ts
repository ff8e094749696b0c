import { notFound } from '../../../platform/errors.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { EMAIL_NOT_FOUND } from '../messages/folders.ts'
import { type ContactNames, namesForRows } from '../messages/recipient-names.ts'
import { findListed, type ListedEmail } from '../messages/store.ts'
import { listedByIds, threadIds } from './list-store.ts'

/**
 * The newest mails of the thread that a mail belongs to, oldest first, and the contact names of their recipients.
 *
 * @throws Refusal 404 "Email not found"
 */
export async function listThread(
  db: Queryable,
  userId: number,
  emailId: number,
): Promise<{ rows: ListedEmail[]; names: ContactNames }> {
  const mail = await findListed(db, userId, emailId)
  if (mail === undefined) throw notFound(EMAIL_NOT_FOUND)
  const rows = await listedByIds(db, userId, await threadIds(db, userId, mail))
  return { rows: rows.toSorted(byTime), names: await namesForRows(db, userId, rows) }
}

function byTime(one: ListedEmail, other: ListedEmail): number {
  return one.occurred_at.getTime() - other.occurred_at.getTime() || one.id - other.id
}
