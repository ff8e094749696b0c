import { setTimeout as pause } from 'node:timers/promises'
import { MAIL_PAUSED } from '#contract/leaving.ts'
import { ANSWER_WITHIN_SECONDS } from '#contract/outreach.ts'
import { noteActivity } from '../activities/activities.ts'
import { spendAiRequest } from '../ai-requests/ai-requests.ts'
import { findUser, isMailPaused } from '../auth/auth.ts'
import { countContacts } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../database/handles.ts'
import { inTransaction, isUniqueViolation } from '../database/transaction.ts'
import { conflict, invalidInput, Refusal } from '../errors.ts'
import type { Origin } from '../http/origin.ts'
import { modelFor } from '../language-models/language-models.ts'
import { isConfigured, lockMailboxes, type Mailbox, SMTP_NOT_CONFIGURED } from '../mailboxes/mailboxes.ts'
import { accountOfRun } from './account-of-run.ts'
import { driveBatch } from './jobs.ts'
import { activeBatch, addBatch, type BatchRow, findBatch } from './store.ts'
import { untilCleared } from './until-cleared.ts'

const LOOK_EVERY_MS = 150

/**
 * Starts a run over all contacts through an account, by default the one in use, or joins the running one, and waits a
 * while for its end.
 *
 * @throws Refusal 400 SMTP_NOT_CONFIGURED without an account, 400 for a wrong one or without contacts, 409 while practice is being
 *   cleared away, or mail is paused; 429 over the plan's limit of AI requests
 */
export async function generateAndSend(
  context: Context,
  userId: number,
  mailboxId?: number | null,
  origin: Origin | null = null,
): Promise<BatchRow> {
  const user = await findUser(context.db, userId)
  if (user !== undefined && isMailPaused(user)) throw conflict(MAIL_PAUSED)
  const deadline = Date.now() + (ANSWER_WITHIN_SECONDS - 3) * 1000
  let batch =
    (await activeBatch(context.db, userId)) ?? (await beginBatch(context, userId, mailboxId, origin))
  while (batch.state === 'running' && Date.now() < deadline && !context.stopping.aborted) {
    await pause(LOOK_EVERY_MS)
    batch = (await findBatch(context.db, userId, batch.id)) ?? batch
  }
  return batch
}

async function beginBatch(
  context: Context,
  userId: number,
  mailboxId: number | null | undefined,
  origin: Origin | null,
): Promise<BatchRow> {
  await untilCleared(context, userId)
  await configuredAccount(context.db, userId, mailboxId)
  const total = await countContacts(context.db, userId)
  if (total === 0) throw invalidInput('No contacts found. Please add contacts first.')
  const model = await modelFor(context, userId)
  try {
    return await inTransaction(context.db, async (tx) => {
      // Practice that begins at the same moment either sees this run, or is seen here.
      await lockMailboxes(tx, userId)
      const mailbox = await configuredAccount(tx, userId, mailboxId)
      // Whoever joins a run needs no AI request, and may have none left.
      const running = await activeBatch(tx, userId)
      if (running !== undefined) return running
      const useId = model.available ? await spendAiRequest(context, tx, userId, 'outreach', model) : null
      const batch = await addBatch(tx, {
        user_id: userId,
        mailbox_id: mailbox.id,
        total,
        ai_use_id: useId,
        started_at: context.clock.now(),
      })
      await context.jobs.enqueue(
        tx,
        driveBatch,
        { userId, batchId: batch.id },
        { key: `${userId}/${batch.id}` },
      )
      const detail = `run ${batch.id}, ${total} contacts`
      await noteActivity(context, tx, { type: 'run_started', user: userId, origin, detail })
      await context.live.publish(tx, userId, { topic: 'outreach' })
      return batch
    })
  } catch (error) {
    // The button was pressed in another tab at the same moment: join that run.
    const other = isUniqueViolation(error, 'outreach_one_at_a_time')
      ? await activeBatch(context.db, userId)
      : undefined
    if (other === undefined) throw error
    return other
  }
}

async function configuredAccount(
  db: Queryable,
  userId: number,
  mailboxId: number | null | undefined,
): Promise<Mailbox> {
  const mailbox = await accountOfRun(db, userId, mailboxId)
  if (!isConfigured(mailbox)) throw new Refusal(400, SMTP_NOT_CONFIGURED, 'SMTP_NOT_CONFIGURED')
  return mailbox
}
