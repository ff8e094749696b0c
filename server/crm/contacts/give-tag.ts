import type { Tx } from '../../platform/database/handles.ts'
import { namedTags } from './named-tags.ts'
import { tagKey } from './tag-names.ts'
import { lockTags, roomForTags, tagContacts, tagsByKey, untagContacts, withRoomForTag } from './tags-store.ts'

/**
 * Gives contacts a tag, which is made if there is none; those who have as many as they can have are left out. Nobody gets it
 * if it would be one tag more than the user can have.
 */
export async function giveTag(
  tx: Tx,
  userId: number,
  contactIds: readonly number[],
  name: string,
  now: Date,
): Promise<void> {
  const isThere = async () => (await tagsByKey(tx, userId, [tagKey(name)])).length > 0
  if (!(await isThere())) {
    await lockTags(tx, userId)
    if ((await roomForTags(tx, userId)) < 1 && !(await isThere())) return
  }
  const [tagId = 0] = await namedTags(tx, userId, [name], now)
  await tagContacts(tx, userId, await withRoomForTag(tx, userId, contactIds), tagId)
}

/** Takes a tag off contacts. */
export async function takeTag(
  tx: Tx,
  userId: number,
  contactIds: readonly number[],
  name: string,
): Promise<void> {
  const [tag] = await tagsByKey(tx, userId, [tagKey(name)])
  if (tag !== undefined) await untagContacts(tx, userId, contactIds, tag.id)
}
