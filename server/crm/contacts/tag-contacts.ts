import type { BulkResult, Selection } from '#contract/crm/contacts.ts'
import { type TagColour, TAGS_PER_CONTACT_MAX } from '#contract/crm/tags.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { invalidInput } from '../../platform/errors.ts'
import { noteAction } from './bulk-actions-store.ts'
import type { Reader } from './list-contacts.ts'
import { namedTags } from './save-tag.ts'
import { selectContacts } from './select-contacts.ts'
import {
  lockTags,
  overTagged,
  roomForTags,
  tagContacts,
  tagKey,
  tagsByKey,
  untagContacts,
  withRoomForTag,
} from './tags-store.ts'
import type { Tx } from '../../platform/database/handles.ts'

type Tagging = Selection & { tag: string; colour?: TagColour | undefined }

/** Adds a tag to contacts, creating the tag if needed; all or none. @throws as `selectContacts`; 400 */
export async function tagMany(context: Context, user: Reader, input: Tagging): Promise<BulkResult> {
  const now = context.clock.now()
  return inTransaction(context.db, async (tx) => {
    const ids = await selectContacts(context, tx, user, input)
    const [tagId = 0] = await namedTags(tx, user.id, [input.tag], now, input.colour)
    const changed = await tagContacts(tx, user.id, ids, tagId)
    const full = await overTagged(tx, user.id, changed)
    if (full !== undefined)
      throw invalidInput(`${full} has ${TAGS_PER_CONTACT_MAX} tags already. Nothing was changed.`)
    return noted(context, tx, user.id, ids, { action: 'tag', tag_id: tagId, contact_ids: changed })
  })
}

/** Removes a tag from contacts, all or none. @throws as `selectContacts` */
export async function untagMany(context: Context, user: Reader, input: Tagging): Promise<BulkResult> {
  return inTransaction(context.db, async (tx) => {
    const ids = await selectContacts(context, tx, user, input)
    const [tag] = await tagsByKey(tx, user.id, [tagKey(input.tag)])
    const changed = tag === undefined ? [] : await untagContacts(tx, user.id, ids, tag.id)
    return noted(context, tx, user.id, ids, {
      action: 'untag',
      tag_id: tag?.id ?? null,
      contact_ids: changed,
    })
  })
}

async function noted(
  context: Context,
  tx: Tx,
  userId: number,
  ids: readonly number[],
  done: { action: 'tag' | 'untag'; tag_id: number | null; contact_ids: number[] },
): Promise<BulkResult> {
  const changed = done.contact_ids.length
  await context.live.publish(tx, userId, { topic: 'contacts' })
  const undoId = changed === 0 ? null : await noteAction(tx, userId, done, context.clock.now())
  return { changed, unchanged: ids.length - changed, undo_id: undoId }
}

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
export async function takeTag(tx: Tx, userId: number, contactIds: readonly number[], name: string) {
  const [tag] = await tagsByKey(tx, userId, [tagKey(name)])
  if (tag !== undefined) await untagContacts(tx, userId, contactIds, tag.id)
}
