import { sql, type Updateable } from 'kysely'
import { anyUser } from '../../../platform/database/any-user.ts'
import type { DeliveryState, EmailBodiesTable, EmailsTable } from '../tables.ts'
import type { EmailRow, Composition } from '../messages/store.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { hasRows, idsOf, rowOf } from '../../../platform/database/rows.ts'

export type CompositionChanges = Partial<
  Pick<Composition, 'own_text' | 'own_html' | 'quote_of' | 'forward_of' | 'meeting_id' | 'sent_as'>
>

/** Stores what is known of a mail besides its content; what is not given stays as it is. */
export async function saveComposition(
  tx: Tx,
  userId: number,
  emailId: number,
  changes: CompositionChanges,
): Promise<void> {
  await tx
    .insertInto('compositions')
    .values({ user_id: userId, email_id: emailId, ...changes })
    .onConflict((conflict) => {
      const columns = conflict.columns(['user_id', 'email_id'])
      return Object.keys(changes).length === 0 ? columns.doNothing() : columns.doUpdateSet(changes)
    })
    .execute()
}

/** Notes that a draft has changed, and that it is to be appended at `at`, or earlier if an append is due before. */
export async function setDraftAppend(tx: Tx, userId: number, emailId: number, at: Date): Promise<void> {
  await saveComposition(tx, userId, emailId, {})
  await sql`
    UPDATE compositions c SET version = version + 1,
      file_at = CASE WHEN EXISTS (
        SELECT FROM emails e JOIN mailboxes m ON m.user_id = e.user_id AND m.id = e.mailbox_id
        WHERE e.user_id = c.user_id AND e.id = c.email_id AND m.imap_host <> '' AND NOT m.is_practice
      ) THEN least(c.file_at, ${at}::timestamptz) END
    WHERE c.user_id = ${userId} AND c.email_id = ${emailId}`.execute(tx)
}

/** A mail that the user wrote, and its delivery, both locked until the transaction ends. */
export type OwnMail = EmailRow & {
  delivery: { state: DeliveryState; group_id: number | null; resends: number } | null
}

/** Locks a mail that the user writes or has written, and its delivery; undefined when there is no such mail. */
export async function lockOwnMail(tx: Tx, userId: number, id: number): Promise<OwnMail | undefined> {
  const lockDelivery = async () => {
    return rowOf<NonNullable<OwnMail['delivery']>>(tx)`
      SELECT state, group_id, resends FROM deliveries WHERE user_id = ${userId} AND email_id = ${id} FOR UPDATE
      `
  }
  // The delivery is locked first, as the settlement writer does; then again, because one may have been added meanwhile.
  const delivery = await lockDelivery()
  const { rows } = await sql<EmailRow>`
    SELECT * FROM emails WHERE user_id = ${userId} AND id = ${id} FOR UPDATE`.execute(tx)
  const [mail] = rows
  if (mail === undefined) return undefined
  return { ...mail, delivery: delivery ?? (await lockDelivery()) ?? null }
}

/** Mails of the user that are scheduled, or wait to leave and belong to no group. */
export async function waitingMails(tx: Tx, userId: number): Promise<number[]> {
  return idsOf(tx)`
    SELECT id FROM emails WHERE user_id = ${userId} AND folder = 'scheduled'
    UNION
    SELECT email_id FROM deliveries
    WHERE queue = 'due' AND user_id = ${anyUser(userId)} AND group_id IS NULL AND state IN ('queued', 'claimed', 'deferred')
    ORDER BY 1`
}

/** The columns of a mail that writing changes; what is not given stays as it is. */
export type MailChanges = Omit<Updateable<EmailsTable>, 'user_id' | 'id'>
export type BodyChanges = Omit<Updateable<EmailBodiesTable>, 'user_id' | 'email_id'>

/** Changes the rows of a mail: `emails` and `email_bodies`. */
export async function changeMail(
  tx: Tx,
  userId: number,
  emailId: number,
  mail: MailChanges,
  body: BodyChanges = {},
): Promise<void> {
  if (Object.keys(mail).length > 0) {
    await tx.updateTable('emails').set(mail).where('user_id', '=', userId).where('id', '=', emailId).execute()
  }
  if (Object.keys(body).length > 0) {
    await tx
      .updateTable('email_bodies')
      .set('html' in body ? { ...body, html_in_raw: false } : body)
      .where('user_id', '=', userId)
      .where('email_id', '=', emailId)
      .execute()
  }
}

/** Deletes the delivery of a mail: it will not be sent. */
export async function dropDelivery(tx: Tx, userId: number, emailId: number): Promise<void> {
  await tx.deleteFrom('deliveries').where('user_id', '=', userId).where('email_id', '=', emailId).execute()
}

/** Queues a refused or deferred mail again. False when it is in another state by now. */
export async function requeueDelivery(tx: Tx, userId: number, emailId: number, now: Date): Promise<boolean> {
  return hasRows(tx)`
    UPDATE deliveries SET state = 'queued', queue = 'due', reason = NULL, priority = 0, next_try_at = ${now}, settled_at = NULL
    WHERE user_id = ${userId} AND email_id = ${emailId} AND state IN ('queued', 'failed', 'deferred')
    RETURNING 1`
}

/** The user's newest sent mail to an address: no draft, not scheduled, not deleted. */
export async function newestSentMail(
  db: Queryable,
  userId: number,
  addressKey: string,
): Promise<EmailRow | undefined> {
  return rowOf<EmailRow>(db)`
    SELECT * FROM emails WHERE user_id = ${userId} AND correspondent_key = ${addressKey} AND direction = 'out'
      AND folder NOT IN ('drafts', 'scheduled', 'deleted')
    ORDER BY occurred_at DESC LIMIT 1`
}
