import type { Context } from '../context.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import { CLEARING, practiceMailboxNamed, practicePasswordFits } from '../mailboxes/mailboxes.ts'
import { makeAnswerWriter } from './answer-writer.ts'
import { clearPractice } from './clear-practice.ts'
import { deliverAnswers } from './deliver-answers.ts'
import { type PracticeSmtp, startPracticeSmtp } from './smtp-server.ts'
import { addAnswers } from './store.ts'
import { answersTo } from './take-over.ts'

/** What the usual providers take, with the coding of attachments. */
const MAX_MAIL_BYTES = 50_000_000

/** Answers are looked for this often. */
const DELIVER_EVERY_MS = 1000
/** Whoever leaves practice wakes the clearing; so often it is looked whether one was cut off. */
const CLEAR_EVERY_MS = 60_000

/**
 * Starts the practice server of this process. Each practice mailbox signs in with credentials made from the house's
 * key, so any process knows them without asking.
 */
export async function startPracticeMail(context: Context): Promise<PracticeSmtp> {
  const writer = makeAnswerWriter((rows) => addAnswers(context.db, rows))
  return startPracticeSmtp({
    maxBytes: MAX_MAIL_BYTES,
    authenticate: async (username, password) => practicePasswordFits(context, username, password),
    receive: async (mail) => {
      const place = practiceMailboxNamed(mail.username)
      if (place !== null) await writer.write(await answersTo(context, place, mail))
    },
  })
}

/** The standing work of practice mail: answers arrive when their time has come, and what was left is cleared away. */
export function startPracticeLoops(context: Context): Loop[] {
  return [
    startLoop(context, 'practice answers', DELIVER_EVERY_MS, () => deliverAnswers(context)),
    startLoop(context, CLEARING, CLEAR_EVERY_MS, () => clearPractice(context)),
  ]
}
