import { type Insertable, type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
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
export async function keptPreviews(
  db: Queryable,
  userId: number,
  templateId: number,
  now: Date,
): Promise<Map<number, PreviewRow>> {
  const rows = await db
    .selectFrom('outreach_previews')
    .selectAll()
    .where('user_id', '=', userId)
    .where('made_at', '>', oldest(now))
    .orderBy('made_at', 'desc')
    .limit(KEPT_MAX)
    .execute()
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
): Promise<Map<number, PreviewRow>> {
  if (contactIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('outreach_previews')
    .selectAll()
    .where('user_id', '=', userId)
    .where(sql<boolean>`contact_id = ANY(${[...contactIds]}::bigint[])`)
    .where('made_at', '>', oldest(now))
    .execute()
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
): Promise<void> {
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
export async function findPreview(
  db: Queryable,
  { userId, contactId, templateId }: PreviewKey,
  now: Date,
): Promise<PreviewRow | undefined> {
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
export async function leaveOut(tx: Tx, userId: number, contactId: number, isLeftOut: boolean): Promise<void> {
  await tx
    .updateTable('outreach_previews')
    .set({ left_out: isLeftOut })
    .where('user_id', '=', userId)
    .where('contact_id', '=', contactId)
    .execute()
}

/** Takes the AI request of the previews for a run; null where none is open. It counts for one run. */
export async function takePreviewUse(tx: Tx, userId: number, now: Date): Promise<number | null> {
  const rows = await tx
    .selectFrom('outreach_previews')
    .select('ai_use_id')
    .where('user_id', '=', userId)
    .where('ai_use_id', 'is not', null)
    .where('made_at', '>', oldest(now))
    .orderBy('ai_use_id', 'desc')
    .limit(1)
    .execute()
  await tx
    .updateTable('outreach_previews')
    .set({ ai_use_id: null })
    .where('user_id', '=', userId)
    .where('ai_use_id', 'is not', null)
    .execute()
  return rows[0]?.ai_use_id ?? null
}

/** Removes what a run has used, or what is too old. */
export async function dropPreviews(tx: Tx, userId: number, contactIds: readonly number[]): Promise<void> {
  if (contactIds.length === 0) return
  await sql`DELETE FROM outreach_previews WHERE user_id = ${userId}
    AND contact_id = ANY(${[...contactIds]}::bigint[])`.execute(tx)
}

export async function dropOldPreviews(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .deleteFrom('outreach_previews')
    .where('user_id', '=', userId)
    .where('made_at', '<=', oldest(now))
    .execute()
}
