import { sql } from 'kysely'
import { anyUser } from '../../../platform/database/any-user.ts'
import { addressKey, isSendable, parseAddressList } from '../../../formats/mail-text/addresses.ts'
import type { ReceivedFrom } from './classify-message.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'

/** Which of these addresses belong to contacts we have mailed, and since when. */
export async function contactsMailed(
  db: Queryable,
  userId: number,
  keys: readonly string[],
): Promise<Map<string, Date>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: string; since: Date }>`
    SELECT p.address_key AS key, p.first_sent_at AS since
    FROM correspondents p JOIN contacts c ON c.user_id = p.user_id AND c.email_key = p.address_key
    WHERE p.user_id = ${anyUser(userId)} AND p.address_key = ANY(${[...keys]}::text[]) AND p.first_sent_at IS NOT NULL
    `.execute(db)
  return new Map(rows.map(({ key, since }) => [key, since]))
}

/** Our newest message to each of these addresses. */
export async function newestSentTo(
  db: Queryable,
  userId: number,
  keys: readonly string[],
): Promise<Map<string, { id: number; correspondentKey: string }>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ id: number; correspondentKey: string }>`
    SELECT DISTINCT ON (correspondent_key) id, correspondent_key AS "correspondentKey" FROM emails
    WHERE user_id = ${anyUser(userId)} AND correspondent_key = ANY(${[...keys]}::text[]) AND direction = 'out'
    ORDER BY correspondent_key, occurred_at DESC`.execute(db)
  return new Map(rows.map((row) => [row.correspondentKey, row]))
}

/** The user's messages with these ids and whom they went to. `hasLeft`: Howl sent it, or it was found among the sent ones. */
export async function sentAmong(
  db: Queryable,
  userId: number,
  ids: readonly number[],
): Promise<{ id: number; correspondentKey: string; recipientKeys: string[]; hasLeft: boolean }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number; correspondentKey: string; lines: string[]; hasLeft: boolean }>`
    SELECT e.id, e.correspondent_key AS "correspondentKey",
      ARRAY[e.to_line, coalesce(b.cc_line, ''), coalesce(b.bcc_line, '')] AS lines,
      'sent' IN (e.folder, coalesce(e.original_folder, ''), coalesce(e.trashed_from, ''))
        OR EXISTS (SELECT FROM deliveries d WHERE d.user_id = e.user_id AND d.email_id = e.id) AS "hasLeft"
    FROM emails e LEFT JOIN email_bodies b ON b.user_id = e.user_id AND b.email_id = e.id
    WHERE e.user_id = ${anyUser(userId)} AND e.id = ANY(${[...ids]}::bigint[]) AND e.direction = 'out'
    `.execute(db)
  return rows.map(({ lines, ...mail }) => {
    const named = lines.flatMap(parseAddressList).filter(({ address }) => isSendable(address))
    return { ...mail, recipientKeys: [...new Set(named.map(({ address }) => addressKey(address)))] }
  })
}

/**
 * Records that mail came from these addresses; the first reply and the first sign of interest stay. Rows that would not
 * change, as when older mail is read, are not written again.
 */
export async function noteReceived(
  tx: Tx,
  userId: number,
  receivedFrom: readonly ReceivedFrom[],
): Promise<void> {
  if (receivedFrom.length === 0) return
  const when = (at: Date, holds: boolean) => (holds ? at : null)
  await sql`
    INSERT INTO correspondents AS c (user_id, address_key, last_received_at, replied_at, interested_at)
    SELECT ${userId}::bigint, h.key, max(h.at), min(h.replied_at), min(h.interested_at)
    FROM unnest(${receivedFrom.map((h) => h.key)}::text[], ${receivedFrom.map((h) => h.at)}::timestamptz[],
      ${receivedFrom.map((h) => when(h.at, h.replied))}::timestamptz[], ${receivedFrom.map((h) => when(h.at, h.interested))}::timestamptz[]
    ) AS h(key, at, replied_at, interested_at)
    WHERE NOT EXISTS (
      SELECT FROM correspondents k WHERE k.user_id = ${anyUser(userId)} AND k.address_key = h.key AND k.last_received_at >= h.at
        AND (h.replied_at IS NULL OR k.replied_at IS NOT NULL) AND (h.interested_at IS NULL OR k.interested_at IS NOT NULL))
    GROUP BY h.key ORDER BY h.key
    ON CONFLICT (user_id, address_key) DO UPDATE SET
      last_received_at = greatest(c.last_received_at, excluded.last_received_at),
      replied_at = coalesce(c.replied_at, excluded.replied_at),
      interested_at = coalesce(c.interested_at, excluded.interested_at)`.execute(tx)
}

