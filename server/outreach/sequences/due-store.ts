import { sql } from 'kysely'
import { anyUser } from '../../platform/database/any-user.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute, numberOf, rowsOf } from '../../platform/database/rows.ts'
import type { MemberRow } from './members-store.ts'

/** A sequence with members that are due, and the account that it sends through; null: there is none. */
export type DueSequence = { userId: number; sequenceId: number; accountId: number | null }

/** The account that a sequence `q` sends through, as `accountOf` finds it; `p` is the account in use. */
const account = sql`CASE WHEN p.is_practice THEN p.id ELSE coalesce(q.mailbox_id, p.id) END`
const accountInUse = sql`mailboxes p ON p.user_id = q.user_id AND p.is_primary AND p.disconnected_at IS NULL`

/**
 * The sequences of all users with members that are due, whose first has been due the longest first. They are found among the
 * `look` members that have been due the longest; if more are due, all sequences at work are asked: the many members of one must
 * not hide the others.
 */
export async function dueSequences(db: Queryable, now: Date, look: number): Promise<DueSequence[]> {
  const rows = await rowsOf<DueSequence & { members: number }>(db)`
    SELECT q.user_id AS "userId", q.id AS "sequenceId", ${account} AS "accountId", members FROM (
      SELECT user_id, sequence_id, count(*)::int AS members, min(due_at) AS due_at, min(id) AS id FROM (
        SELECT user_id, sequence_id, due_at, id FROM sequence_members WHERE is_open AND due_at <= ${now}
        ORDER BY due_at, id LIMIT ${look}
      ) due GROUP BY 1, 2
    ) first
    JOIN sequences q ON q.user_id = first.user_id AND q.id = first.sequence_id
    LEFT JOIN ${accountInUse} ORDER BY first.due_at, first.id`
  const seen = rows.reduce((sum, { members }) => sum + members, 0)
  return seen < look ? rows : allDueSequences(db, now)
}

async function allDueSequences(db: Queryable, now: Date): Promise<DueSequence[]> {
  return rowsOf<DueSequence>(db)`
    SELECT q.user_id AS "userId", q.id AS "sequenceId", ${account} AS "accountId" FROM sequences q
    CROSS JOIN LATERAL (
      SELECT due_at, id FROM sequence_members m
      WHERE m.user_id = q.user_id AND m.sequence_id = q.id AND is_open AND due_at <= ${now}
      ORDER BY due_at, id LIMIT 1
    ) first
    LEFT JOIN ${accountInUse} WHERE q.state = 'running' ORDER BY first.due_at, first.id`
}

/** Puts off all members of a sequence that are due, but for those that a round of another worker has. */
export const postponeDue = (
  tx: Tx,
  userId: number,
  sequenceId: number,
  { now, until }: { now: Date; until: Date },
) => execute(tx)`
  WITH due AS MATERIALIZED (
    SELECT user_id, id FROM sequence_members
    WHERE user_id = ${userId} AND sequence_id = ${sequenceId} AND is_open AND due_at <= ${now}
    ORDER BY id FOR UPDATE SKIP LOCKED
  )
  UPDATE sequence_members m SET due_at = ${until} FROM due d WHERE m.user_id = d.user_id AND m.id = d.id`

/** Where members wait for their turn: times in order, and how many have their turn at each. */
export type Turns = {
  slots: (count: number) => readonly Date[]
  aSlot: number
  why: string | null
  whyLater: string
}

/**
 * Puts off the members of a sequence that are due and before one of these mails, `most` at most and the longest due first, but
 * for those that a round of another worker has. The first slot takes one slot's worth of them, the next ones what the members
 * of this sequence leave free; the last one takes the rest.
 */
