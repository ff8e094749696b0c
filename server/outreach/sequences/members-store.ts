import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import {
  ENROL_WARNINGS,
  type EnrolWarning,
  type OnWarning,
  WARNING_NAMES_MAX,
} from '#contract/outreach/sequences.ts'
import type {
  MemberState,
  sequences,
  SKIP_REASONS,
  SequenceState,
  SequenceStep,
  StopReason,
} from '#contract/outreach/sequences.ts'
import { anyUser } from '../../platform/database/any-user.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute, idsOf, numberOf, rowsOf } from '../../platform/database/rows.ts'
import type { SequenceRow } from './store.ts'
import type { SequenceMembersTable } from './tables.ts'

export type MemberRow = Selectable<SequenceMembersTable>
/** A member with its contact; null once that was deleted. */
export type ListedMember = MemberRow & { name: string | null; email: string | null }
export type SkipReason = (typeof SKIP_REASONS)[number]

/** How contacts come into a sequence. */
export type Entry = {
  sequenceId: number
  version: number
  startedBy: MemberRow['started_by']
  depth: number
  now: Date
  /** The first step; null in a draft. */
  step: number | null
  dueAt: Date | null
  isOpen: boolean
  /** Who was in it may come in again if that began before this; null: never. */
  againBefore: Date | null
  /** They are noted, but stop at once. */
  stopped: StopReason | null
}

/** Of a member `m`: something may still reach its contact. At the end that is its last mail, until it has left. */
export const isUnderWay = sql`(m.state IN ('active', 'paused') OR m.state = 'done' AND EXISTS (
  SELECT FROM sequence_mails last JOIN deliveries d ON d.user_id = last.user_id AND d.email_id = last.email_id
  WHERE last.user_id = m.user_id AND last.member_id = m.id AND d.resends = 0
    AND d.state IN ('queued', 'deferred', 'held', 'claimed')))`

/** `enrolment` identifies the members that the call adds, so that they can be taken out again. */
export type EnrolOptions = { enrolment: string | null; onWarning: OnWarning }

/** How many contacts were added, why others were skipped, and the warnings to confirm. */
type Added = {
  enrolled: number
  skipped: Map<SkipReason, number>
  warnings: EnrolWarning[]
  others: number
}

/** The warning about the contact `c`, or NULL. */
const warningAt = (now: Date) => sql`CASE
  WHEN (SELECT true FROM correspondents k WHERE k.user_id = c.user_id AND k.address_key = c.email_key
    AND k.replied_at IS NOT NULL LIMIT 1) THEN 'replied'
  WHEN (SELECT true FROM contact_meetings t WHERE t.user_id = c.user_id AND t.contact_id = c.id
    AND t.end_time > ${now} LIMIT 1) THEN 'meeting'
  WHEN (SELECT true FROM contact_unpaid_invoices i WHERE i.user_id = c.user_id AND i.contact_id = c.id LIMIT 1) THEN 'invoice' END`

/**
 * Puts contacts into a sequence, in one statement; tells how many, and why the others are not. With
 * `onWarning: 'ask'` it adds nobody if there is a warning.
 */