/**
 * Records messages sent from another program, and finds replies from contacts that were stored before the message they
 * answer. Only mail written by people counts.
 *
 * @returns when these replies came
 */
export async function noteSentElsewhere(
  tx: Tx,
  userId: number,
  sent: readonly { key: string; at: Date }[],
): Promise<Date[]> {
  if (sent.length === 0) return []
  const keys = [...new Set(sent.map(({ key }) => key))]
  await sql`
    INSERT INTO correspondents AS c (user_id, address_key, first_sent_at, last_sent_at)
    SELECT ${userId}::bigint, s.key, min(s.at), max(s.at)
    FROM unnest(${sent.map(({ key }) => key)}::text[], ${sent.map(({ at }) => at)}::timestamptz[]) AS s(key, at)
    GROUP BY s.key ORDER BY s.key
    ON CONFLICT (user_id, address_key) DO UPDATE SET
      first_sent_at = least(c.first_sent_at, excluded.first_sent_at),
      last_sent_at = greatest(c.last_sent_at, excluded.last_sent_at)`.execute(tx)
  const { rows } = await sql<{ at: Date | null }>`
    UPDATE correspondents c SET replied_at = (
      SELECT min(e.occurred_at) FROM emails e
      WHERE e.user_id = c.user_id AND e.correspondent_key = c.address_key AND e.direction = 'in' AND e.kind = 'personal'
        AND e.has_body AND e.folder <> 'spam' AND e.occurred_at >= c.first_sent_at)
    WHERE c.user_id = ${userId} AND c.address_key = ANY(${keys}::text[]) AND c.replied_at IS NULL
      AND c.last_received_at >= c.first_sent_at
      AND EXISTS (SELECT FROM contacts k WHERE k.user_id = c.user_id AND k.email_key = c.address_key)
    RETURNING c.replied_at AS at`.execute(tx)
  return rows.flatMap(({ at }) => (at === null ? [] : [at]))
}

/** Records what a remote server reported about one of our messages after it was sent; hearsay takes the place of nothing. */
export async function noteDeliveryReason(
  tx: Tx,
  userId: number,
  { emailId, reason, isProven }: { emailId: number; reason: string; isProven: boolean },
): Promise<void> {
  await sql`
    UPDATE deliveries SET reason = ${reason}
    WHERE user_id = ${userId} AND email_id = ${emailId} AND state = 'sent'
      AND (${isProven} OR coalesce(reason, '') = '')`.execute(tx)
}

/**
 * Counts an address at which a mail has failed, for the day on which it left. Practice mail, mail of other programs and mail
 * of Howl itself do not count. What is certain is not replaced by what is not.
 */
export async function noteFailedAddress(
  tx: Tx,
  userId: number,
  failure: {
    key: string
    reason: 'bounced' | 'complaint'
    detail: string
    emailId: number
    isCertain: boolean
  },
): Promise<void> {
  const { key, reason, detail, emailId, isCertain } = failure
  await sql`
    INSERT INTO failed_addresses AS f (user_id, address_key, kind, at, at_once, is_certain)
    SELECT d.user_id, ${key}, failure_kind(${reason}, ${detail}), d.settled_at, false, ${isCertain}
    FROM deliveries d JOIN mailboxes m ON m.user_id = d.user_id AND m.id = d.mailbox_id AND NOT m.is_practice
    JOIN users u ON u.id = d.user_id AND NOT u.is_system
    WHERE d.user_id = ${userId} AND d.email_id = ${emailId} AND d.state = 'sent'
    ON CONFLICT (user_id, address_key) DO UPDATE
      SET kind = excluded.kind, at = excluded.at, at_once = false, is_certain = excluded.is_certain, is_seen = false
      WHERE (excluded.is_certain, excluded.at) > (f.is_certain, f.at)`.execute(tx)
}
