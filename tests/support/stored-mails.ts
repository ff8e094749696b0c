import { runSql } from '#server/platform/database/transaction.ts'
import { indexSomeEmails } from '#server/mail/emails/list/index-emails.ts'
import type { TestApp } from './test-app.ts'
import { collapseKey } from '#server/mail/emails/messages/summary.ts'

/** A mail as it is stored in the database; fields that are left out have plain defaults. */
export type StoredMail = {
  folder?: string
  direction?: 'in' | 'out'
  from?: string
  fromName?: string
  to?: string
  /** Whose mail it is: the sender by default. */
  correspondent?: string
  subject?: string
  text?: string
  files?: string[]
  read?: boolean
  starred?: boolean
  mailboxId?: number | null
  at?: Date
  threadId?: number
}

const START = Date.UTC(2026, 0, 1)
let serial = 0

/** Writes mails straight into the database; without a time each is a minute younger than the one before. Returns their ids. */
export async function storeMails(
  app: TestApp,
  userId: number,
  mails: readonly StoredMail[],
): Promise<number[]> {
  const rows = mails.map((mail) => {
    serial += 1
    const from = mail.from ?? 'bob@far.example'
    const subject = mail.subject ?? `Mail ${serial}`
    return {
      direction: mail.direction ?? 'in',
      folder: mail.folder ?? 'inbox',
      mailbox_id: mail.mailboxId ?? null,
      message_id: `stored-${serial}@far.example`,
      from_name: mail.fromName ?? '',
      from_address: from,
      to_line: mail.to ?? 'ada@muster.example',
      correspondent_key: mail.correspondent ?? from,
      subject,
      snippet: (mail.text ?? '').slice(0, 300),
      collapse_key: collapseKey(from, subject),
      is_read: mail.read ?? false,
      is_starred: mail.starred ?? false,
      attachment_names: mail.files ?? [],
      occurred_at: mail.at ?? new Date(START + serial * 60_000),
      thread_id: mail.threadId ?? 0,
      text: mail.text ?? '',
    }
  })
  const { rows: stored } = await runSql(
    app.context.db,
    `WITH given AS (
       SELECT *, nextval('emails_id_seq') AS id FROM json_to_recordset($2::json) AS g (direction text, folder text, mailbox_id bigint,
         message_id text, from_name text, from_address text, to_line text, correspondent_key text, subject text, snippet text,
         collapse_key text, is_read boolean, is_starred boolean, attachment_names text[], occurred_at timestamptz, thread_id bigint, text text)
     ), mails AS (
       INSERT INTO emails (user_id, id, thread_id, direction, folder, mailbox_id, message_id, from_name, from_address, to_line,
         correspondent_key, subject, snippet, collapse_key, is_read, is_starred, attachment_names, occurred_at, created_at)
       SELECT $1, id, CASE thread_id WHEN 0 THEN id ELSE thread_id END, direction, folder, mailbox_id, message_id, from_name, from_address, to_line,
         correspondent_key, subject, snippet, collapse_key, is_read, is_starred, attachment_names, occurred_at, occurred_at FROM given
     )
     INSERT INTO email_bodies (user_id, email_id, text) SELECT $1, id, text FROM given RETURNING email_id AS id`,
    [userId, JSON.stringify(rows)],
  )
  return (stored as { id: number }[]).map((row) => row.id)
}

/** Makes every mail of the user searchable, as the worker does. */
export async function makeSearchable(app: TestApp, userId: number): Promise<void> {
  while ((await indexSomeEmails(app.context, userId)).taken > 0);
}
