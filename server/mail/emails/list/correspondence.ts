import type { Delivery, Folder } from '#contract/mail/emails.ts'
import { correspondenceRows } from './list-store.ts'
import { presentDelivery } from '../messages/present-delivery.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

/** A mail as the timeline of a correspondent shows it. */
type CorrespondenceMail = {
  id: number
  at: Date
  direction: 'in' | 'out'
  subject: string
  content: string
  folder: Folder
  delivery: Delivery | null
  is_read: boolean
  has_files: boolean
}

/** Mails from and to one address (lower case) that are older than a time and id, newest first. */
export async function correspondence(
  db: Queryable,
  userId: number,
  addressKey: string,
  before: { at: Date; id: number },
  limit: number,
): Promise<CorrespondenceMail[]> {
  const rows = await correspondenceRows(db, userId, addressKey, before, limit)
  return rows.map((row) => ({
    id: row.id,
    at: row.occurred_at,
    direction: row.direction,
    subject: row.subject,
    content: row.snippet,
    folder: row.folder as Folder,
    delivery: presentDelivery(row),
    is_read: row.is_read,
    has_files: row.attachment_names.length > 0,
  }))
}