export async function postponeTurns(
  tx: Tx,
  of: {
    userId: number
    sequenceId: number
    now: Date
    mails: readonly { version: number; step: number }[]
    most: number
  },
  { slots: slotsFor, aSlot, why, whyLater }: Turns,
): Promise<void> {
  const rows = await rowsOf<{ id: number }>(tx)`
    SELECT id FROM sequence_members
    WHERE user_id = ${of.userId} AND sequence_id = ${of.sequenceId} AND is_open AND due_at <= ${of.now}
      AND (version, step) IN (SELECT * FROM unnest(${of.mails.map(({ version }) => version)}::int[],
        ${of.mails.map(({ step }) => step)}::int[]))
    ORDER BY due_at, id LIMIT ${of.most} FOR UPDATE SKIP LOCKED`
  if (rows.length === 0) return
  // Twice as many as would do: some are taken.
  const slots = slotsFor(rows.length <= aSlot ? 1 : 2 * Math.ceil(rows.length / aSlot))
  const taken = slots.length === 1 ? new Map<number, number>() : await countTurns(tx, of, slots)
  const places: number[] = []
  for (let slot = 1; slot <= slots.length && places.length < rows.length; slot += 1) {
    const left = rows.length - places.length
    const free =
      slot === 1 ? aSlot : slot === slots.length ? left : Math.max(0, aSlot - (taken.get(slot) ?? 0))
    places.push(...Array<number>(Math.min(left, free)).fill(slot))
  }
  await execute(tx)`
    UPDATE sequence_members m SET due_at = (${[...slots]}::timestamptz[])[v.place],
      why = CASE WHEN m.has_gap THEN m.why WHEN v.place = 1 THEN ${why}::text ELSE ${why ?? whyLater}::text END
    FROM unnest(${rows.map(({ id }) => id)}::bigint[], ${places}::int[]) AS v(id, place)
    WHERE m.user_id = ${anyUser(of.userId)} AND m.id = v.id`
}

/**
 * Makes so many members of a sequence due that wait for their turn (`why`) until an instant at most: others had a turn and do not
 * take it. Those who would wait the longest are taken, so that no slot before theirs is left empty.
 */
export const pullForward = (
  tx: Tx,
  { userId, sequenceId, now }: { userId: number; sequenceId: number; now: Date },
  { count, until, why }: { count: number; until: Date; why: string },
) => execute(tx)`
  UPDATE sequence_members m SET due_at = ${now}, why = NULL FROM (
    SELECT id FROM sequence_members
    WHERE user_id = ${userId} AND sequence_id = ${sequenceId} AND is_open AND due_at > ${now} AND due_at <= ${until}
      AND why = ${why}
    ORDER BY due_at DESC, id LIMIT ${count} FOR UPDATE SKIP LOCKED
  ) next WHERE m.user_id = ${anyUser(userId)} AND m.id = next.id`

/** How many members of a sequence have their turn in each of these slots; slots are counted from 1. */
async function countTurns(
  tx: Tx,
  { userId, sequenceId }: { userId: number; sequenceId: number },
  slots: readonly Date[],
): Promise<Map<number, number>> {
  const rows = await rowsOf<{ slot: number; members: number }>(tx)`
    SELECT width_bucket(due_at, ${[...slots]}::timestamptz[]) AS slot, count(*)::int AS members FROM sequence_members
    WHERE user_id = ${userId} AND sequence_id = ${sequenceId} AND is_open
      AND due_at >= ${slots[0]} AND due_at < ${slots.at(-1)}
    GROUP BY 1`
  return new Map(rows.map(({ slot, members }) => [slot, members]))
}

/** Claims members of a sequence that are due, the longest first; another worker gets others. */
export const claimDue = (
  tx: Tx,
  userId: number,
  sequenceId: number,
  now: Date,
  limit: number,
) => rowsOf<MemberRow>(tx)`
  SELECT * FROM sequence_members
  WHERE user_id = ${userId} AND sequence_id = ${sequenceId} AND is_open AND due_at <= ${now}
  ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`

export type MemberFacts = {
  id: number
  replied: boolean
  intent: string | null
  status: string
  /** As tags are compared. */
  tags: string[]
}

/** Of a mail: somebody has written it in answer, and no machine. */
const isAnswer = sql`direction = 'in' AND kind = 'personal' AND has_body AND folder <> 'spam'
  AND intent IS DISTINCT FROM 'out_of_office'`

