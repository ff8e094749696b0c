import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { StoredInvoice } from '../invoices/invoices.ts'
import type { PaymentReminderSettingsTable, PaymentRemindersTable } from './tables.ts'
import {
  changeRow,
  findRow,
  hasRows,
  lockRow,
  numberOf,
  removeRow,
  rowsOf,
} from '../../platform/database/rows.ts'

export type SettingsRow = Selectable<PaymentReminderSettingsTable>
export type ReminderRow = Selectable<PaymentRemindersTable>
type ReminderKey = Pick<ReminderRow, 'user_id' | 'id'>

/** A reminder without a mail. */
export const NO_MAIL = {
  email_id: null,
  to_line: null,
  cc_line: null,
  sent_subject: null,
  sent_text: null,
  sent_due: null,
  settled_at: null,
} as const

/** The settings of a user; undefined as long as nobody has touched them. A lock keeps them until the transaction ends. */
export async function findSettings(
  db: Queryable,
  userId: number,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<SettingsRow | undefined> {
  const query = db.selectFrom('payment_reminder_settings').selectAll().where('user_id', '=', userId)
  return (isLocked ? query.forUpdate() : query).executeTakeFirst()
}

/** The settings, which nobody changes until the transaction ends. */
export async function shareSettings(tx: Tx, userId: number): Promise<SettingsRow | undefined> {
  return tx
    .selectFrom('payment_reminder_settings')
    .selectAll()
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst()
}

export async function keepSettings(tx: Tx, settings: SettingsRow): Promise<void> {
  await tx
    .insertInto('payment_reminder_settings')
    .values(settings)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(settings))
    .execute()
}

/**
 * Has the reminders of all open invoices planned anew. What is planned at this moment may not have seen what has changed: this
 * waits for it and notes the invoice again.
 */
export async function planAllOpen(tx: Tx, userId: number): Promise<void> {
  await sql`
    INSERT INTO payment_reminder_work (user_id, invoice_id)
    SELECT user_id, id FROM invoices
    WHERE user_id = ${userId} AND phase IN ('issued', 'sent', 'viewed', 'part_paid') AND kind = 'invoice'
    ORDER BY id
    ON CONFLICT (user_id, invoice_id) DO UPDATE SET invoice_id = excluded.invoice_id`.execute(tx)
}

/** Has the reminders of one invoice planned anew. */
export async function planOne(db: Queryable, userId: number, invoiceId: number): Promise<void> {
  await db
    .insertInto('payment_reminder_work')
    .values({ user_id: userId, invoice_id: invoiceId })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'invoice_id']).doUpdateSet({ invoice_id: invoiceId }),
    )
    .execute()
}

export type PlanWork = { user_id: number; invoice_id: number }

/** Invoices to plan. */
export async function openPlanWork(db: Queryable, limit: number): Promise<PlanWork[]> {
  return db.selectFrom('payment_reminder_work').selectAll().limit(limit).execute()
}

/** Takes one of them; false when another worker has it. */
export async function takePlanWork(tx: Tx, { user_id, invoice_id }: PlanWork) {
  return hasRows(tx)`
    DELETE FROM payment_reminder_work WHERE (user_id, invoice_id) IN (
      SELECT user_id, invoice_id FROM payment_reminder_work
      WHERE user_id = ${user_id} AND invoice_id = ${invoice_id} FOR UPDATE SKIP LOCKED) RETURNING 1`
}

export async function isSwitchedOff(db: Queryable, userId: number, invoiceId: number) {
  return hasRows(db)`
    SELECT FROM payment_reminder_switches WHERE user_id = ${userId} AND invoice_id = ${invoiceId}`
}

