import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { inTransaction, confirmLater } from '../../database/transaction.ts'
import { makeBreath } from '../../breath.ts'
import { type Loop, startLoop } from '../../jobs/loop.ts'
import { searchVector, SEARCHED_TEXT_MAX } from '../../mail/search-words.ts'
import { doMailWork, WorkFailed } from '../../worker-threads/run-mail-task.ts'
import { makeIndexMerger, type IndexMerger } from './merge-index.ts'
import {
  lockIndex,
  mailsQueuedEver,
  searchableMails,
  takeUnindexed,
  type UnindexedMail,
  usersWithUnindexed,
  writeIndexEntries,
} from './search-store.ts'
import type { Tx } from '../../database/handles.ts'

/** New mail can be found about so soon after it came in. */
const LOOK_EVERY_MS = 1000
const USERS_AT_ONCE = 50
/** Mails of one user at a time: the next user's new mail does not wait for the whole history of the one before. */
const MAILS_AT_ONCE = 500
/** … while a bulk run is sending: enough for what comes in meanwhile. */
const MAILS_WHILE_SENDING = 50
/** Mails whose texts are in memory together. */
const MAILS_IN_HAND = 50

/** While so many mails come in between two turns, an account is being read for the first time … */
const MANY_MAILS = 200
/** … and fetching comes first: after each turn this rests so many times as long as the turn took. */
const REST_WHILE_MANY_COME = 4
const REST = 1

/** Starts the standing work that makes mails searchable, whoever wrote or fetched them. */
export function startIndexing(context: Context): Loop[] {
  const merger = makeIndexMerger(context)
  let noted = 0
  const writeAll = async () => {
    while (!context.stopping.aborted) {
      const begun = performance.now()
      let taken = 0
      for (const userId of await usersWithUnindexed(context.db, USERS_AT_ONCE))
        if (!context.stopping.aborted) taken += await indexUser(context, userId, merger)
      // The words of a bulk run's mails are written a little at a time while it sends, and all when it has.
      if (context.delivery.load.isHigh()) return
      if (taken === 0) return merger.mergeRest()
      const before = noted
      noted = await mailsQueuedEver(context.db)
      const rest = noted - before > MANY_MAILS ? REST_WHILE_MANY_COME : REST
      await pause((performance.now() - begun) * rest, undefined, { signal: context.stopping }).catch(() => {})
    }
  }
  return [startLoop(context, 'write words', LOOK_EVERY_MS, () => writeAll().finally(merger.settled))]
}

async function indexUser(context: Context, userId: number, merger: IndexMerger): Promise<number> {
  const { taken, written } = await indexSomeEmails(context, userId)
  await merger.note(written)
  return taken
}

/**
 * Makes some mails of a user searchable, the newest first. What is cut off in the middle is done again.
 *
 * @returns how many mails it took, 0 also where another worker is at it; and how many characters of words it wrote
 */
export async function indexSomeEmails(
  context: Context,
  userId: number,
): Promise<{ taken: number; written: number }> {
  return inTransaction(context.db, async (tx) => {
    await confirmLater(tx)
    if (!(await lockIndex(tx, userId))) return { taken: 0, written: 0 }
    const most = context.delivery.load.isHigh() ? MAILS_WHILE_SENDING : MAILS_AT_ONCE
    const { taken, ids } = await takeUnindexed(tx, userId, most)
    return { taken, written: await indexMails(tx, userId, ids) }
  })
}

/** While the words of some mails are being written, those of the next ones are looked for. */
async function indexMails(tx: Tx, userId: number, ids: readonly number[]): Promise<number> {
  const read = (from: number) =>
    searchableMails(tx, userId, ids.slice(from, from + MAILS_IN_HAND), SEARCHED_TEXT_MAX)
  let written = 0
  let writing = Promise.resolve()
  let mails = await read(0)
  for (let next = MAILS_IN_HAND; mails.length > 0 || next < ids.length; next += MAILS_IN_HAND) {
    const vectors = await indexEntriesOf(userId, mails)
    written += vectors.reduce((sum, { words }) => sum + words.length, 0)
    await writing
    mails = next < ids.length ? await read(next) : []
    writing = writeIndexEntries(tx, userId, vectors)
    // Whoever awaits it next hears of the failure.
    writing.catch(() => {})
  }
  await writing
  return written
}

async function indexEntriesOf(userId: number, mails: readonly UnindexedMail[]) {
  const vectors: { id: number; occurredAt: Date; words: string }[] = []
  const breath = makeBreath()
  for (const mail of mails) {
    await breath()
    vectors.push({ id: mail.id, occurredAt: mail.occurredAt, words: await tsvectorOf(userId, mail) })
  }
  return vectors
}

/** The words of a mail; of one whose text was made to stop its reader those of its head alone. */
async function tsvectorOf(userId: number, mail: UnindexedMail): Promise<string> {
  try {
    return await doMailWork('searchVector', userId, mail)
  } catch (error) {
    if (!(error instanceof WorkFailed)) throw error
    return searchVector(userId, { ...mail, text: '' })
  }
}
