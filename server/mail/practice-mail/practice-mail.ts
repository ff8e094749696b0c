import type { Context } from '../../platform/context.ts'
import { type Loop, startDueLoop, startLoop } from '../../platform/jobs/loop.ts'
import { CLEARING, practiceMailboxNamed, practicePasswordFits } from '../mailboxes/mailboxes.ts'
import { makeAnswerWriter } from './answer-writer.ts'
import { clearPractice } from './clear-practice.ts'
import { deliverAnswers } from './deliver-answers.ts'
import { type PracticeSmtp, startPracticeSmtp } from './smtp-server.ts'
import { addAnswers } from './store.ts'
import { answersTo } from './take-over.ts'

/** The size limit of usual providers, including the encoding of attachments. */
const MAX_MAIL_BYTES = 50_000_000

/** How often due answers are looked for. */
const DELIVER_EVERY_MS = 1000
/** Leaving practice wakes the clearing; this often it also looks for one that was interrupted. */
const CLEAR_EVERY_MS = 60_000

/**
 * Starts the practice server of this process. Each practice mailbox signs in with credentials derived from the secret
 * key, so any process can check them without asking.
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

/** The background loops of practice mail: due answers arrive, and abandoned practice is cleared away. */
export function startPracticeLoops(context: Context): Loop[] {
  return [
    startDueLoop(context, 'practice answers', DELIVER_EVERY_MS, () => deliverAnswers(context)),
    startLoop(context, CLEARING, CLEAR_EVERY_MS, () => clearPractice(context)),
  ]
}
