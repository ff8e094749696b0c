import { sql } from 'kysely'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { MailLocation, PendingAction } from './plan-actions.ts'
import type { Growth } from './poll-intervals.ts'
import { inSpace, type UidSpace } from '../messages/locations-store.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { rowsOf } from '../../../platform/database/rows.ts'

/** An account and its owner. */
export type Account = { userId: number; mailboxId: number }

/** Accounts with actions that are due to be pushed, unless none can be for now; each costs one index step. */
export async function accountsWithDueActions(db: Queryable, now: Date, limit: number): Promise<Account[]> {
  return rowsOf<Account>(db)`
    WITH RECURSIVE waiting AS (
      (SELECT user_id, mailbox_id FROM pending_actions WHERE given_up_at IS NULL ORDER BY user_id, mailbox_id LIMIT 1)
      UNION ALL
      SELECT n.user_id, n.mailbox_id FROM waiting w CROSS JOIN LATERAL (
        SELECT user_id, mailbox_id FROM pending_actions
        WHERE given_up_at IS NULL AND (user_id, mailbox_id) > (w.user_id, w.mailbox_id)
        ORDER BY user_id, mailbox_id LIMIT 1
      ) n
    )
    SELECT w.user_id AS "userId", w.mailbox_id AS "mailboxId" FROM waiting w
    WHERE EXISTS (SELECT FROM pending_actions p WHERE p.user_id = w.user_id AND p.mailbox_id = w.mailbox_id
      AND p.given_up_at IS NULL AND p.next_try_at <= ${now})
      AND NOT EXISTS (SELECT FROM mailbox_troubles t WHERE t.user_id = w.user_id AND t.mailbox_id = w.mailbox_id
        AND t.kind = 'actions' AND t.next_try_at > ${now})
    LIMIT ${limit}`
}

/**
 * Takes the account's due actions. Each counts as an attempt from here on, so a message that breaks its connection
 * every time is tried less and less often.
 */
export async function takeDueActions(
  db: Queryable,
  { userId, mailboxId }: Account,
  now: Date,
  limit: number,
): Promise<PendingAction[]> {
  return inTransaction(db, async (tx) => {
    const { rows: due } = await sql<Pick<PendingAction, (typeof TAKEN)[number]>>`
      UPDATE pending_actions p SET attempts = p.attempts + 1,
        next_try_at = CASE WHEN p.attempts = 0 THEN ${now}::timestamptz
          ELSE ${now}::timestamptz + least(5 * 2 ^ least(p.attempts, 10), 600) * interval '1 second' END
      FROM (
        SELECT email_id FROM pending_actions
        WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND given_up_at IS NULL AND next_try_at <= ${now}
        ORDER BY next_try_at, email_id LIMIT ${limit}
      ) due
      WHERE p.user_id = ${userId} AND p.mailbox_id = ${mailboxId} AND p.email_id = due.email_id
      RETURNING p.email_id AS "emailId", p.version, p.attempts, p.read, p.starred, p.moved`.execute(tx)
    // Read the wanted state only now: a statement that waited for another change would still see the old state.
    const { rows: mails } = await sql<Omit<PendingAction, (typeof TAKEN)[number]> & { id: number }>`
      SELECT id, message_id AS "messageId", is_read AS "isRead", is_starred AS "isStarred",
        -- A draft that another account sends now is no longer in this one.
        CASE WHEN folder = 'drafts' AND mailbox_id <> ${mailboxId} THEN 'deleted' ELSE folder END AS folder
      FROM emails
      WHERE user_id = ${userId} AND id = ANY(${due.map(({ emailId }) => emailId)}::bigint[])`.execute(tx)
    const byId = new Map(mails.map(({ id, ...mail }) => [id, mail]))
    return due.flatMap((taken) => {
      const mail = byId.get(taken.emailId)
      return mail === undefined ? [] : [{ ...taken, ...mail }]
    })
  })
}

