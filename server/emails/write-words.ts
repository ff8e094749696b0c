import { setImmediate as breath, setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import { searchVector, SEARCHED_TEXT_MAX } from '../mail/search-words.ts'
import { sendsMuch } from './bulk-sending.ts'
import { confirmLater } from './ingest-folder-store.ts'
import {
  lockWords,
  mailsNoted,
  takeUnworded,
  type Unworded,
  usersUnworded,
  writeWords,
} from './search-store.ts'

/** New mail can be found about so soon after it came in. */
const LOOK_EVERY_MS = 1000
const USERS_AT_ONCE = 50
/** Mails of one user at a time: the next user's new mail does not wait for the whole history of the one before. */
const MAILS_AT_ONCE = 200
/** … while a bulk run is sending: enough for what comes in meanwhile. */
const MAILS_WHILE_SENDING = 50
/** Other work of this process waits no longer than this many mails take. */
const MAILS_A_BREATH = 10

/** While so many mails come in between two turns, an account is being read for the first time … */
const MANY_MAILS = 200
/** … and fetching comes first: after each turn this rests so many times as long as the turn took. */
const REST_WHILE_MANY_COME = 5
const REST = 0.25

/** Starts the standing work that makes mails searchable, whoever wrote or fetched them. */
export function startWritingWords(context: Context): Loop[] {
  let noted = 0
  const loop = startLoop(context, 'write words', LOOK_EVERY_MS, async () => {
    while (!context.stopping.aborted) {
      const begun = performance.now()
      let written = 0
      for (const userId of await usersUnworded(context.db, USERS_AT_ONCE))
        if (!context.stopping.aborted) written += await writeSomeWords(context, userId)
      // The words of a bulk run's mails are written a little at a time while it sends, and all when it has.
      if (written === 0 || sendsMuch(context)) return
      const before = noted
      noted = await mailsNoted(context.db)
      const rest = noted - before > MANY_MAILS ? REST_WHILE_MANY_COME : REST
      await pause((performance.now() - begun) * rest, undefined, { signal: context.stopping }).catch(() => {})
    }
  })
  return [loop]
}

/**
 * Makes some mails of a user searchable, those that came last first. What is cut off in the middle is done again.
 *
 * @returns how many mails it took; 0 also where another worker is at it
 */
export async function writeSomeWords(context: Context, userId: number): Promise<number> {
  return inTransaction(context.db, async (tx) => {
    await confirmLater(tx)
    if (!(await lockWords(tx, userId))) return 0
    const most = sendsMuch(context) ? MAILS_WHILE_SENDING : MAILS_AT_ONCE
    const { taken, mails } = await takeUnworded(tx, userId, most, SEARCHED_TEXT_MAX)
    await writeWords(tx, userId, await vectorsOf(userId, mails))
    return taken
  })
}

async function vectorsOf(userId: number, mails: readonly Unworded[]) {
  const vectors: { id: number; occurredAt: Date; words: string }[] = []
  for (const [index, mail] of mails.entries()) {
    if (index % MAILS_A_BREATH === MAILS_A_BREATH - 1) await breath()
    vectors.push({ id: mail.id, occurredAt: mail.occurredAt, words: searchVector(userId, mail) })
  }
  return vectors
}