/** What conditions ask about members; of those whose contact is gone there is nothing. */
export async function factsOf(tx: Tx, userId: number, members: readonly MemberRow[]) {
  const rows = await rowsOf<MemberFacts>(tx)`
    SELECT m.id, r.id IS NOT NULL AS replied, r.intent, c.status,
      ARRAY(SELECT t.name_key FROM contact_tags k JOIN tags t ON t.user_id = k.user_id AND t.id = k.tag_id
        WHERE k.user_id = c.user_id AND k.contact_id = c.id) AS tags
    FROM unnest(${members.map(({ id }) => id)}::bigint[], ${members.map((member) => member.contact_id)}::bigint[],
      ${members.map((member) => member.started_at)}::timestamptz[],
      ${members.map((member) => member.sequence_id)}::bigint[], ${members.map((member) => member.started_by)}::text[])
      AS m(id, contact_id, started_at, sequence_id, started_by)
    JOIN sequences q ON q.user_id = ${anyUser(userId)} AND q.id = m.sequence_id
    JOIN contacts c ON c.user_id = ${anyUser(userId)} AND c.id = m.contact_id
    LEFT JOIN LATERAL (
      SELECT e.id, e.intent FROM (
        SELECT id, intent, mailbox_id, occurred_at FROM emails
        WHERE user_id = c.user_id AND correspondent_key = c.email_key AND ${isAnswer}
          AND (mail_came_at(occurred_at, created_at) > m.started_at
            OR mail_came_at(occurred_at, created_at) = m.started_at AND m.started_by <> 'intent')
        UNION ALL
        -- In the conversation itself an answer is one whatever time it bears, and from whichever address it comes. For each
        -- member by itself: OFFSET 0 keeps the database from joining the mails of all members.
        SELECT e.* FROM (SELECT email_id FROM sequence_mails WHERE user_id = c.user_id AND member_id = m.id OFFSET 0) s
        CROSS JOIN LATERAL (SELECT thread_id FROM emails WHERE user_id = c.user_id AND id = s.email_id OFFSET 0) o
        CROSS JOIN LATERAL (
          SELECT id, intent, mailbox_id, occurred_at FROM emails
          WHERE user_id = c.user_id AND thread_id = o.thread_id AND ${isAnswer} OFFSET 0) e
      ) e JOIN mailboxes b ON b.user_id = c.user_id AND b.id = e.mailbox_id AND b.is_practice = q.in_practice
      ORDER BY e.occurred_at DESC LIMIT 1
    ) r ON true`
  return new Map(rows.map((row) => [row.id, row]))
}

/** The newest mail of a member: what the next one in the same conversation answers. */
export type LastMail = {
  memberId: number
  emailId: number
  messageId: string
  references: string[]
  threadId: number
  subject: string
  queuedAt: Date
  /** Null: it has not left, as far as is known. */
  leftAt: Date | null
}

export async function lastMailsOf(tx: Tx, userId: number, memberIds: readonly number[]) {
  if (memberIds.length === 0) return new Map<number, LastMail>()
  const rows = await rowsOf<LastMail>(tx)`
    SELECT DISTINCT ON (s.member_id) s.member_id AS "memberId", s.email_id AS "emailId", e.message_id AS "messageId",
      e.reference_ids AS "references", e.thread_id AS "threadId", e.subject, s.queued_at AS "queuedAt",
      CASE WHEN d.state = 'sent' THEN d.settled_at END AS "leftAt"
    FROM sequence_mails s JOIN emails e ON e.user_id = s.user_id AND e.id = s.email_id
    LEFT JOIN deliveries d ON d.user_id = s.user_id AND d.email_id = s.email_id
    WHERE s.user_id = ${anyUser(userId)} AND s.member_id = ANY(${[...memberIds]}::bigint[])
    ORDER BY s.member_id, s.email_id DESC`
  return new Map(rows.map((row) => [row.memberId, row]))
}

/** Lets one transaction at a time write mails of sequences through an account, so that its pace is exact. */
export const lockPace = (tx: Tx, userId: number, mailboxId: number) => execute(tx)`
  SELECT pg_advisory_xact_lock(hashtextextended('pace of ' || ${mailboxId}::text, ${userId}))`

/**
 * How many mails of sequences an account has written since an instant, with those that were written before and wait in front of
 * it: they leave all at once when it can send again.
 */
