import type { Context } from '../../../platform/context.ts'
import { readRaw } from '../content/read-attachment.ts'
import { findBodyRow } from '../messages/store.ts'
import { saveDigests } from './copies-store.ts'
import { mailDigest } from './mail-digest.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

/** To tell copies apart, the digests of these mails are needed, which an earlier version stored without. */
export class DigestsMissing extends Error {
  override readonly name = 'DigestsMissing'
  readonly emailIds: readonly number[]

  constructor(emailIds: readonly number[]) {
    super('Digests are missing')
    this.emailIds = emailIds
  }
}

/**
 * Runs a transaction that stores messages. If it ends for want of digests, they are made, and it is run again: mails may
 * be large, and it must not hold its locks while they are read. A mail that cannot be read any more gets no digest.
 *
 * @param store gets the ids of the mails that were read for this
 */
export async function withOldDigests<T>(
  context: Context,
  db: Queryable,
  userId: number,
  store: (digested: ReadonlySet<number>) => Promise<T>,
): Promise<T> {
  const digested = new Set<number>()
  for (;;) {
    try {
      return await store(digested)
    } catch (error) {
      if (!(error instanceof DigestsMissing)) throw error
      await addDigests(context, db, userId, error.emailIds)
      for (const id of error.emailIds) digested.add(id)
    }
  }
}

/** One by one: a mail may be large. */
async function addDigests(
  context: Context,
  db: Queryable,
  userId: number,
  ids: readonly number[],
): Promise<void> {
  const digests = new Map<number, string>()
  for (const id of ids) {
    const body = await findBodyRow(db, userId, id)
    const raw = body === undefined ? null : await readRaw(context, body)
    if (raw !== null) digests.set(id, mailDigest(raw))
  }
  await saveDigests(db, userId, digests)
}