export async function addMembers(
  tx: Tx,
  userId: number,
  contactIds: readonly number[],
  entry: Entry,
  { enrolment, onWarning }: EnrolOptions = { enrolment: null, onWarning: 'add' },
): Promise<Added> {
  const state = entry.stopped === null ? 'active' : 'stopped'
  const warning = onWarning === 'add' ? sql`NULL` : warningAt(entry.now)
  const asked = onWarning === 'ask' ? ENROL_WARNINGS : []
  const rows = await rowsOf<{
    why: SkipReason | null
    contacts: number
    added: number
    names: string[] | null
  }>(tx)`
    WITH judged AS MATERIALIZED (
      SELECT c.id, c.email_key, coalesce(nullif(c.name, ''), c.email) AS name, CASE
        WHEN l.live THEN 'already_in'
        WHEN was.latest IS NOT NULL AND (${entry.againBefore}::timestamptz IS NULL OR was.latest > ${entry.againBefore}) THEN 'was_in'
        WHEN p.reason = 'declined' THEN 'declined'
        WHEN p.address_key IS NOT NULL THEN 'suppressed'
        WHEN c.email_key NOT LIKE '_%@_%' THEN 'invalid'
        ELSE ${warning} END AS why
      FROM contacts c
      -- For each contact by itself, in all sequences: this one may have a million members. OFFSET 0 leaves the database no other way.
      CROSS JOIN LATERAL (
        SELECT bool_or(m.state IN ('active', 'paused')) AS live, max(m.started_at) AS latest
        FROM (SELECT * FROM sequence_members WHERE contact_id = c.id OFFSET 0) m
        WHERE m.user_id = c.user_id AND m.sequence_id = ${entry.sequenceId}
      ) l
      CROSS JOIN LATERAL (
        -- A contact that was deleted and added again is another contact, and the same person.
        SELECT max(m.started_at) AS latest
        FROM (SELECT * FROM sequence_members WHERE address_key = c.email_key OFFSET 0) m
        WHERE m.user_id = c.user_id AND m.sequence_id = ${entry.sequenceId}
      ) a
      CROSS JOIN LATERAL (SELECT greatest(l.latest, a.latest) AS latest) was
      LEFT JOIN suppressions p ON p.user_id = ${anyUser(userId)} AND p.address_key = c.email_key
      WHERE c.user_id = ${anyUser(userId)} AND c.id = ANY(${[...contactIds]}::bigint[])
    ), added AS (
      INSERT INTO sequence_members (user_id, sequence_id, contact_id, address_key, version, state, step, is_open, due_at, reason,
        started_by, depth, started_at, ended_at, enrolment)
      SELECT ${userId}::bigint, ${entry.sequenceId}::bigint, id, email_key, ${entry.version}, ${state}, ${entry.step}::int,
        ${entry.isOpen && entry.stopped === null}, ${entry.dueAt}::timestamptz, ${entry.stopped}::text,
        ${entry.startedBy}, ${entry.depth}, ${entry.now}::timestamptz, ${entry.stopped === null ? null : entry.now}::timestamptz,
        ${enrolment}::uuid
      FROM judged WHERE why IS NULL AND NOT EXISTS (SELECT FROM judged WHERE why = ANY(${asked}::text[])) ORDER BY id
      ON CONFLICT DO NOTHING RETURNING contact_id
    ), counted AS (SELECT why, count(*)::int AS contacts FROM judged GROUP BY 1)
    SELECT why, contacts, (SELECT count(*)::int FROM added) AS added, CASE WHEN why = ANY(${asked}::text[]) THEN ARRAY(
      SELECT j.name FROM judged j WHERE j.why = k.why ORDER BY lower(j.name), j.id LIMIT ${WARNING_NAMES_MAX}) END AS names
    FROM counted k`
  const fitting = rows.find(({ why }) => why === null)
  const warnings = asked.flatMap((reason) =>
    rows.flatMap(({ why, contacts, names }) =>
      why === reason ? [{ reason, contacts, names: names ?? [] }] : [],
    ),
  )
  return {
    enrolled: fitting?.added ?? 0,
    skipped: new Map(
      rows.flatMap(({ why, contacts, names }) =>
        why === null || names !== null ? [] : [[why, contacts] as const],
      ),
    ),
    warnings,
    others: warnings.length === 0 ? 0 : (fitting?.contacts ?? 0),
  }
}

