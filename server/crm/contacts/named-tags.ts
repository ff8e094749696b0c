import { type TagColour, TAGS_MAX } from '#contract/crm/tags.ts'
import { invalidInput } from '../../platform/errors.ts'
import { tagKey } from './tag-names.ts'
import { insertTag, lockTags, roomForTags, tagsByKey } from './tags-store.ts'
import type { Tx } from '../../platform/database/handles.ts'

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

export const tooManyTags = () =>
  invalidInput(`You can have up to ${TAGS_MAX} tags. Please delete some first.`)
