import { setImmediate as breath } from 'node:timers/promises'
import { goOnWithAiRequest, noteUsage } from '../../models/ai-requests/ai-requests.ts'
import { findUser, isMailPaused } from '../../accounts/auth/auth.ts'
import { type BriefFields, findBrief, newestBrief, USUAL_VOICE } from '../briefs/briefs.ts'
import { contactsById, type ContactToMail } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { countQueued } from '../../mail/emails/emails.ts'
import { TooManyRequests } from '../../platform/errors.ts'
import type { ModelUsage } from '../../platform/gateways/language-model.ts'
import { modelFor, type UserModel } from '../../models/language-models/language-models.ts'
import { mailbox as findMailbox } from '../../mail/mailboxes/mailboxes.ts'
import type { Writer } from './fallback-template.ts'
import { leavesAsKept } from './preview-basis.ts'
import { NO_TEMPLATE, type PreviewRow, previewsTo } from './previews-store.ts'
import { queueWritten } from './queue-written.ts'
import { addTokens, type BatchRow, findBatch, keepRunning, noteAiUse, pendingItems } from './store.ts'
import { templateMailTo, templateOfRun } from './template-of-run.ts'
import { type Written, writeMail, writerOf } from './write-mail.ts'

/** Mails written in one transaction, from the template and by the model. */
const TEMPLATE_CHUNK = 500
const MODEL_CHUNK = 12
/** Other work of this process waits no longer than this many templates take. */
const WRITTEN_A_BREATH = 10
/** Simultaneous requests to the model. */
const MODEL_AT_ONCE = 4
/** A run from a template asks no model and costs no AI request. */
const NO_MODEL = { useId: null, without: 'Written from a template.' }

/** The mails of a run in the queue. */
export function groupOf(batch: BatchRow) {
  return { userId: batch.user_id, mailboxId: batch.mailbox_id, groupId: batch.id }
}

type Pace = { after: number; most: number; ahead: number; room: { left: number }; signal: AbortSignal }

/** Writes the mails to the next contacts of a run, `most` at a time; returns the last contact, or why it wrote none. */
export async function writeSome(
  context: Context,
  batch: BatchRow,
  { after, most, ahead, room, signal }: Pace,
): Promise<number | 'enough' | 'nothing left' | 'refused'> {
  const { user_id: userId, id: batchId } = batch
  if (room.left <= 0) room.left = ahead - (await countQueued(context.db, groupOf(batch), ahead))
  if (room.left <= 0) return 'enough'
  const template = templateOfRun(batch)
  const model = await modelFor(context, userId)
  const { useId, without } = template === null ? await modelUse(context, batch, model) : NO_MODEL
  const items = await pendingItems(
    context.db,
    userId,
    batchId,
    after,
    Math.min(without === null ? MODEL_CHUNK : TEMPLATE_CHUNK, Math.max(most, 1), room.left),
  )
  const last = items.at(-1)
  if (last === undefined) return 'nothing left'
  const ids = items.map((item) => item.contact_id)
  const now = context.clock.now()
  const [user, mailbox, contacts, shown, brief] = await Promise.all([
    findUser(context.db, userId),
    findMailbox(context.db, userId, batch.mailbox_id),
    contactsById(context.db, userId, ids),
    // What was shown when the run began leaves as it was shown, however long the run has to wait.
    previewsTo(context.db, userId, ids, template?.kept.id ?? NO_TEMPLATE, batch.started_at),
    briefOf(context, batch),
  ])
  if (user === undefined || isMailPaused(user) || mailbox === undefined) return 'enough'
  const writer = writerOf(user, brief ?? USUAL_VOICE)
  const written = new Map<number, Written>()
  const gaps = new Map<number, string>()
  const used = { inputTokens: 0, outputTokens: 0, milliseconds: 0 }
  const onUsage = ({ inputTokens, outputTokens }: ModelUsage) => {
    used.inputTokens += inputTokens
    used.outputTokens += outputTokens
  }
  const begun = performance.now()
  const writing = atMost(MODEL_AT_ONCE, items, async (item) => {
    const to = contacts.get(item.contact_id)
    // Templates cost only CPU time: connections that send must not wait for hundreds of them.
    if (written.size % WRITTEN_A_BREATH === WRITTEN_A_BREATH - 1) await breath()
    if (to === undefined) return
    const options = { without, brief, signal, onUsage, now }
    const mail =
      asShown(shown.get(to.id), to, writer, batch) ??
      (template === null ? await writeMail(model, to, writer, options) : templateMailTo(template, to, writer))
    if ('gap' in mail) gaps.set(to.id, mail.gap)
    else written.set(to.id, mail)
  })
  // What the model has written is paid for, also when the run is paused or interrupted now.
  await writing.finally(async () => {
    used.milliseconds = performance.now() - begun
    await noteTokens(context, batch, { useId, model }, used)
  })
  const isRefused = await queueWritten(context, { batch, user, mailbox, shown, gaps, ids, writer }, written)
  room.left -= items.length
  if (isRefused) return 'refused'
  return last.contact_id
}

/** What the run writes from: the version that it began with, or the newest where that is no longer kept. */
async function briefOf({ db }: Context, batch: BatchRow): Promise<BriefFields | null> {
  if (batch.brief_version === null) return null
  const brief =
    (await findBrief(db, batch.user_id, batch.brief_version)) ?? (await newestBrief(db, batch.user_id))
  return brief?.fields ?? null
}

/** The mail that was shown before the run, if it is to leave as it was shown. */
function asShown(
  row: PreviewRow | undefined,
  to: ContactToMail,
  from: Writer,
  { brief_version: briefVersion, template }: BatchRow,
): Written | undefined {
  if (row === undefined) return undefined
  // Nothing is written to a contact that was left out.
  if (!row.left_out && !leavesAsKept(row, { to, from, briefVersion, template })) return undefined
  return { subject: row.subject, text: row.body, fallback: row.edited ? null : row.fallback }
}

/** The AI request that the next mails count on, or why they are written without a model. */
async function modelUse(
  context: Context,
  batch: BatchRow,
  model: UserModel,
): Promise<{ useId: number | null; without: string | null }> {
  const { user_id: userId, id } = batch
  if (!model.available) return { useId: null, without: 'No language model is set up.' }
  if (batch.tokens_used >= context.config.modelTokensPerRun)
    return { useId: null, without: "This run's budget for the language model is used up." }
  try {
    const useId = await inTransaction(context.db, async (tx) => {
      // Two drivers of one run never spend twice; of a run that has ended nothing is written.
      const isRunning = await keepRunning(tx, userId, id)
      const begun = (await findBatch(tx, userId, id))?.ai_use_id ?? null
      if (!isRunning) return begun
      const use = await goOnWithAiRequest(context, tx, { userId, id: begun }, 'outreach', model)
      if (use !== begun) await noteAiUse(tx, userId, id, use)
      return use
    })
    return { useId, without: null }
  } catch (error) {
    if (error instanceof TooManyRequests) return { useId: null, without: error.message }
    throw error
  }
}

async function noteTokens(
  context: Context,
  batch: BatchRow,
  { useId, model }: { useId: number | null; model: UserModel },
  used: ModelUsage & { milliseconds: number },
): Promise<void> {
  const { user_id: userId, id } = batch
  const tokens = used.inputTokens + used.outputTokens
  if (tokens === 0) return
  await inTransaction(context.db, async (tx) => {
    await addTokens(tx, userId, id, tokens)
    if (useId !== null) await noteUsage(context, tx, { userId, id: useId, model }, used)
  })
}

async function atMost<T>(
  count: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const takeNext = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, takeNext))
}