/** A page of a sequence's members: those due first in front, then the others, the newest first. */
export async function listMembers(
  db: Queryable,
  userId: number,
  sequenceId: number,
  filter: { state: MemberState | null; step: number | null; search: string },
  page: { limit: number; offset: number },
): Promise<{ rows: ListedMember[]; total: number }> {
  const like = `%${filter.search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const from = sql`FROM sequence_members m LEFT JOIN contacts c ON c.user_id = m.user_id AND c.id = m.contact_id
    WHERE m.user_id = ${userId} AND m.sequence_id = ${sequenceId}
      AND (${filter.state}::text IS NULL OR m.state = ${filter.state})
      AND (${filter.step}::int IS NULL OR (m.step = ${filter.step} AND m.state IN ('active', 'paused')))
      AND (${filter.search} = '' OR lower(c.name) LIKE ${like} OR c.email_key LIKE ${like})`
  const rows = await rowsOf<ListedMember>(db)`
    SELECT m.*, c.name, c.email ${from}
    ORDER BY array_position(ARRAY['active', 'paused', 'stopped', 'done'], m.state), m.has_gap DESC, m.due_at NULLS LAST, m.id
    LIMIT ${page.limit} OFFSET ${page.offset}`
  return { rows, total: await numberOf(db)`SELECT count(*)::int AS total ${from}` }
}

export type MembershipRow = ListedMember & {
  sequence: string
  sequence_state: SequenceState
  mailbox_id: number | null
  steps: SequenceStep[]
}

/**
 * Members whose next step is due at a time that is known, in all sequences of a user, the next first; the mails of the
 * sequences in `standing` after all others.
 */
export const dueMembers = (
  db: Queryable,
  userId: number,
  standing: readonly number[],
  limit: number,
) => rowsOf<MembershipRow>(db)`
  SELECT m.*, c.name, c.email, s.name AS sequence, s.state AS sequence_state, s.mailbox_id, v.steps
  -- Of each sequence by itself: one may have a million members.
  FROM sequences s CROSS JOIN LATERAL (
    SELECT * FROM sequence_members WHERE user_id = s.user_id AND sequence_id = s.id AND is_open AND NOT has_gap
      AND due_at IS NOT NULL ORDER BY due_at, id LIMIT ${limit}) m
  JOIN sequence_versions v ON v.user_id = m.user_id AND v.sequence_id = m.sequence_id AND v.version = m.version
  JOIN contacts c ON c.user_id = m.user_id AND c.id = m.contact_id
  WHERE s.user_id = ${userId} ORDER BY s.id = ANY(${[...standing]}::bigint[])
    AND v.steps @> jsonb_build_array(jsonb_build_object('id', m.step, 'kind', 'mail')), m.due_at, m.id LIMIT ${limit}`

/** The sequences that a contact is or was in, the newest first. */
export const membershipsOf = (
  db: Queryable,
  userId: number,
  contactId: number,
  limit: number,
) => rowsOf<MembershipRow>(db)`
  SELECT m.*, c.name, c.email, s.name AS sequence, s.state AS sequence_state, s.mailbox_id, v.steps
  FROM sequence_members m JOIN sequences s ON s.user_id = m.user_id AND s.id = m.sequence_id
  JOIN sequence_versions v ON v.user_id = m.user_id AND v.sequence_id = m.sequence_id AND v.version = m.version
  LEFT JOIN contacts c ON c.user_id = m.user_id AND c.id = m.contact_id
  WHERE m.user_id = ${userId} AND m.contact_id = ${contactId} ORDER BY m.id DESC LIMIT ${limit}`

/** What a member becomes that leaves before the end. */
export const stoppedBy = (reason: StopReason | RawBuilder<unknown>, now: Date) => sql`
  state = 'stopped', is_open = false, reason = ${reason}, why = NULL, ended_at = ${now}, was_paused = m.state = 'paused'`

/** Opens or closes all members of a sequence that are under way: they go on, or wait. */
export const openMembers = (tx: Tx, userId: number, id: number, isOpen: boolean) => execute(tx)`
  UPDATE sequence_members SET is_open = ${isOpen}
  WHERE user_id = ${userId} AND sequence_id = ${id} AND state = 'active' AND is_open <> ${isOpen}`

/** Lets the members of a draft begin. */
export const beginMembers = (
  tx: Tx,
  { user_id: userId, id, version }: SequenceRow,
  { step, dueAt, now }: { step: number; dueAt: Date; now: Date },
) => execute(tx)`
  UPDATE sequence_members
  SET version = ${version}, step = ${step}, due_at = ${dueAt}, started_at = ${now}, is_open = (state = 'active')
  WHERE user_id = ${userId} AND sequence_id = ${id} AND step IS NULL
    -- Who was taken out of the draft may be brought back.
    AND (state IN ('active', 'paused') OR state = 'stopped' AND reason = 'taken_out')`

/** Stops all members that are under way. */
export const stopAllMembers = (tx: Tx, userId: number, id: number, reason: StopReason, now: Date) => execute(
  tx,
)`
  UPDATE sequence_members m SET ${stoppedBy(reason, now)}
  WHERE m.user_id = ${userId} AND m.sequence_id = ${id} AND m.state IN ('active', 'paused')`

/** Forgets all members of a sequence, with what became of their mails. */
export async function removeMembers(tx: Tx, userId: number, sequenceId: number): Promise<void> {
  await execute(tx)`DELETE FROM sequence_members WHERE user_id = ${userId} AND sequence_id = ${sequenceId}`
  await execute(tx)`DELETE FROM sequence_mails WHERE user_id = ${userId} AND sequence_id = ${sequenceId}`
}

/** Moves members under way to another version: `places` says at which step each of the old ones goes on; null: it is over. */
export async function moveToVersion(
  tx: Tx,
  userId: number,
  sequenceId: number,
  change: { from: number; to: number; places: readonly (readonly [number, number | null])[]; now: Date },
): Promise<void> {
  const old = change.places.map(([from]) => from)
  const next = change.places.map(([, to]) => to)
  await execute(tx)`
    UPDATE sequence_members m SET version = ${change.to}, step = p.to_step,
      due_at = CASE WHEN m.has_gap THEN ${change.now}::timestamptz ELSE m.due_at END,
      state = CASE WHEN p.to_step IS NULL THEN 'done' ELSE m.state END,
      is_open = m.is_open AND p.to_step IS NOT NULL,
      ended_at = CASE WHEN p.to_step IS NULL THEN ${change.now}::timestamptz ELSE m.ended_at END
    FROM unnest(${old}::int[], ${next}::int[]) AS p(from_step, to_step)
    WHERE m.user_id = ${userId} AND m.sequence_id = ${sequenceId} AND m.version = ${change.from}
      AND m.step = p.from_step AND m.state IN ('active', 'paused')`
}

/** Those of these members whom something may still reach and who are not paused; nothing else changes them meanwhile. */
export const lockUnderWay = (tx: Tx, { user_id: userId, id }: SequenceRow, ids: readonly number[]) => idsOf(
  tx,
)`
  SELECT m.id FROM sequence_members m
  WHERE m.user_id = ${userId} AND m.sequence_id = ${id} AND m.id = ANY(${[...ids]}::bigint[])
    AND m.state <> 'paused' AND ${isUnderWay} ORDER BY m.id FOR UPDATE OF m`

/** Does what a user asks for to members of a sequence; returns the ids of those for which it makes sense. */
export function changeMembers(
  tx: Tx,
  { user_id: userId, id, state }: SequenceRow,
  { ids, act }: BodyOf<typeof sequences.act>,
  now: Date,
): Promise<number[]> {
  const isRunning = sql`${state === 'running'}`
  const [change, which] = {
    pause: [sql`state = 'paused', is_open = false`, sql`m.state = 'active'`],
    go_on: [sql`state = 'active', is_open = ${isRunning}`, sql`m.state = 'paused'`],
    next: [
      sql`due_at = ${now}, ready_at = NULL, why = NULL`,
      sql`m.state IN ('active', 'paused') AND m.due_at > ${now}`,
    ],
    take_out: [stoppedBy('taken_out', now), isUnderWay],
    undo_take_out: [backToWork(isRunning), sql`m.reason = 'taken_out' AND ${mayComeBack}`],
  }[act] as [RawBuilder<unknown>, RawBuilder<unknown>]
  return idsOf(tx)`
    UPDATE sequence_members m SET ${change}
    WHERE m.user_id = ${userId} AND m.sequence_id = ${id} AND m.id = ANY(${[...ids]}::bigint[]) AND ${which}
    RETURNING m.id`
}

/** What brings a member back that was stopped; held if it was held. */
const backToWork = (isRunning: RawBuilder<unknown>) => sql`
  state = CASE WHEN m.was_paused THEN 'paused' ELSE 'active' END, is_open = ${isRunning} AND NOT m.was_paused,
  reason = NULL, ended_at = NULL`

/**
 * Of a stopped member `m`: its contact is there and not in the sequence again, and a step is left to it. Without one it would
 * wait for good; only in a draft nobody has one.
 */
const mayComeBack = sql`m.state = 'stopped'
  AND (m.step IS NOT NULL AND m.due_at IS NOT NULL OR EXISTS (SELECT FROM sequences d
    WHERE d.user_id = m.user_id AND d.id = m.sequence_id AND d.state = 'draft'))
  AND EXISTS (SELECT FROM contacts c WHERE c.user_id = m.user_id AND c.id = m.contact_id)
  AND NOT EXISTS (SELECT FROM sequence_members o WHERE o.user_id = m.user_id AND o.sequence_id = m.sequence_id
    AND o.contact_id = m.contact_id AND o.id > m.id)`

/** Lets the members of contacts that were deleted and are there again go on where they were. */
export const bringBackDeleted = (tx: Tx, userId: number, contactIds: readonly number[]) => execute(tx)`
  UPDATE sequence_members m SET ${backToWork(sql`(q.state = 'running')`)} FROM sequences q
  WHERE m.user_id = ${userId} AND m.contact_id = ANY(${[...contactIds]}::bigint[]) AND m.reason = 'deleted'
    AND q.user_id = m.user_id AND q.id = m.sequence_id AND q.state <> 'ended' AND ${mayComeBack}`

/**
 * Mails of these members that have not left, the newest of each member last. They are locked: none of them leaves before the
 * transaction ends.
 */
export async function unsentMailsOf(tx: Tx, userId: number, memberIds: readonly number[]): Promise<number[]> {
  if (memberIds.length === 0) return []
  return idsOf(tx)`
    SELECT m.email_id AS id FROM sequence_mails m
    JOIN deliveries d ON d.user_id = m.user_id AND d.email_id = m.email_id
    WHERE m.user_id = ${anyUser(userId)} AND m.member_id = ANY(${[...memberIds]}::bigint[])
      AND d.state IN ('queued', 'deferred', 'held', 'claimed') ORDER BY m.email_id FOR UPDATE OF d`
}

/** What keeps a mail from leaving: its member is paused or stopped, or something that may stop it is being worked off. */
type Halt = { emailId: number; isOut: boolean; stoppingUntil: Date | null }

/** What keeps these mails from being sent. */
export const haltsOf = (
  db: Queryable,
  userId: number,
  mails: readonly { emailId: number; key: string }[],
) => rowsOf<Halt>(db)`
  SELECT m.email_id AS "emailId", b.state NOT IN ('active', 'done') AS "isOut", greatest(
    (SELECT max(coalesce(w.not_before, 'epoch')) FROM sequence_work w
      WHERE w.user_id = b.user_id AND w.kind = 'stop' AND w.contact_id = b.contact_id),
    (SELECT max(coalesce(w.not_before, 'epoch')) FROM sequence_work w
      WHERE w.user_id = b.user_id AND w.kind = 'stop' AND w.address_key = asked.key)) AS "stoppingUntil"
  -- Looked up one by one: without statistics the planner joins every row with every other.
  FROM unnest(${mails.map(({ emailId }) => emailId)}::bigint[], ${mails.map(({ key }) => key)}::text[]) AS asked(id, key)
  CROSS JOIN LATERAL (SELECT * FROM sequence_mails WHERE user_id = ${userId} AND email_id = asked.id OFFSET 0) m
  CROSS JOIN LATERAL (SELECT * FROM sequence_members WHERE id = m.member_id AND user_id = ${userId} OFFSET 0) b`

/** Locks the members to whom these mails go. */
export const lockMembersOf = (tx: Tx, userId: number, emailIds: readonly number[]) => execute(tx)`
  SELECT FROM sequence_members
  WHERE user_id = ${userId} AND id IN (SELECT member_id FROM sequence_mails
    WHERE user_id = ${userId} AND email_id = ANY(${[...emailIds]}::bigint[]))
  ORDER BY id FOR UPDATE`

/**
 * Sets members back to the steps whose mails are taken back, so that they write them if they go on; also those that are done,
 * unless their contact is in the sequence again. A step that the member's steps no longer have is not written again.
 */
export async function setBack(tx: Tx, userId: number, emailIds: readonly number[], now: Date): Promise<void> {
  if (emailIds.length === 0) return
  await execute(tx)`
    UPDATE sequence_members b SET step = f.step, due_at = ${now}, ready_at = NULL, why = NULL,
      state = CASE WHEN b.state = 'done' THEN 'active' ELSE b.state END, is_open = b.is_open OR b.state = 'done',
      ended_at = CASE WHEN b.state = 'done' THEN NULL ELSE b.ended_at END
    FROM (
      SELECT DISTINCT ON (m.member_id) m.member_id, m.step
      FROM sequence_mails m JOIN deliveries d ON d.user_id = m.user_id AND d.email_id = m.email_id
      WHERE m.user_id = ${userId} AND m.email_id = ANY(${[...emailIds]}::bigint[]) AND d.resends = 0
      ORDER BY m.member_id, m.email_id
    ) f
    WHERE b.user_id = ${userId} AND b.id = f.member_id
      AND EXISTS (SELECT FROM sequence_versions v, jsonb_array_elements(v.steps) s
        WHERE v.user_id = b.user_id AND v.sequence_id = b.sequence_id AND v.version = b.version
          AND (s ->> 'id')::int = f.step)
      AND (b.state <> 'done' OR NOT EXISTS (SELECT FROM sequence_members o
        WHERE o.user_id = b.user_id AND o.sequence_id = b.sequence_id AND o.contact_id = b.contact_id AND o.id > b.id))`
}

/** Contacts that are under way in a sequence, at most `limit`. */
export const liveContacts = (db: Queryable, userId: number, id: number, limit: number) => idsOf(db)`
  SELECT contact_id AS id FROM sequence_members
  WHERE user_id = ${userId} AND sequence_id = ${id} AND state IN ('active', 'paused') LIMIT ${limit}`
