import { sql } from 'kysely'
import {
  type CountedTag,
  type Tag,
  TAG_COLOURS,
  type TagColour,
  TAGS_MAX,
  TAGS_PER_CONTACT_MAX,
} from '#contract/crm/tags.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { idsOf, removeRow, rowOf, rowsOf } from '../../platform/database/rows.ts'

/** The user's tags by name, with the number of contacts that have each. */
export async function listTags(db: Queryable, userId: number, counted: boolean) {
  const contacts = sql`, (SELECT count(*) FROM contact_tags c WHERE c.user_id = ${userId} AND c.tag_id = t.id) AS contacts`
  return rowsOf<CountedTag>(db)`
    SELECT t.id, t.name, t.colour ${counted ? contacts : sql``}
    FROM tags t WHERE t.user_id = ${userId} ORDER BY t.name_key`
}

/** Two calls of one user must not create the same tag, or one too many, at once. */
export async function lockTags(tx: Queryable, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('tags', ${userId}))`.execute(tx)
}

/** Tags by their normalized names. */
export async function tagsByKey(db: Queryable, userId: number, keys: readonly string[]): Promise<Tag[]> {
  if (keys.length === 0) return []
  return db
    .selectFrom('tags')
    .select(['id', 'name', 'colour'])
    .where('user_id', '=', userId)
    .where('name_key', 'in', [...keys])
    .execute()
}

/** How many more tags the user may create. Call it under `lockTags`. */
export async function roomForTags(db: Queryable, userId: number): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`SELECT count(*) AS count FROM tags WHERE user_id = ${userId}`.execute(db)
  return TAGS_MAX - (rows[0]?.count ?? 0)
}

/** Creates tags; one without a colour gets the colour that the user's tags use least. @throws a unique violation */
export async function insertTag(
  db: Queryable,
  userId: number,
  name: string,
  colour: TagColour | undefined,
  now: Date,
): Promise<Tag> {
  return db
    .insertInto('tags')
    .values({
      user_id: userId,
      name,
      name_key: tagKey(name),
      colour: colour ?? (await leastUsedColour(db, userId)),
      created_at: now,
    })
    .returning(['id', 'name', 'colour'])
    .executeTakeFirstOrThrow()
}

async function leastUsedColour(db: Queryable, userId: number): Promise<TagColour> {
  const { rows } = await sql<{ colour: TagColour }>`
    SELECT k.colour FROM unnest(${[...TAG_COLOURS]}::text[]) WITH ORDINALITY AS k(colour, place)
    LEFT JOIN tags t ON t.user_id = ${userId} AND t.colour = k.colour
    WHERE k.colour <> 'gray' GROUP BY k.colour, k.place ORDER BY count(t.id), k.place LIMIT 1`.execute(db)
  return rows[0]?.colour ?? 'gray'
}

/** Renames or recolours; undefined when there is no such tag. @throws a unique violation */
export async function changeTag(
  db: Queryable,
  userId: number,
  id: number,
  fields: { name?: string; colour?: TagColour },
): Promise<Tag | undefined> {
  const { name, colour } = fields
  return db
    .updateTable('tags')
    .set({
      // Without any field there would be nothing to set.
      user_id: userId,
      ...(name === undefined ? {} : { name, name_key: tagKey(name) }),
      ...(colour === undefined ? {} : { colour }),
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(['id', 'name', 'colour'])
    .executeTakeFirst()
}

/** Deletes a tag and takes it off its contacts, also those that somebody has given it to meanwhile. */
export async function deleteTag(tx: Tx, userId: number, id: number): Promise<boolean> {
  const isRemoved = await removeRow(tx, 'tags', userId, id)
  // Those who tag contacts lock the tag: by now they have committed, or find it gone.
  await sql`DELETE FROM contact_tags WHERE user_id = ${userId} AND tag_id = ${id}`.execute(tx)
  return isRemoved
}

/** Gives one contact, whose row this transaction has written, exactly these tags. */
export async function setTags(db: Queryable, userId: number, contactId: number, tagIds: readonly number[]) {
  const ids = [...tagIds]
  await sql`DELETE FROM contact_tags WHERE user_id = ${userId} AND contact_id = ${contactId} AND tag_id <> ALL(${ids}::bigint[])`.execute(
    db,
  )
  await sql`INSERT INTO contact_tags (user_id, contact_id, tag_id)
    SELECT ${userId}, ${contactId}, id FROM tags WHERE user_id = ${userId} AND id = ANY(${ids}::bigint[]) FOR KEY SHARE
    ON CONFLICT DO NOTHING`.execute(db)
}

/**
 * Adds a tag to contacts; returns those that did not have it before. Neither they nor the tag can be deleted
 * meanwhile.
 */
export async function tagContacts(
  db: Queryable,
  userId: number,
  contactIds: readonly number[],
  tagId: number,
): Promise<number[]> {
  return idsOf(db)`
    INSERT INTO contact_tags (user_id, contact_id, tag_id)
    SELECT ${userId}, c.id, t.id
    FROM (SELECT id FROM tags WHERE user_id = ${userId} AND id = ${tagId} FOR KEY SHARE) t
    CROSS JOIN (SELECT id FROM contacts WHERE user_id = ${userId} AND id = ANY(${[...contactIds]}::bigint[]) ORDER BY id FOR KEY SHARE) c
    ON CONFLICT DO NOTHING RETURNING contact_id AS id`
}

/** Removes a tag from contacts; returns those that had it. */
export async function untagContacts(
  db: Queryable,
  userId: number,
  contactIds: readonly number[],
  tagId: number,
): Promise<number[]> {
  return idsOf(db)`
    DELETE FROM contact_tags WHERE user_id = ${userId} AND tag_id = ${tagId} AND contact_id = ANY(${[...contactIds]}::bigint[])
    RETURNING contact_id AS id`
}

/** One of these contacts that exceeds the limit of tags per contact. */
export async function overTagged(
  db: Queryable,
  userId: number,
  contactIds: readonly number[],
): Promise<string | undefined> {
  const row = await rowOf<{ name: string }>(db)`
    SELECT c.name FROM (
      SELECT contact_id FROM contact_tags WHERE user_id = ${userId} AND contact_id = ANY(${[...contactIds]}::bigint[])
      GROUP BY 1 HAVING count(*) > ${sql.lit(TAGS_PER_CONTACT_MAX)} LIMIT 1
    ) t JOIN contacts c ON c.user_id = ${userId} AND c.id = t.contact_id`
  return row?.name
}

/** Those of these contacts that can have another tag. */
export async function withRoomForTag(db: Queryable, userId: number, contactIds: readonly number[]) {
  return idsOf(db)`
    SELECT c.id FROM unnest(${[...contactIds]}::bigint[]) AS c(id)
    WHERE (SELECT count(*) FROM contact_tags t WHERE t.user_id = ${userId} AND t.contact_id = c.id)
      < ${sql.lit(TAGS_PER_CONTACT_MAX)}`
}

/** A tag's name normalized for comparison: case and repeated blanks do not count. */
export function tagKey(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
