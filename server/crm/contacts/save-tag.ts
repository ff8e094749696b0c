import type { Tag, tags } from '#contract/crm/tags.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction, isUniqueViolation } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { tooManyTags } from './named-tags.ts'
import { changeTag, deleteTag, insertTag, lockTags, roomForTags } from './tags-store.ts'
import type { Tx } from '../../platform/database/handles.ts'

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
    return await inTransaction(context.db, async (tx) => {
      const saved = await write(tx)
      await context.live.publish(tx, userId, { topic: 'contacts' })
      return saved
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict('You have a tag with this name already.')
    throw error
  }
}
