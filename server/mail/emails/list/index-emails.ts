import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../../platform/context.ts'
import { tryLockQueue, usersInQueue } from '../../../platform/database/index-queue.ts'
import { inTransaction, confirmLater } from '../../../platform/database/transaction.ts'
import { makeBreath } from '../../../platform/breath.ts'
import { type Loop, startDueLoop } from '../../../platform/jobs/loop.ts'
import { searchVector, SEARCHED_TEXT_MAX } from '../../../formats/mail-text/search-index.ts'
import { runMailTask, MailTaskFailed } from '../../../formats/mail-tasks/run-mail-task.ts'
import { makeIndexMerger, type IndexMerger } from './merge-index.ts'
import {
  type IndexEntry,
  mailsQueuedEver,
  searchableMails,
  takeUnindexed,
  type UnindexedMail,
  writeIndexEntries,
} from './search-store.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** How often the queue is read; new mail can be found about this soon. */
const LOOK_EVERY_MS = 1000
const USERS_AT_ONCE = 50
/** The most mails of one user per transaction, so that other users' new mail does not wait for a whole history. */
const MAILS_AT_ONCE = 500
/** … while a bulk run is sending: enough for the mail that arrives meanwhile. */
const MAILS_WHILE_SENDING = 50
/** How many mails' texts are in memory together. */
const MAILS_IN_HAND = 50

/** If more mails than this arrive between two rounds, an account is being synced for the first time … */
const MANY_MAILS = 200
/** … and fetching takes precedence: the pause after a round is this many times as long as the round. */
const PAUSE_WHILE_MANY_ARRIVE = 4
const PAUSE_USUALLY = 1

/** Starts the loop that makes new and changed mails searchable. */
export function startIndexing(context: Context): Loop[] {
  const merger = makeIndexMerger(context)
  let queuedEver = 0
  const indexAll = async () => {
    while (!context.stopping.aborted) {
      const started = performance.now()
      let taken = 0
      for (const userId of await usersInQueue(context.db, 'email_search_queue', USERS_AT_ONCE))
        if (!context.stopping.aborted) taken += await indexUser(context, userId, merger)
      // While a bulk run sends, its mails are indexed a few at a time; the rest follows when it is done.
      if (context.delivery.load.isHigh()) return true
      if (taken === 0) {
        await merger.mergeRest()
        return false
      }
      const before = queuedEver
      queuedEver = await mailsQueuedEver(context.db)
      const factor = queuedEver - before > MANY_MAILS ? PAUSE_WHILE_MANY_ARRIVE : PAUSE_USUALLY
      await pause((performance.now() - started) * factor, undefined, { signal: context.stopping }).catch(
        () => {},
      )
    }
    return false
  }
  return [startDueLoop(context, 'index emails', LOOK_EVERY_MS, () => indexAll().finally(merger.settled))]
}

async function indexUser(context: Context, userId: number, merger: IndexMerger): Promise<number> {
  const { taken, written } = await indexSomeEmails(context, userId)
  await merger.note(written)
  return taken
}

/**
 * Indexes some mails of a user, newest first, in one transaction: if it is interrupted, they are indexed again.
 *
 * @returns how many queue entries it took, 0 also if another worker has the queue locked; and how many characters of index
 * entries it wrote
 */
export async function indexSomeEmails(
  context: Context,
  userId: number,
): Promise<{ taken: number; written: number }> {
  return inTransaction(context.db, async (tx) => {
    await confirmLater(tx)
    if (!(await tryLockQueue(tx, 'email_search_queue', userId))) return { taken: 0, written: 0 }
    const most = context.delivery.load.isHigh() ? MAILS_WHILE_SENDING : MAILS_AT_ONCE
    const { taken, ids } = await takeUnindexed(tx, userId, most)
    return { taken, written: await indexMails(tx, userId, ids) }
  })
}

/** Indexes mails in batches; while the entries of one batch are written, those of the next are made. */
async function indexMails(tx: Tx, userId: number, ids: readonly number[]): Promise<number> {
  const read = (from: number) =>
    searchableMails(tx, userId, ids.slice(from, from + MAILS_IN_HAND), SEARCHED_TEXT_MAX)
  let written = 0
  let writing = Promise.resolve()
  let mails = await read(0)
  for (let next = MAILS_IN_HAND; mails.length > 0 || next < ids.length; next += MAILS_IN_HAND) {
    const entries = await indexEntriesOf(userId, mails)
    written += entries.reduce((sum, { tsvector }) => sum + tsvector.length, 0)
    await writing
    mails = next < ids.length ? await read(next) : []
    writing = writeIndexEntries(tx, userId, entries)
    // The next await reports a failure.
    writing.catch(() => {})
  }
  await writing
  return written
}

async function indexEntriesOf(userId: number, mails: readonly UnindexedMail[]) {
  const entries: IndexEntry[] = []
  const breath = makeBreath()
  for (const mail of mails) {
    await breath()
    entries.push({ id: mail.id, occurredAt: mail.occurredAt, tsvector: await tsvectorOf(userId, mail) })
  }
  return entries
}

/** The tsvector of a mail, as text; without the mail's body if that was crafted to stall its parser. */
async function tsvectorOf(userId: number, mail: UnindexedMail): Promise<string> {
  try {
    return await runMailTask({ userId, isBackground: true }, 'searchVector', userId, mail)
  } catch (error) {
    if (!(error instanceof MailTaskFailed)) throw error
    return searchVector(userId, { ...mail, text: '' })
  }
}