export async function switchInvoice(tx: Tx, userId: number, invoiceId: number, isOn: boolean): Promise<void> {
  if (isOn)
    await tx
      .deleteFrom('payment_reminder_switches')
      .where('user_id', '=', userId)
      .where('invoice_id', '=', invoiceId)
      .execute()
  else
    await tx
      .insertInto('payment_reminder_switches')
      .values({ user_id: userId, invoice_id: invoiceId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** The reminders of an invoice, the earliest first. */
export async function remindersOf(db: Queryable, userId: number, invoiceId: number): Promise<ReminderRow[]> {
  return db
    .selectFrom('payment_reminders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('invoice_id', '=', invoiceId)
    .orderBy('days')
    .execute()
}

export const findReminder = (db: Queryable, userId: number, id: number) =>
  findRow(db, 'payment_reminders', userId, id)

/** The same, locked until the transaction ends. */
export const lockReminder = (tx: Tx, { user_id, id }: ReminderKey) =>
  lockRow(tx, 'payment_reminders', user_id, id)

export async function addReminder(tx: Tx, reminder: Insertable<PaymentRemindersTable>): Promise<void> {
  await tx
    .insertInto('payment_reminders')
    .values(reminder)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const changeReminder = (
  db: Queryable,
  { user_id, id }: ReminderKey,
  changes: Updateable<PaymentRemindersTable>,
) => changeRow(db, 'payment_reminders', user_id, id, changes)

export const removeReminder = (tx: Tx, { user_id, id }: ReminderKey) =>
  removeRow(tx, 'payment_reminders', user_id, id)

/** A page of the user's upcoming reminders, or of those about the invoices of a contact, the next first. */
export const upcomingReminders = (
  db: Queryable,
  userId: number,
  { limit, offset, contactId }: { limit: number; offset: number; contactId: number | null },
) => rowsOf<ReminderRow>(db)`
  SELECT r.* FROM payment_reminders r
  WHERE r.user_id = ${userId} AND r.state = 'upcoming' AND (${contactId}::bigint IS NULL OR r.invoice_id IN (
    SELECT id FROM invoices WHERE user_id = ${userId} AND contact_id = ${contactId} AND deleted_at IS NULL))
  ORDER BY r.due_at, r.id LIMIT ${limit} OFFSET ${offset}`

export async function countUpcoming(db: Queryable, userId: number) {
  return numberOf(db)`
    SELECT count(*) AS reminders FROM payment_reminders
    WHERE user_id = ${userId} AND state = 'upcoming'`
}

/** Reminders that are due, of users whose mail is not paused; the longest due first. */
export async function dueReminders(db: Queryable, now: Date, limit: number) {
  return rowsOf<ReminderRow>(db)`
    SELECT r.* FROM payment_reminders r JOIN users u ON u.id = r.user_id
    WHERE r.state = 'upcoming' AND r.due_at <= ${now}
      AND u.is_active AND u.deleted_at IS NULL AND u.mail_paused_at IS NULL
    ORDER BY r.due_at LIMIT ${limit}`
}

/** The user's reminders that were due by `now`, with the address of each customer; after a restore they wait. */
export async function overdueReminders(db: Queryable, userId: number, now: Date, limit: number) {
  return rowsOf<{ id: number; number: string; customer: string; dueAt: Date }>(db)`
    SELECT r.id, coalesce(i.number, '') AS number, i.customer, r.due_at AS "dueAt"
    FROM payment_reminders r JOIN invoices i ON i.user_id = r.user_id AND i.id = r.invoice_id
    WHERE r.user_id = ${userId} AND r.state = 'upcoming' AND r.due_at <= ${now}
    ORDER BY r.due_at, r.id LIMIT ${limit}`
}

/** Does not send the user's reminders that were due by a time: the house that a backup was taken from may have sent them. */
export async function passOverReminders(tx: Tx, userId: number, by: Date, reason: string): Promise<void> {
  await sql`
    UPDATE payment_reminders SET state = 'passed', reason = ${reason}
    WHERE user_id = ${userId} AND state = 'upcoming' AND due_at <= ${by}`.execute(tx)
}

/** Reminders whose mail was taken back and is still to be cleared away. */
export async function withdrawnReminders(db: Queryable, limit: number): Promise<ReminderRow[]> {
  return db
    .selectFrom('payment_reminders')
    .selectAll()
    .where('state', '=', 'withdrawn')
    .limit(limit)
    .execute()
}

/** What a reminder says of an invoice, without its pictures and lines. */
export type RemindedInvoice = Pick<
  StoredInvoice,
  'user_id' | 'id' | 'contact_id' | 'number' | 'customer' | 'currency' | 'due' | 'due_date'
> & {
  content: {
    buyer: Record<'name' | 'business_name' | 'email', string>
    seller: Record<'name' | 'business_name', string>
  }
}

/** What reminders say of these invoices, but for deleted ones, by id. */
export async function remindedInvoices(
  db: Queryable,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, RemindedInvoice>> {
  const { rows } = await sql<RemindedInvoice>`
    SELECT user_id, id, contact_id, number, customer, currency, due, due_date, jsonb_build_object(
      'buyer', jsonb_build_object('name', content->'buyer'->'name', 'email', content->'buyer'->'email',
        'business_name', content->'buyer'->'business_name'),
      'seller', jsonb_build_object('name', content->'seller'->'name',
        'business_name', content->'seller'->'business_name')) AS content
    FROM invoices
    WHERE user_id = ${userId} AND id = ANY(${[...ids]}::bigint[]) AND deleted_at IS NULL`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Takes back the reminders of an invoice whose mails have not been handed over. */
export async function withdrawWaiting(tx: Tx, userId: number, invoiceId: number, why: string, now: Date) {
  await sql`SELECT withdraw_payment_reminders(${userId}, ${invoiceId}, ${why}, ${now})`.execute(tx)
}
