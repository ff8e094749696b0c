import { TAG_COLOURS, TAGS_MAX, TAGS_PER_CONTACT_MAX } from '#contract/crm/tags.ts'
import type { CopyConnection } from '../../platform/database/copy.ts'
import { invalidInput } from '../../platform/errors.ts'
import type { ImportKey } from './import-store.ts'
import { TAG_SEPARATOR } from '../../formats/contact-files/tag-cell.ts'
import { tagKey } from '../contacts/contacts.ts'

/** The tags of the staged contacts, one per row. */
const STAGED_TAGS = `staged_contacts s CROSS JOIN LATERAL unnest(string_to_array(s.tags, '${TAG_SEPARATOR}')) AS s_tag (name)`

type StagedTag = { name: string; key: string }

/**
 * The tags of the staged contacts, as the file spells them and normalized.
 *
 * @throws Refusal 400 for more than a user may have: another column was taken for tags
 */
export async function stagedTags(connection: CopyConnection): Promise<StagedTag[]> {
  const { rows } = await connection.query(
    `SELECT DISTINCT s_tag.name FROM ${STAGED_TAGS} WHERE s.tags <> '' LIMIT ${TAGS_MAX * 4}`,
  )
  const found = (rows as { name: string }[]).map(({ name }) => ({ name, key: tagKey(name) }))
  if (new Set(found.map(({ key }) => key)).size > TAGS_MAX) {
    throw invalidInput(
      `There are more than ${TAGS_MAX} different tags in this file. Please ignore the column of the tags, or take another one.`,
    )
  }
  return found
}

/**
 * Adds the tags of the file to its contacts, creating missing tags. With `skip` only contacts created by the import
 * get any. Everything is recorded with the import.
 *
 * @throws Refusal 400 where a user or a contact would have too many
 */
export async function tagStaged(
  connection: CopyConnection,
  key: ImportKey,
  duplicates: 'update' | 'skip',
  now: Date,
): Promise<void> {
  const { userId, importId } = key
  const found = await stagedTags(connection)
  if (found.length === 0) return
  const ids = await tagIds(connection, key, found, now)
  const mine = [userId, importId]
  const isAdded = `AND c.id IN (
    SELECT unnest(contact_ids) FROM contact_import_additions WHERE user_id = $1 AND import_id = $2)`
  await connection.query(
    `WITH given AS (
       INSERT INTO contact_tags (user_id, contact_id, tag_id)
       SELECT DISTINCT $1::bigint, c.id, t.id
       FROM ${STAGED_TAGS}
       JOIN unnest($3::text[], $4::bigint[]) AS t (name, id) ON t.name = s_tag.name
       JOIN contacts c ON c.user_id = $1 AND c.email_key = s.email_key ${duplicates === 'skip' ? isAdded : ''}
       ON CONFLICT DO NOTHING RETURNING contact_id, tag_id)
     INSERT INTO contact_import_tags (user_id, import_id, contact_id, tag_id)
     SELECT $1, $2, contact_id, tag_id FROM given`,
    [...mine, found.map(({ name }) => name), found.map((tag) => ids.get(tag.key))],
  )
  await refuseTooMany(connection, mine)
}

async function refuseTooMany(connection: CopyConnection, mine: readonly number[]): Promise<void> {
  const { rows } = await connection.query(
    `SELECT c.email FROM contact_tags t JOIN contacts c ON c.user_id = $1 AND c.id = t.contact_id
     WHERE t.user_id = $1 AND t.contact_id IN (
       SELECT contact_id FROM contact_import_tags WHERE user_id = $1 AND import_id = $2)
     GROUP BY c.id, c.email HAVING count(*) > ${TAGS_PER_CONTACT_MAX} LIMIT 1`,
    mine,
  )
  const over = rows[0] as { email: string } | undefined
  if (over !== undefined) {
    throw invalidInput(
      `${over.email} would have more than ${TAGS_PER_CONTACT_MAX} tags. Nothing was imported.`,
    )
  }
}

/** The ids of the user's tags by their keys; missing tags are created. */
async function tagIds(
  connection: CopyConnection,
  { userId, importId }: ImportKey,
  found: readonly StagedTag[],
  now: Date,
): Promise<Map<string, number>> {
  // The same lock as for every other call that creates tags of this user.
  await connection.query(`SELECT pg_advisory_xact_lock(hashtextextended('tags', $1))`, [userId])
  const { rows } = await connection.query(`SELECT id, name_key FROM tags WHERE user_id = $1`, [userId])
  const present = rows as { id: number; name_key: string }[]
  const ids = new Map(present.map((tag) => [tag.name_key, tag.id]))
  const missing = [...new Map(found.map(({ key, name }) => [key, name]))].filter(([key]) => !ids.has(key))
  if (present.length + missing.length > TAGS_MAX) {
    throw invalidInput(
      `You can have up to ${TAGS_MAX} tags, and this file would make ${missing.length} new ones.`,
    )
  }
  const colours = TAG_COLOURS.filter((colour) => colour !== 'gray')
  const made = await connection.query(
    `INSERT INTO tags (user_id, name, name_key, colour, created_at)
     SELECT $1, name, key, colour, $5 FROM unnest($2::text[], $3::text[], $4::text[]) AS new (name, key, colour) RETURNING id, name_key`,
    [
      userId,
      missing.map(([, name]) => name),
      missing.map(([key]) => key),
      missing.map((_, n) => colours[(present.length + n) % colours.length]),
      now,
    ],
  )
  const madeTags = made.rows as { id: number; name_key: string }[]
  for (const tag of madeTags) ids.set(tag.name_key, tag.id)
  await connection.query(`UPDATE contact_imports SET tag_ids = $3 WHERE user_id = $1 AND id = $2`, [
    userId,
    importId,
    madeTags.map(({ id }) => id),
  ])
  return ids
}
