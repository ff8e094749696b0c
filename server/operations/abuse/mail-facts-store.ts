import { sql } from 'kysely'
import { anyUser } from '../../platform/database/any-user.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { RECIPIENT_DOMAINS_MIN } from '../../outreach/automatic-mail/automatic-mail.ts'
import { MAIL_DAYS, type MailDay } from './facts.ts'
import { idsOf, numberOf, rowsOf } from '../../platform/database/rows.ts'

const DAY_MS = 86_400_000
const IMPORT_DAYS = 7
/** A user's newest single mails that are compared with one another. */
const COMPARED_MAX = 2000

/** Users of whose mail something is known that the rules have not looked at, up to `limit`. */
export async function usersWithNewMail(db: Queryable, limit: number): Promise<number[]> {
  return idsOf(db)`
    SELECT id FROM (
      SELECT user_id AS id FROM sending_days WHERE sent > seen
      UNION SELECT user_id FROM failed_addresses WHERE NOT is_seen
    ) n JOIN users u USING (id) WHERE NOT u.is_system ORDER BY id LIMIT ${limit}`
}

/** What is known of a user's mail, to be looked at now. Whatever comes later is new again. */
export async function takeNewMail(db: Queryable, userId: number): Promise<void> {
  await sql`UPDATE sending_days SET seen = sent WHERE user_id = ${userId} AND sent > seen`.execute(db)
  // A row that somebody is changing is new again then. Nobody waits: who writes here holds rows that senders wait for.
  await sql`
    UPDATE failed_addresses SET is_seen = true WHERE user_id = ${userId} AND address_key = ANY(ARRAY(
      SELECT address_key FROM failed_addresses WHERE user_id = ${userId} AND NOT is_seen FOR UPDATE SKIP LOCKED))`.execute(
    db,
  )
}

/** A user's mail by the day, with what certainly failed, since {@link MAIL_DAYS} ago. */
export async function mailDays(db: Queryable, userId: number, now: Date) {
  const since = new Date(now.getTime() - MAIL_DAYS * DAY_MS)
  return rowsOf<MailDay>(db)`
    SELECT day, sum(sent)::int AS sent, sum(strangers)::int AS strangers, sum(role_addresses)::int AS "roleAddresses",
      sum(no_address)::int AS "noAddress", sum(no_domain)::int AS "noDomain", sum(refused)::int AS "refusedAtOnce",
      sum(complaints)::int AS complaints, sum(replies)::int AS replies,
      coalesce(min(bounce_domains), '{}') AS "bounceDomains", coalesce(min(complaint_domains), '{}') AS "complaintDomains"
    FROM (
      SELECT day, sent, strangers, role_addresses, 0 AS no_address, 0 AS no_domain, 0 AS refused, 0 AS complaints, 0 AS replies,
        NULL::text[] AS bounce_domains, NULL::text[] AS complaint_domains
      FROM sending_days WHERE user_id = ${anyUser(userId)} AND day >= ${since}
      UNION ALL
      SELECT date_bin('1 day', at, 'epoch'), 0, 0, 0, (count(*) FILTER (WHERE kind = 'no_address'))::int,
        (count(*) FILTER (WHERE kind = 'no_domain'))::int, (count(*) FILTER (WHERE at_once))::int,
        (count(*) FILTER (WHERE kind = 'complaint'))::int, 0,
        (array_agg(DISTINCT owner_domain(address_key)) FILTER (WHERE kind <> 'complaint'))[1:${RECIPIENT_DOMAINS_MIN}],
        (array_agg(DISTINCT owner_domain(address_key)) FILTER (WHERE kind = 'complaint'))[1:${RECIPIENT_DOMAINS_MIN}]
      FROM failed_addresses WHERE user_id = ${anyUser(userId)} AND at >= ${since} AND is_certain GROUP BY 1
      UNION ALL
      SELECT date_bin('1 day', at, 'epoch'), 0, 0, 0, 0, 0, 0, 0, sum(replies[1] + replies[2] + replies[3] + replies[4])::int, NULL, NULL
      FROM mail_activity WHERE user_id = ${anyUser(userId)} AND source = 'read' AND at >= ${since} GROUP BY 1
    ) facts
    GROUP BY day ORDER BY day`
}

/** Contacts that recent imports added. */
export async function importedLately(db: Queryable, userId: number, now: Date) {
  return numberOf(db)`
    SELECT coalesce(sum(created), 0)::int AS created FROM contact_imports
    WHERE user_id = ${anyUser(userId)} AND finished_at >= ${new Date(now.getTime() - IMPORT_DAYS * DAY_MS)}
      AND undone_at IS NULL`
}

/** A mail that was written by itself and went to somebody who is no contact and has never written. */
export type SingleMail = { subject: string; snippet: string; toLine: string; at: Date }

/** A user's newest such mails, of those that left since then. Deleted ones too, as long as they are stored. */
export async function singleMailsToStrangers(db: Queryable, userId: number, since: Date) {
  return rowsOf<SingleMail>(db)`
    SELECT e.subject, e.snippet, e.to_line AS "toLine", e.occurred_at AS at
    FROM unnest(ARRAY['sent', 'trash', 'deleted', 'archived']) AS f(folder)
    CROSS JOIN LATERAL (
      SELECT * FROM emails e
      WHERE e.user_id = ${anyUser(userId)} AND e.folder = f.folder AND e.occurred_at > ${since}
      ORDER BY e.occurred_at DESC, e.id DESC LIMIT ${COMPARED_MAX}
    ) e
    JOIN correspondents c ON c.user_id = e.user_id AND c.address_key = e.correspondent_key
    JOIN mailboxes m ON m.user_id = e.user_id AND m.id = e.mailbox_id
    WHERE e.direction = 'out' AND e.purpose IN ('compose', 'reply') AND NOT m.is_practice
      AND c.last_received_at IS NULL
      AND EXISTS (SELECT FROM deliveries d WHERE d.user_id = e.user_id AND d.email_id = e.id AND d.state = 'sent')
      AND NOT EXISTS (SELECT FROM contacts k WHERE k.user_id = e.user_id AND k.email_key = e.correspondent_key)
    LIMIT ${COMPARED_MAX}`
}