const TAKEN = ['emailId', 'version', 'attempts', 'read', 'starred', 'moved'] as const

/** Actions that were given up are tried once more when their time has come. */
export async function reviveActions(db: Queryable, { userId, mailboxId }: Account, now: Date): Promise<void> {
  await sql`
    UPDATE pending_actions SET given_up_at = NULL, next_try_at = ${now}
    WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND given_up_at IS NOT NULL AND next_try_at <= ${now}
    `.execute(db)
}

/** Where these messages are on the account's server. */
export async function locationsOf(
  db: Queryable,
  { userId, mailboxId }: Account,
  emailIds: readonly number[],
): Promise<MailLocation[]> {
  return rowsOf<MailLocation>(db)`
    SELECT l.email_id AS "emailId", l.path, l.uid_validity AS "uidValidity", l.uid, f.role
    FROM email_locations l
    LEFT JOIN mailbox_folders f ON f.user_id = l.user_id AND f.mailbox_id = l.mailbox_id AND f.path = l.path
    WHERE l.user_id = ${userId} AND l.email_id = ANY(${[...emailIds]}::bigint[]) AND l.mailbox_id = ${mailboxId}
    ORDER BY l.path, l.uid`
}

/** The Message-IDs that these messages have on servers, and their sizes. */
export async function identitiesOf(
  db: Queryable,
  userId: number,
  emailIds: readonly number[],
): Promise<Map<number, { messageIds: string[]; size: number }>> {
  const { rows } = await sql<{ id: number; messageIds: string[]; size: number }>`
    SELECT e.id, e.size, ARRAY(SELECT e.message_id UNION ALL SELECT r.message_id FROM rewritten_message_ids r
      WHERE r.user_id = e.user_id AND r.email_id = e.id) AS "messageIds"
    FROM emails e WHERE e.user_id = ${userId} AND e.id = ANY(${[...emailIds]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...identity }) => [id, identity]))
}

/** Forgets the locations of these UIDs, and notes that their messages have to be found again. */
export async function loseLocations(
  tx: Tx,
  at: UidSpace,
  uids: readonly number[],
  now: Date,
  mayBeGone: boolean,
): Promise<void> {
  if (uids.length === 0) return
  await sql`
    WITH lost AS (
      DELETE FROM email_locations l
      WHERE ${inSpace(at, 'l')} AND l.uid = ANY(${[...uids]}::bigint[])
      RETURNING l.email_id
    )
    INSERT INTO relocations AS s (user_id, mailbox_id, email_id, noticed_at, may_be_gone)
    SELECT DISTINCT ${at.userId}::bigint, ${at.mailboxId}::bigint, email_id, ${now}::timestamptz, ${mayBeGone}::boolean
    FROM lost ORDER BY 3
    ON CONFLICT (user_id, mailbox_id, email_id) DO UPDATE
      SET noticed_at = excluded.noticed_at, may_be_gone = excluded.may_be_gone, gone_at = NULL`.execute(tx)
}

/** Forgets the locations of messages that we removed from the server. */
export async function dropLocations(tx: Tx, at: UidSpace, uids: readonly number[]): Promise<void> {
  await sql`
    DELETE FROM email_locations
    WHERE ${inSpace(at)}
      AND uid = ANY(${[...uids]}::bigint[])`.execute(tx)
}

/** Deletes actions that were pushed. One that has changed since it was taken stays pending. */
export async function completeActions(
  tx: Tx,
  { userId, mailboxId }: Account,
  done: readonly Pick<PendingAction, 'emailId' | 'version'>[],
): Promise<void> {
  if (done.length === 0) return
  await sql`
    DELETE FROM pending_actions p
    USING unnest(${done.map(({ emailId }) => emailId)}::bigint[], ${done.map(({ version }) => version)}::int[]) AS d(email_id, version)
    WHERE p.user_id = ${userId} AND p.mailbox_id = ${mailboxId} AND p.email_id = d.email_id AND p.version = d.version
    `.execute(tx)
}

export type Refused = Pick<PendingAction, 'emailId' | 'version'> & {
  path: string
  words: string
  giveUpAfter: number
}

/**
 * Records refused actions. After `giveUpAfter` refusals an action is given up: the server's flags count again, and it is
 * only tried after the pauses of `growth`.
 */
export async function noteRefused(
  tx: Tx,
  { userId, mailboxId }: Account,
  refused: readonly Refused[],
  now: Date,
  growth: Growth,
): Promise<void> {
  if (refused.length === 0) return
  await sql`
    UPDATE pending_actions p SET refusals = p.refusals + 1, path = r.path, last_error = r.words,
      next_try_at = ${now}::timestamptz + CASE WHEN p.refusals + 1 < r.give_up_after
        THEN 30 * 2 ^ least(p.refusals, 4) * interval '1 second'
        ELSE (${[...growth]}::float8[])[least(p.refusals + 2 - r.give_up_after, ${growth.length}::int)] * interval '1 millisecond' END,
      given_up_at = CASE WHEN p.refusals + 1 >= r.give_up_after THEN ${now}::timestamptz END
    FROM unnest(${refused.map(({ emailId }) => emailId)}::bigint[], ${refused.map(({ version }) => version)}::int[],
      ${refused.map(({ path }) => path)}::text[], ${refused.map(({ words }) => words)}::text[],
      ${refused.map(({ giveUpAfter }) => giveUpAfter)}::int[]) AS r(email_id, version, path, words, give_up_after)
    WHERE p.user_id = ${userId} AND p.mailbox_id = ${mailboxId} AND p.email_id = r.email_id AND p.version = r.version
    `.execute(tx)
}

/** Makes all actions of a user due now, also those that were refused or given up. */
export async function hastenActions(db: Queryable, userId: number, now: Date): Promise<void> {
  await sql`
    UPDATE pending_actions SET next_try_at = ${now} WHERE user_id = ${userId} AND next_try_at > ${now}
    `.execute(db)
}

/** Makes actions due now that only waited for their message to be found, but none that the server refused. */
export async function hastenLocated(db: Queryable, { userId, mailboxId }: Account, now: Date): Promise<void> {
  await sql`
    UPDATE pending_actions p SET next_try_at = ${now}, attempts = 0
    WHERE p.user_id = ${userId} AND p.mailbox_id = ${mailboxId} AND p.given_up_at IS NULL AND p.next_try_at > ${now}
      AND p.refusals = 0 AND EXISTS (SELECT FROM email_locations l
        WHERE l.user_id = p.user_id AND l.email_id = p.email_id AND l.mailbox_id = p.mailbox_id)`.execute(db)
}

/**
 * Deletes actions that cannot be pushed: every folder has been read since they were created, and their message is in
 * none of them nor on its way into one.
 */
export async function dropUnlocated(tx: Tx, { userId, mailboxId }: Account, before: Date): Promise<void> {
  await sql`
    DELETE FROM pending_actions p
    WHERE p.user_id = ${userId} AND p.mailbox_id = ${mailboxId} AND p.created_at < ${before}
      AND NOT EXISTS (SELECT FROM email_locations l
        WHERE l.user_id = p.user_id AND l.email_id = p.email_id AND l.mailbox_id = p.mailbox_id)
      AND NOT EXISTS (SELECT FROM relocations s
        WHERE s.user_id = p.user_id AND s.email_id = p.email_id AND s.mailbox_id = p.mailbox_id AND s.gone_at IS NULL)
      AND NOT EXISTS (SELECT FROM deliveries d
        WHERE d.user_id = p.user_id AND d.email_id = p.email_id AND NOT d.in_sent_folder AND d.state <> 'failed')
    `.execute(tx)
}
