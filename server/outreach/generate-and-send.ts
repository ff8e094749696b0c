import { setTimeout as pause } from 'node:timers/promises'
import { MAIL_PAUSED } from '#contract/leaving.ts'
import { ANSWER_WITHIN_SECONDS } from '#contract/outreach.ts'
import { findUser } from '../auth/auth.ts'
import { countContacts } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../database/handles.ts'
import { inTransaction, isUniqueViolation } from '../database/transaction.ts'
import { conflict, invalidInput, Refusal } from '../errors.ts'
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
 *   cleared away, or mail is paused
 */
export async function generateAndSend(
  context: Context,
  userId: number,
  mailboxId?: number | null,
): Promise<BatchRow> {
  if ((await findUser(context.db, userId))?.mail_paused_at != null) throw conflict(MAIL_PAUSED)
  const deadline = Date.now() + (ANSWER_WITHIN_SECONDS - 3) * 1000
  let batch = (await activeBatch(context.db, userId)) ?? (await beginBatch(context, userId, mailboxId))
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
): Promise<BatchRow> {
  await untilCleared(context, userId)
  await configuredAccount(context.db, userId, mailboxId)
  const total = await countContacts(context.db, userId)
  if (total === 0) throw invalidInput('No contacts found. Please add contacts first.')
  try {
    return await inTransaction(context.db, async (tx) => {
      // Practice that begins at the same moment either sees this run, or is seen here.
      await lockMailboxes(tx, userId)
      const mailbox = await configuredAccount(tx, userId, mailboxId)
      const batch = await addBatch(tx, {
        user_id: userId,
        mailbox_id: mailbox.id,
        total,
        started_at: context.clock.now(),
      })
      await context.jobs.enqueue(
        tx,
        driveBatch,
        { userId, batchId: batch.id },
        { key: `${userId}/${batch.id}` },
      )
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
