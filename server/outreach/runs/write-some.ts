import { findUser, isMailPaused } from '../../accounts/auth/auth.ts'
import {
  type BriefFields,
  findBrief,
  newestBrief,
  USUAL_VOICE,
  type Writer,
  writerOf,
} from '../briefs/briefs.ts'
import { contactsById, type ContactToMail } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { countQueued } from '../../mail/emails/emails.ts'
import type { ModelFailure, ModelUsage } from '../../platform/gateways/language-model.ts'
import { modelFor, type UserModel } from '../../models/language-models/language-models.ts'
import { mailbox as findMailbox } from '../../mail/mailboxes/mailboxes.ts'
import { ModelRound } from './model-round.ts'
import { leavesAsKept } from './preview-basis.ts'
import { NO_TEMPLATE, type PreviewRow, previewsTo } from './previews-store.ts'
import { queueWritten } from './queue-written.ts'
import { addTokens, type BatchRow, findBatch, keepRunning, noteAiUse, pendingItems } from './store.ts'
import { templateMailTo, templateOfRun } from './template-of-run.ts'
import { noteModel } from './wait-for-model.ts'
import { type Written, writeMail } from './write-mail.ts'
import { type LongWork, MODEL_CHUNK, modelUse, TEMPLATE_CHUNK, writeMany } from './write-many.ts'

/** A run from a template asks no model and costs no AI request. */
const NO_MODEL = { useId: null, without: 'Written from a template.' }
const WITHOUT_MODEL = { useId: null, without: 'You chose to go on without the language model.' }
/** The last contacts of a run get the template once so many waits in a row have not helped: about 16 minutes. */
const FAILURES_MAX = 6

/** The mails of a run in the queue. */
export function groupOf(batch: BatchRow) {
  return { userId: batch.user_id, mailboxId: batch.mailbox_id, groupId: batch.id }
}

type Pace = { after: number; most: number; ahead: number; room: { left: number }; signal: AbortSignal }

/**
 * Writes the mails to the next contacts of a run, `most` at a time; returns the last contact, or why it wrote none. `waits`: what
 * the model did not write for a passing reason is still to be written.
 */
export async function writeSome(
  context: Context,
  batch: BatchRow,
  { after, most, ahead, room, signal }: Pace,
): Promise<number | 'enough' | 'nothing left' | 'refused' | 'waits'> {
  const { user_id: userId, id: batchId } = batch
  if (room.left <= 0) room.left = ahead - (await countQueued(context.db, groupOf(batch), ahead))
  if (room.left <= 0) return 'enough'
  const template = templateOfRun(batch)
  const model = await modelFor(context, userId)
  const work = longWork(batch, model)
  const { useId, without } =
    template !== null ? NO_MODEL : batch.without_model ? WITHOUT_MODEL : await modelUse(context, work)
  const items = await pendingItems(
    context.db,
    userId,
    batchId,
    after,
    Math.min(without === null ? MODEL_CHUNK : TEMPLATE_CHUNK, most, room.left),
  )
  const last = items.at(-1)
  if (last === undefined) {
    if (batch.model_failures > 0) await noteModel(context, batch, null)
    return 'nothing left'
  }
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
  const write = (to: ContactToMail, onUsage: (usage: ModelUsage) => void, instead: string | null) =>
    writeMail(model, to, writer, { without: instead, mayWait: true, brief, signal, onUsage, now })
  const round = new ModelRound(write, without)
  // Those that failed come first in the chunk: after a failure they are asked last, or they would stop each round at once.
  const inTurn = batch.model_failures > 0 ? items.toReversed() : items
  await writeMany(context, work, useId, inTurn, async (item, onUsage) => {
    const to = contacts.get(item.contact_id)
    if (to === undefined) return
    const mail =
      asShown(shown.get(to.id), to, writer, batch) ??
      (template === null ? await round.ask(to, onUsage) : templateMailTo(template, to, writer))
    if (mail === null) return
    if ('gap' in mail) gaps.set(to.id, mail.gap)
    else written.set(to.id, mail)
  })
  // A question that fails by itself would fail for ever.
  if (round.serverWorks)
    await writeMany(context, work, useId, [...round.failed.keys()], async (to, onUsage) => {
      const mail = await round.askAgain(to, onUsage)
      if (mail !== null) written.set(to.id, mail)
    })
  let failure = round.waitsFor
  if (failure !== null && (await hasWaitedLong(context, batch, round, failure))) {
    failure = null
    for (const [to, { words }] of round.failed) written.set(to.id, await write(to, () => {}, words))
  }
  const toQueue = ids.filter((id) => written.has(id) || gaps.has(id) || !contacts.has(id))
  const isRefused = await queueWritten(
    context,
    { batch, user, mailbox, shown, gaps, ids: toQueue, writer },
    written,
  )
  room.left -= toQueue.length
  if (failure !== null) {
    await noteModel(context, batch, failure, round.hasAnswered ? 1 : batch.model_failures + 1)
    return 'waits'
  }
  if (batch.model_failures > 0) await noteModel(context, batch, null)
  if (isRefused) return 'refused'
  return last.contact_id
}

/** Whether all that a run still has to write fails, and has failed through every wait. */
async function hasWaitedLong(
  { db }: Context,
  { user_id: userId, id, model_failures: failures }: BatchRow,
  { failed }: ModelRound,
  failure: ModelFailure,
): Promise<boolean> {
  if (failures < FAILURES_MAX || failure.wantsPause) return false
  const pending = await pendingItems(db, userId, id, 0, failed.size + 1)
  const failedIds = new Set([...failed.keys()].map((to) => to.id))
  return pending.every((item) => failedIds.has(item.contact_id))
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

/** The run as what writes mails for a long time. */
const longWork = (batch: BatchRow, model: UserModel): LongWork => {
  const { user_id: userId, id } = batch
  return {
    userId,
    model,
    kind: 'run',
    tokensUsed: batch.tokens_used,
    lock: async (tx) => {
      const isOver = !(await keepRunning(tx, userId, id))
      return { useId: (await findBatch(tx, userId, id))?.ai_use_id ?? null, isOver }
    },
    noteUse: (tx, useId) => noteAiUse(tx, userId, id, useId),
    noteTokens: (tx, tokens) => addTokens(tx, userId, id, tokens),
  }
}
