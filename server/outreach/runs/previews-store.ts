import { type Insertable, type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute, rowOf, rowsOf } from '../../platform/database/rows.ts'
import type { OutreachPreviewsTable } from './tables.ts'

export type PreviewRow = Selectable<OutreachPreviewsTable>

/** A mail that was shown leaves as it was shown for this long. */
export const PREVIEW_AGE_MS = 24 * 3_600_000
/** One AI request writes the mail to a contact this often; then another one is spent. */
export const WRITINGS_MAX = 5
/** The text of a mail that was written from the brief. */
export const NO_TEMPLATE = 0
/** More are not kept: a preview shows a few mails at a time. */
const KEPT_MAX = 1000

const oldest = (now: Date) => new Date(now.getTime() - PREVIEW_AGE_MS)

/** The previews that are not too old, by contact: of this text, else of another one, which tells who is left out. */
export async function keptPreviews(db: Queryable, userId: number, templateId: number, now: Date) {
  const rows = await rowsOf<PreviewRow>(db)`
    SELECT * FROM outreach_previews WHERE user_id = ${userId} AND made_at > ${oldest(now)}
    ORDER BY made_at DESC LIMIT ${KEPT_MAX}`
  return byContact(rows, templateId)
}

function byContact(rows: readonly PreviewRow[], templateId: number): Map<number, PreviewRow> {
  const found = new Map<number, PreviewRow>()
  for (const row of rows)
    if (row.template_id === templateId || !found.has(row.contact_id)) found.set(row.contact_id, row)
  return found
}

/** Those of these contacts. */
export async function previewsTo(
  db: Queryable,
  userId: number,
  contactIds: readonly number[],
  templateId: number,
  now: Date,
) {
  const rows = await rowsOf<PreviewRow>(db)`
    SELECT * FROM outreach_previews WHERE user_id = ${userId} AND contact_id = ANY(${[...contactIds]}::bigint[])
      AND made_at > ${oldest(now)}`
  return byContact(rows, templateId)
}

/**
 * Keeps written mails. One that was kept before stays if it was written from the same: two tabs that ask at once show the
 * same mails.
 */
export async function keepPreviews(
  tx: Tx,
  previews: readonly Insertable<OutreachPreviewsTable>[],
  now: Date,
) {
  if (previews.length === 0) return
  await tx
    .insertInto('outreach_previews')
    .values([...previews])
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'contact_id', 'template_id'])
        .doUpdateSet(({ ref }) => ({
          subject: ref('excluded.subject'),
          body: ref('excluded.body'),
          edited: false,
          left_out: ref('excluded.left_out'),
          fallback: ref('excluded.fallback'),
          brief_version: ref('excluded.brief_version'),
          basis: ref('excluded.basis'),
          ai_use_id: ref('excluded.ai_use_id'),
          writings: sql<number>`CASE WHEN outreach_previews.ai_use_id = excluded.ai_use_id
            THEN outreach_previews.writings ELSE 0 END + 1`,
          made_at: ref('excluded.made_at'),
        }))
        .where(
          sql<boolean>`outreach_previews.made_at <= ${oldest(now)} OR NOT outreach_previews.edited
            AND NOT outreach_previews.left_out AND (outreach_previews.basis <> excluded.basis
              OR outreach_previews.brief_version IS DISTINCT FROM excluded.brief_version)`,
        ),
    )
    .execute()
}

/** A mail by its contact and the text that it was shown from. */
export type PreviewKey = { userId: number; contactId: number; templateId: number }

/** The preview of a contact from this text; undefined where there is none. */
export async function findPreview(db: Queryable, { userId, contactId, templateId }: PreviewKey, now: Date) {
  return (await previewsTo(db, userId, [contactId], templateId, now))
    .values()
    .find((row) => row.template_id === templateId)
}

/** Changes a kept preview; undefined where there is none. */
export async function changePreviewRow(
  tx: Tx,
  { userId, contactId, templateId }: PreviewKey,
  change: Partial<
    Pick<
      PreviewRow,
      'subject' | 'body' | 'edited' | 'left_out' | 'fallback' | 'brief_version' | 'basis' | 'made_at'
    >
  >,
  now: Date,
): Promise<PreviewRow | undefined> {
  return tx
    .updateTable('outreach_previews')
    .set(change)
    .where('user_id', '=', userId)
    .where('contact_id', '=', contactId)
    .where('template_id', '=', templateId)
    .where('made_at', '>', oldest(now))
    .returningAll()
    .executeTakeFirst()
}

/** Leaves a contact out of the next run, or takes it back in, whatever the run is written from. */
export const leaveOut = (tx: Tx, userId: number, contactId: number, isLeftOut: boolean) => execute(tx)`
  UPDATE outreach_previews SET left_out = ${isLeftOut}
  WHERE user_id = ${userId} AND contact_id = ${contactId}`

/** Takes the AI request of the previews for a run; null where none is open. It counts for one run. */
export async function takePreviewUse(tx: Tx, userId: number, now: Date): Promise<number | null> {
  const use = await rowOf<{ ai_use_id: number }>(tx)`
    SELECT ai_use_id FROM outreach_previews
    WHERE user_id = ${userId} AND ai_use_id IS NOT NULL AND made_at > ${oldest(now)} ORDER BY ai_use_id DESC LIMIT 1`
  await execute(tx)`
    UPDATE outreach_previews SET ai_use_id = NULL WHERE user_id = ${userId} AND ai_use_id IS NOT NULL`
  return use?.ai_use_id ?? null
}

/** Removes what a run has used, or what is too old. */
export async function dropPreviews(tx: Tx, userId: number, contactIds: readonly number[]): Promise<void> {
  if (contactIds.length === 0) return
  await execute(tx)`DELETE FROM outreach_previews WHERE user_id = ${userId}
    AND contact_id = ANY(${[...contactIds]}::bigint[])`
}

export const dropOldPreviews = (tx: Tx, userId: number, now: Date) =>
  execute(tx)`DELETE FROM outreach_previews WHERE user_id = ${userId} AND made_at <= ${oldest(now)}`
