import { sql } from 'kysely'
import type { Queryable } from '../../../platform/database/handles.ts'
import { rowsOf } from '../../../platform/database/rows.ts'

/** How many of the newest sent mails are looked at: an outreach run may lie between those that the user wrote. */
const LOOKED_AT = 2000

export type OwnSentMail = { id: number; text: string; toLine: string; contactName: string }

/**
 * Newest mails that the user sent from Compose, as a reply, or from another program: no bulk, system, automatic or forwarded
 * mail. Their text is cut.
 */
export async function ownSentMails(
  db: Queryable,
  userId: number,
  { since, limit, characters }: { since: Date; limit: number; characters: number },
): Promise<OwnSentMail[]> {
  return rowsOf<OwnSentMail>(db)`
    SELECT e.id, left(coalesce(c.own_text, b.text), ${characters}::int) AS text, e.to_line AS "toLine",
      coalesce(k.name, '') AS "contactName"
    FROM (SELECT user_id, id, to_line, correspondent_key, occurred_at, direction, kind, purpose, subject FROM emails
      WHERE user_id = ${userId} AND folder = 'sent' AND occurred_at >= ${since}
      ORDER BY occurred_at DESC, id DESC LIMIT ${LOOKED_AT}) e
    JOIN email_bodies b ON b.user_id = e.user_id AND b.email_id = e.id
    LEFT JOIN compositions c ON c.user_id = e.user_id AND c.email_id = e.id
    LEFT JOIN contacts k ON k.user_id = e.user_id AND k.email_key = e.correspondent_key
    WHERE e.direction = 'out' AND e.kind = 'personal' AND (e.purpose IS NULL OR e.purpose IN ('compose', 'reply'))
      AND c.forward_of IS NULL AND e.subject !~* '^\s*(fwd?|wg|tr|rv|i|enc|doorst)\s*:'
    ORDER BY e.occurred_at DESC, e.id DESC LIMIT ${limit}`
}

/** Notes a text that Howl has proposed, and forgets those that nobody asks for any more. */
export async function noteProposedText(
  db: Queryable,
  userId: number,
  hash: string,
  now: Date,
  forgotten: Date,
): Promise<void> {
  await db
    .insertInto('proposed_texts')
    .values({ user_id: userId, hash, proposed_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'hash']).doUpdateSet({ proposed_at: now }))
    .execute()
  await sql`DELETE FROM proposed_texts WHERE user_id = ${userId} AND proposed_at < ${forgotten}`.execute(db)
}

/** Which of these texts Howl has proposed. */
export async function proposedAmong(
  db: Queryable,
  userId: number,
  hashes: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    SELECT hash FROM proposed_texts WHERE user_id = ${userId} AND hash = ANY(${[...hashes]}::text[])
    `.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}
