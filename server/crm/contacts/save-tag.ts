import { type Tag, type TagColour, type tags, TAGS_MAX } from '#contract/crm/tags.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { isUniqueViolation } from '../../platform/database/transaction.ts'
import { conflict, invalidInput, notFound } from '../../platform/errors.ts'
import { changeTag, deleteTag, insertTag, lockTags, roomForTags, tagKey, tagsByKey } from './tags-store.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { changing } from '../../platform/changing.ts'

/**
 * @throws Refusal 409 when the user already has a tag of this name, ignoring case; 400 for too many
 */
export async function addTag(context: Context, userId: number, input: BodyOf<typeof tags.add>): Promise<Tag> {
  return save(context, userId, async (tx) => {
    await lockTags(tx, userId)
    if ((await roomForTags(tx, userId)) <= 0) throw tooManyTags()
    return insertTag(tx, userId, input.name, input.colour, context.clock.now())
  })
}

/** @throws Refusal 404, 409 */
export async function updateTag(
  context: Context,
  userId: number,
  id: number,
  { name, colour }: BodyOf<typeof tags.update>,
): Promise<Tag> {
  return save(context, userId, async (tx) => {
    const given = { ...(name === undefined ? {} : { name }), ...(colour === undefined ? {} : { colour }) }
    return (await changeTag(tx, userId, id, given)) ?? Promise.reject(noTag())
  })
}

/** Deletes a tag and removes it from its contacts. @throws Refusal 404 */
export async function removeTag(context: Context, userId: number, id: number): Promise<void> {
  await save(context, userId, async (tx) => {
    if (!(await deleteTag(tx, userId, id))) throw noTag()
  })
}

const noTag = () => notFound('This tag does not exist.')

async function save<T>(context: Context, userId: number, write: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await changing(context, userId, 'contacts', async (tx) => {
      return write(tx)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict('You have a tag with this name already.')
    throw error
  }
}

/** The ids of tags by their names; missing ones are created. @throws Refusal 400 for too many */
export async function namedTags(
  tx: Tx,
  userId: number,
  names: readonly string[],
  now: Date,
  colour?: TagColour,
): Promise<number[]> {
  // Of equivalent names the first is kept.
  const byKey = new Map(names.toReversed().map((name) => [tagKey(name), name.replaceAll(/\s+/g, ' ').trim()]))
  const present = await tagsByKey(tx, userId, [...byKey.keys()])
  const ids = present.map(({ id }) => id)
  if (present.length === byKey.size) return ids
  await lockTags(tx, userId)
  // Another call may have created some of them while this one waited.
  const there = await tagsByKey(tx, userId, [...byKey.keys()])
  const known = new Set(there.map(({ name }) => tagKey(name)))
  const missing = [...byKey].filter(([key]) => !known.has(key))
  if (missing.length > (await roomForTags(tx, userId))) throw tooManyTags()
  const made: number[] = []
  for (const [, name] of missing) made.push((await insertTag(tx, userId, name, colour, now)).id)
  return [...there.map(({ id }) => id), ...made]
}

const tooManyTags = () => invalidInput(`You can have up to ${TAGS_MAX} tags. Please delete some first.`)