export const countMailsSince = (db: Queryable, userId: number, mailboxId: number, at: Date) => numberOf(db)`
    SELECT count(*)::int AS mails FROM (
      SELECT email_id FROM sequence_mails
      WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} AND queued_at >= ${at}
      UNION
      -- The groups of sequences are those below 0. They have an index of their own, which says it so
      -- too; the index on all groups must not be used: it knows everything that has left.
      SELECT email_id FROM deliveries
      WHERE queue = 'due' AND user_id = ${userId} AND mailbox_id = ${mailboxId}
        -- A mail that one address only puts off does not hold up the others.
        AND (state IN ('queued', 'claimed', 'committed') OR state = 'deferred' AND EXISTS (
          SELECT FROM mailboxes b WHERE b.user_id = ${userId} AND b.id = ${mailboxId} AND b.last_error IS NOT NULL))
        AND -group_id > 0
    ) found`

/** How many mails a sequence has written through an account since an instant. */
export const countOwnMails = (
  db: Queryable,
  of: { userId: number; sequenceId: number; mailboxId: number; since: Date },
) => numberOf(db)`
  SELECT count(*)::int AS mails FROM sequence_mails
  WHERE user_id = ${of.userId} AND mailbox_id = ${of.mailboxId} AND queued_at >= ${of.since}
    AND sequence_id = ${of.sequenceId}`

export type NewMail = { emailId: number; memberId: number; step: number }

export async function addMails(
  tx: Tx,
  of: { userId: number; sequenceId: number; mailboxId: number; now: Date },
  mails: readonly NewMail[],
) {
  if (mails.length === 0) return
  await execute(tx)`
    INSERT INTO sequence_mails (user_id, email_id, sequence_id, member_id, step, mailbox_id, queued_at)
    SELECT ${of.userId}, m.email_id, ${of.sequenceId}, m.member_id, m.step, ${of.mailboxId}, ${of.now}
    FROM unnest(${mails.map(({ emailId }) => emailId)}::bigint[], ${mails.map(({ memberId }) => memberId)}::bigint[],
      ${mails.map(({ step }) => step)}::int[]) AS m(email_id, member_id, step)`
}

/** Where a member goes on; `why` if it waits for something that its steps do not say. `late_mail_id` null leaves it as it is. */
export type Move = Pick<
  MemberRow,
  'id' | 'state' | 'step' | 'due_at' | 'ready_at' | 'why' | 'reason' | 'late_mail_id' | 'has_gap'
>

/** Moves members on, all in one statement. */
export async function moveMembers(tx: Tx, userId: number, moves: readonly Move[], now: Date): Promise<void> {
  if (moves.length === 0) return
  await execute(tx)`
    UPDATE sequence_members m SET state = v.state, step = v.step, due_at = v.due_at, ready_at = v.ready_at, why = v.why, reason = v.reason,
      late_mail_id = coalesce(v.late_mail_id, m.late_mail_id), has_gap = v.has_gap,
      is_open = v.state = 'active', ended_at = CASE WHEN v.state = 'active' THEN NULL ELSE ${now}::timestamptz END
    FROM unnest(${moves.map(({ id }) => id)}::bigint[], ${moves.map(({ state }) => state)}::text[],
      ${moves.map(({ step }) => step)}::int[], ${moves.map((move) => move.due_at)}::timestamptz[],
      ${moves.map((move) => move.ready_at)}::timestamptz[],
      ${moves.map(({ why }) => why)}::text[], ${moves.map(({ reason }) => reason)}::text[],
      ${moves.map((move) => move.late_mail_id)}::bigint[], ${moves.map((move) => move.has_gap)}::boolean[])
      AS v(id, state, step, due_at, ready_at, why, reason, late_mail_id, has_gap)
    WHERE m.user_id = ${anyUser(userId)} AND m.id = v.id`
}

/** Notes for triggers, from now on in this transaction: how many sequences have started each other, and whether in practice. */
export const setDepth = (tx: Tx, depth: number, inPractice: boolean) => execute(tx)`
  SELECT set_config('howl.sequence_depth', ${String(depth)}, true),
  set_config('howl.sequence_practice', ${String(inPractice)}, true)`
