import { sql } from 'kysely'
import type { DeliveryState, EmailFolder, Purpose } from '../tables.ts'
import type { EmailRow, Composition } from '../messages/store.ts'
import type { Queryable, Tx } from '../../database/handles.ts'

export type CompositionChanges = Partial<
  Pick<Composition, 'own_text' | 'own_html' | 'quote_of' | 'forward_of' | 'meeting_id' | 'sent_as'>
>

/** What is known of a mail beside its words; undefined for mail that was not written here, or is as it was written. */
export async function findComposition(
  db: Queryable,
  userId: number,
  emailId: number,
): Promise<Composition | undefined> {
  return db
    .selectFrom('compositions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('email_id', '=', emailId)
    .executeTakeFirst()
}

/** Notes what is known of a mail beside its words; what is not given stays. */
export async function saveComposition(
  tx: Tx,
  userId: number,
  emailId: number,
  changes: CompositionChanges,
): Promise<void> {
  const none = {
    own_text: null,
    own_html: null,
    quote_of: null,
    forward_of: null,
    meeting_id: null,
    sent_as: null,
  }
  await tx
    .insertInto('compositions')
    .values({ user_id: userId, email_id: emailId, ...none, ...changes, file_at: null })
    .onConflict((known) => {
      const columns = known.columns(['user_id', 'email_id'])
      return Object.keys(changes).length === 0 ? columns.doNothing() : columns.doUpdateSet(changes)
    })
    .execute()
}

/** Has the account's Drafts folder get the newest state of a draft at `at`, or when it is to get an older one. */
export async function scheduleDraftAppend(tx: Tx, userId: number, emailId: number, at: Date): Promise<void> {
  await saveComposition(tx, userId, emailId, {})
  await sql`
    UPDATE compositions c SET version = version + 1, refusals = 0,
      file_at = CASE WHEN EXISTS (
        SELECT FROM emails e JOIN mailboxes m ON m.user_id = e.user_id AND m.id = e.mailbox_id
        WHERE e.user_id = c.user_id AND e.id = c.email_id AND m.imap_host <> '' AND NOT m.is_practice
      ) THEN coalesce(c.file_at, ${at}::timestamptz) END
    WHERE c.user_id = ${userId} AND c.email_id = ${emailId}`.execute(tx)
}

/** A mail of the user's own, locked until the transaction ends, and its delivery with it. */
export type OwnMail = Pick<
  EmailRow,
  | 'id'
  | 'folder'
  | 'direction'
  | 'mailbox_id'
  | 'message_id'
  | 'thread_id'
  | 'purpose'
  | 'subject'
  | 'to_line'
  | 'in_reply_to'
  | 'schedule_at'
> & { delivery: { state: DeliveryState; group_id: number | null; resends: number } | null }

/** Locks a mail that the user writes or has written; undefined when there is no such mail. */
export async function lockOwnMail(tx: Tx, userId: number, id: number): Promise<OwnMail | undefined> {
  const lockDelivery = () =>
    tx
      .selectFrom('deliveries')
      .select(['state', 'group_id', 'resends'])
      .where('user_id', '=', userId)
      .where('email_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
  // The delivery first, as who settles mails does; then once more, because one may have been added meanwhile.
  const delivery = await lockDelivery()
  const mail = await tx
    .selectFrom('emails')
    .select([
      'id',
      'folder',
      'direction',
      'mailbox_id',
      'message_id',
      'thread_id',
      'purpose',
      'subject',
      'to_line',
      'in_reply_to',
      'schedule_at',
    ])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (mail === undefined) return undefined
  return { ...mail, delivery: delivery ?? (await lockDelivery()) ?? null }
}

/** What of a mail's rows writing changes; what is not given stays. */
export type MailChanges = {
  folder?: EmailFolder
  purpose?: Purpose
  mailbox_id?: number | null
  to_line?: string
  correspondent_key?: string
  subject?: string
  snippet?: string
  collapse_key?: string
  in_reply_to?: string | null
  reference_ids?: string[]
  thread_id?: number
  from_name?: string
  from_address?: string
  schedule_at?: Date | null
  occurred_at?: Date
  created_at?: Date
  original_folder?: string | null
  purge_at?: Date | null
  size?: number
}
export type BodyChanges = {
  text?: string
  html?: string | null
  cc_line?: string
  bcc_line?: string
  raw?: null
  raw_key?: null
}

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

/** Forgets that a mail was to leave. */
export async function dropDelivery(tx: Tx, userId: number, emailId: number): Promise<void> {
  await tx.deleteFrom('deliveries').where('user_id', '=', userId).where('email_id', '=', emailId).execute()
}

/** Has a mail that was refused or put off tried again. False when that is no longer how it stands. */
export async function requeueDelivery(tx: Tx, userId: number, emailId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    UPDATE deliveries SET state = 'queued', shelf = 'due', reason = NULL, priority = 0, next_try_at = ${now}, settled_at = NULL
    WHERE user_id = ${userId} AND email_id = ${emailId} AND state IN ('queued', 'failed', 'deferred')
    RETURNING 1`.execute(tx)
  return rows.length > 0
}

/** The user's newest mail to an address that was written, not that waits. */
export async function newestSentMail(
  db: Queryable,
  userId: number,
  addressKey: string,
): Promise<EmailRow | undefined> {
  return db
    .selectFrom('emails')
    .selectAll()
    .where('user_id', '=', userId)
    .where('correspondent_key', '=', addressKey)
    .where('direction', '=', 'out')
    .where('folder', 'not in', ['drafts', 'scheduled', 'deleted'])
    .orderBy('occurred_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
