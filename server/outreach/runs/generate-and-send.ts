import { setTimeout as pause } from 'node:timers/promises'
import { MAIL_PAUSED } from '#contract/operations/leaving.ts'
import { ANSWER_WITHIN_SECONDS } from '#contract/outreach/runs.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import { goOnWithAiRequest } from '../../models/ai-requests/ai-requests.ts'
import { findUser, isMailPaused } from '../../accounts/auth/auth.ts'
import { setWarmUp } from '../automatic-mail/automatic-mail.ts'
import { newestBrief } from '../briefs/briefs.ts'
import { countContacts } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction, isUniqueViolation } from '../../platform/database/transaction.ts'
import { conflict, invalidInput } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { modelFor, type UserModel } from '../../models/language-models/language-models.ts'
import { lockMailboxes } from '../../mail/mailboxes/mailboxes.ts'
import { configuredAccount, untilCleared } from './account-of-run.ts'
import { takePreviewUse } from './previews-store.ts'
import { type AskedAudience, readAudience } from './run-audience.ts'
import { activeBatch, addBatch, type BatchRow, findBatch } from './store.ts'
import { templateToWriteFrom } from './template-of-run.ts'

const LOOK_EVERY_MS = 150

/** What a call says about a run. */
export type AskedRun = {
  /** The account to send from; by default the one in use. */
  mailboxId?: number | null | undefined
  /** Only to an audience. */
  toThese: AskedAudience | null
  /** Written from a template of the user's; by default from the brief. */
  templateId?: number | null | undefined
  /** Whether it is to go over several days, by the ceilings of its account; undefined where nobody was asked. */
  spread?: boolean | undefined
}

/**
 * Starts a run, by default over all contacts, or joins the running one, and waits a while for its end. A run to an audience
 * or from a template joins no other.
 *
 * @throws Refusal 400 SMTP_NOT_CONFIGURED without an account, 400 for a wrong one, a wrong template or without contacts, 409 while
 *   practice is being cleared away, mail is paused, the audience has changed, or another run is under way that it cannot
 *   join; 429 over the plan's limit of AI requests
 */
export async function generateAndSend(
  context: Context,
  userId: number,
  asked: AskedRun,
  origin: Origin | null = null,
): Promise<BatchRow> {
  const user = await findUser(context.db, userId)
  if (user !== undefined && isMailPaused(user)) throw conflict(MAIL_PAUSED)
  const deadline = Date.now() + (ANSWER_WITHIN_SECONDS - 3) * 1000
  let batch =
    join(await activeBatch(context.db, userId), asked) ?? (await beginBatch(context, userId, asked, origin))
  // A run that waits for tomorrow is no reason to let somebody wait.
  while (
    batch.state === 'running' &&
    batch.waits_for === null &&
    Date.now() < deadline &&
    !context.stopping.aborted
  ) {
    await pause(LOOK_EVERY_MS)
    batch = (await findBatch(context.db, userId, batch.id)) ?? batch
  }
  return batch
}

async function beginBatch(
  context: Context,
  userId: number,
  asked: AskedRun,
  origin: Origin | null,
): Promise<BatchRow> {
  const { mailboxId, toThese, templateId, spread } = asked
  await untilCleared(context, userId)
  await configuredAccount(context.db, userId, mailboxId)
  const audience = toThese === null ? null : await readAudience(context, toThese)
  const total = audience?.total ?? (await countContacts(context.db, userId))
  if (total === 0) throw invalidInput('No contacts found. Please add contacts first.')
  const model = await modelFor(context, userId)
  try {
    return await inTransaction(context.db, async (tx) => {
      // Practice that begins at the same moment either sees this run, or is seen here.
      await lockMailboxes(tx, userId)
      const mailbox = await configuredAccount(tx, userId, mailboxId)
      // A call that joins a run needs no AI request, and may have none left.
      const running = join(await activeBatch(tx, userId), asked)
      if (running !== undefined) return running
      const now = context.clock.now()
      // As it is now: a change of the template does not mix two texts.
      const template = await templateToWriteFrom(tx, userId, templateId)
      const brief = await newestBrief(tx, userId)
      const text =
        template === null
          ? { ai_use_id: await useOf(context, tx, userId, model) }
          : { template: template.kept }
      const batch = await addBatch(tx, {
        user_id: userId,
        mailbox_id: mailbox.id,
        total,
        started_at: now,
        // Greetings of a template are in its language and tone.
        brief_version: brief?.version ?? null,
        ...text,
        spread: spread ?? null,
        ...audience?.columns,
      })
      // The choice holds for the account from now on.
      if (spread !== undefined && !mailbox.is_practice)
        await setWarmUp(tx, userId, mailbox.id, spread ? now : null)
      const detail = `run ${batch.id}, ${total} contacts`
      await noteActivity(context, tx, { type: 'run_started', user: userId, origin, detail })
      await context.live.publish(tx, userId, { topic: 'outreach' })
      return batch
    })
  } catch (error) {
    // The button was pressed in another tab at the same moment: join that run.
    const other = isUniqueViolation(error, 'outreach_one_at_a_time')
      ? join(await activeBatch(context.db, userId), asked)
      : undefined
    if (other === undefined) throw error
    return other
  }
}

/** The AI request that a run from the brief counts on; null without a model. */
async function useOf(context: Context, tx: Tx, userId: number, model: UserModel): Promise<number | null> {
  // The request that wrote the previews counts for the run too.
  const begun = { userId, id: await takePreviewUse(tx, userId, context.clock.now()) }
  return model.available ? goOnWithAiRequest(context, tx, begun, 'outreach', model) : null
}

/** The run that a call joins: any that is under way. @throws Refusal 409 for a run that would write to others, or other words */
function join(running: BatchRow | undefined, { toThese, templateId }: AskedRun): BatchRow | undefined {
  if (running !== undefined && (toThese !== null || templateId != null))
    throw conflict('Another run is under way. Wait until it is over, or cancel it.')
  return running
}
