import { setImmediate as breath, setTimeout as pause } from 'node:timers/promises'
import { noteActivity } from '../activities/activities.ts'
import { goOnWithAiRequest, noteUsage } from '../ai-requests/ai-requests.ts'
import {
  noteQueued,
  type Refused,
  reserveMails,
  type Standing,
  standingOf,
} from '../automatic-mail/automatic-mail.ts'
import { findUser, isMailPaused, type UserRow } from '../auth/auth.ts'
import { type BriefFields, findBrief, newestBrief, voiceOf } from '../briefs/briefs.ts'
import { contactsById, type ContactToMail } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { analyzeGrownTables } from '../database/analyze-grown-tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { TooManyRequests } from '../errors.ts'
import {
  countGroup,
  countQueued,
  type GroupCount,
  enqueueEmails,
  repliedSince,
  unsubscribeUrl,
} from '../emails/emails.ts'
import type { ModelUsage } from '../gateways/language-model.ts'
import { modelFor, type UserModel } from '../language-models/language-models.ts'
import { mailbox as findMailbox, type Mailbox, senderOf } from '../mailboxes/mailboxes.ts'
import { isSendable } from '../mail/addresses.ts'
import type { Writer } from './fallback-template.ts'
import { LEFT_OUT, listContacts, mailedBefore, NO_ADDRESS, REPLIED } from './list-contacts.ts'
import { withOptOut } from './opt-out.ts'
import { leavesAsKept } from './preview-basis.ts'
import { dropPreviews, NO_TEMPLATE, type PreviewRow, previewsTo } from './previews-store.ts'
import {
  addTokens,
  type BatchRow,
  changeItems,
  findBatch,
  type ItemChange,
  keepRunning,
  lockPending,
  moveBatch,
  noteAiUse,
  pendingItems,
} from './store.ts'
import { templateMailTo, templateOfRun } from './template-of-run.ts'
import { goOn, waitForRules } from './wait-for-rules.ts'
import { type Written, writeMail, writerOf } from './write-mail.ts'

/** Mails written ahead of sending: enough to keep every connection busy, few enough to pause and withdraw. */
const AHEAD = 2000
/** Mails written in one transaction, from the template and by the model. */
const TEMPLATE_CHUNK = 500
const MODEL_CHUNK = 12
/** Other work of this process waits no longer than this many templates take. */
const WRITTEN_A_BREATH = 10
/** Simultaneous requests to the model. */
const MODEL_AT_ONCE = 4
const LOOK_EVERY_MS = 300
/** A run from a template asks no model and costs no AI request. */
const NO_MODEL = { useId: null, without: 'Written from a template.' }
/** How often a run looks whether its account may still send. */
const LOOK_AT_RULES_MS = 1000
/** A run whose last mails were deferred is over for the user; they are retried automatically. */
const LATER_IS_OVER_MS = 10 * 60_000
/** A job ends after this long, so that its lease in the queue never gets old. */
const TURN_MS = 5 * 60_000

/**
 * Drives a run: lists the contacts, writes mails a little ahead of sending, and records the end. It may be
 * interrupted anywhere, and may run twice at once: each contact's row is written by only one of them.
 */
export async function runBatch(
  context: Context,
  userId: number,
  batchId: number,
  signal: AbortSignal,
): Promise<void> {
  const turnEnds = Date.now() + TURN_MS
  // Contacts are written in order; reading those before this one again each time would cost more and more.
  let after = 0
  // How many more may be written before counting again is worth it.
  const room = { left: 0 }
  let looked: { at: number; standing: Standing | undefined } = { at: 0, standing: undefined }
  while (Date.now() < turnEnds && !signal.aborted) {
    const batch = await findBatch(context.db, userId, batchId)
    if (batch === undefined || batch.state !== 'running') return
    if (!batch.is_listed) {
      await listContacts(context, batch, signal)
      continue
    }
    // An account's figures, hours and ceiling: of a new address nobody else's mails may take what is counted on, and a run
    // that has waited, perhaps over midnight, goes on by what holds now.
    const isOld = Date.now() - looked.at >= LOOK_AT_RULES_MS
    if (isOld || batch.waits_for !== null || (looked.standing?.ceiling ?? null) !== null) {
      const at = { userId, mailboxId: batch.mailbox_id }
      looked = { at: Date.now(), standing: await standingOf(context, context.db, at) }
    }
    const { standing } = looked
    const refused = standing?.refused ?? null
    // While all mail of the user is paused, nothing waits less than before.
    if (standing !== undefined && refused?.kind !== 'paused') {
      if (refused !== null && (await hasToWait(context, batch, refused))) {
        if (!(await isOver(context, batch))) return waitForRules(context, batch, refused, standing.today)
      } else if (batch.waits_for !== null) await goOn(context, batch, standing.today)
    }
    const most = standing?.ceiling == null ? AHEAD : standing.ceiling - standing.sentToday
    // What is written today should leave today: an account with a limit is no more than an hour ahead.
    const ahead = Math.min(AHEAD, standing?.account.hourlyLimit ?? AHEAD)
    const wrote = await writeSome(context, batch, { after, most, ahead, room, signal })
    // The rules have changed since they were looked at.
    if (wrote === 'refused') looked.at = 0
    if (wrote === 'refused') continue
    if (typeof wrote === 'number') {
      after = wrote
      continue
    }
    if (wrote === 'nothing left') after = 0
    if (await isOver(context, batch)) {
      await finish(context, batch)
      return
    }
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/** A new address that has sent all that it may today lets what it has queued leave. */
async function hasToWait(context: Context, batch: BatchRow, refused: Refused): Promise<boolean> {
  if (refused.kind !== 'warm_up') return true
  return (await pendingItems(context.db, batch.user_id, batch.id, 0, 1)).length > 0
}

function groupOf(batch: BatchRow) {
  return { userId: batch.user_id, mailboxId: batch.mailbox_id, groupId: batch.id }
}

async function isOver(context: Context, batch: BatchRow): Promise<boolean> {
  if ((await pendingItems(context.db, batch.user_id, batch.id, 0, 1)).length > 0) return false
  // Counting all mails of a run takes as long as sending some of them: not while any is waiting to be sent.
  if ((await countQueued(context.db, groupOf(batch), 1)) > 0) return false
  const now = context.clock.now()
  const counts = await countGroup(context.db, batch.user_id, batch.id, now)
  return !counts.some((count) => stillMoving(count, now))
}

function stillMoving({ state, fresh, next_try_at }: GroupCount, now: Date): boolean {
  if (fresh > 0) return true
  if (state === 'deferred' || state === 'unsure')
    return (
      next_try_at !== null && next_try_at.getTime() - now.getTime() < LATER_IS_OVER_MS && state === 'deferred'
    )
  return state === 'queued' || state === 'held' || state === 'claimed' || state === 'committed'
}

async function finish(context: Context, batch: BatchRow): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const done = await moveBatch(tx, batch.user_id, batch.id, ['running'], {
      state: 'done',
      finished_at: context.clock.now(),
    })
    const finished = { type: 'run_finished', user: batch.user_id, origin: null } as const
    if (done !== undefined) await noteActivity(context, tx, { ...finished, detail: `run ${batch.id}` })
    await context.live.publish(tx, batch.user_id, { topic: 'outreach' })
  })
  await analyzeGrownTables(context, ['emails', 'deliveries'], batch.total)
}

type Pace = { after: number; most: number; ahead: number; room: { left: number }; signal: AbortSignal }

/** Writes the mails to the next contacts of a run, `most` at a time; returns the last contact, or why it wrote none. */
async function writeSome(
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
  const writer = writerOf(user, brief ?? (await voiceOf(context.db, userId)))
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

type Queueing = {
  batch: BatchRow
  user: UserRow
  mailbox: Mailbox
  ids: readonly number[]
  shown: ReadonlyMap<number, PreviewRow>
  writer: Writer
  /** Who gets none because the template would have a gap. */
  gaps: ReadonlyMap<number, string>
}

/** Queues what was written; true if some has to wait, and is still to be written. */
async function queueWritten(
  context: Context,
  { batch, user, mailbox, ids: asked, shown, gaps, writer }: Queueing,
  written: ReadonlyMap<number, Written>,
): Promise<boolean> {
  const { user_id: userId, id: batchId } = batch
  return inTransaction(context.db, async (tx) => {
    // The run may have been paused or cancelled while the model was working.
    if (!(await keepRunning(tx, userId, batchId))) return false
    const mine = await lockPending(tx, userId, batchId, asked)
    // A run may wait for days: the mail goes to the address that the contact has now.
    const contacts = await contactsById(tx, userId, [...mine])
    const keys = [...contacts.values()].map((contact) => contact.email_key)
    // Somebody may have been mailed since the run was listed: by hand, or by the house that a restored backup was taken from.
    // A contact that is still pending has had no mail of this run.
    const mailed = await mailedBefore(context, tx, userId, keys, batch)
    // Whoever was mailed before the run may answer while it waits.
    const replied = batch.write_again ? await repliedSince(tx, userId, keys, batch.started_at) : new Set()
    const changes: ItemChange[] = []
    const wanted: { contactId: number; address: string; mail: Written }[] = []
    for (const contactId of mine) {
      const to = contacts.get(contactId)
      const mail = written.get(contactId)
      const gap = gaps.get(contactId)
      const before = to === undefined ? undefined : mailed.get(to.email_key)
      if (to === undefined || (mail ?? gap) === undefined)
        changes.push(skipped(contactId, 'The contact was deleted'))
      else if (shown.get(contactId)?.left_out === true) changes.push(skipped(contactId, LEFT_OUT))
      else if (!isSendable(to.email)) changes.push(skipped(contactId, NO_ADDRESS))
      else if (before !== undefined) changes.push(skipped(contactId, before))
      else if (replied.has(to.email_key)) changes.push(skipped(contactId, REPLIED))
      else if (mail === undefined) changes.push(skipped(contactId, gap ?? ''))
      else wanted.push({ contactId, address: to.email, mail })
    }
    const at = { userId, mailboxId: mailbox.id, source: 'run' as const }
    const reserved = await reserveMails(context, tx, at, wanted)
    const toQueue = wanted.filter(({ contactId }) => reserved.get(contactId) === null)
    let isRefused = false
    for (const [contactId, refused] of reserved) {
      if (refused === null) continue
      // Who gets none today, or never, is told so; what the whole account waits for, the run waits for.
      if (refused.kind === 'suppressed' || refused.kind === 'once_a_day')
        changes.push(skipped(contactId, refused.reason))
      else isRefused = true
    }
    const ids = await enqueueEmails(
      context,
      tx,
      { userId, mailboxId: mailbox.id, groupId: batchId, priority: 1, from: senderOf(mailbox, user) },
      toQueue.map(({ address, mail }) => ({
        to: address,
        subject: mail.subject,
        text: (emailId) =>
          withOptOut(mail.text, unsubscribeUrl(context, userId, emailId), writer.voice.language),
        purpose: 'outreach',
        templated: mail.fallback !== null,
      })),
    )
    toQueue.forEach(({ contactId, address, mail }, index) => {
      changes.push({
        contact_id: contactId,
        address,
        state: 'written',
        reason: mail.fallback,
        email_id: ids[index] ?? null,
        templated: mail.fallback !== null,
      })
    })
    const entries = toQueue.map(({ contactId }, index) => ({ contactId, emailId: ids[index] ?? 0 }))
    await noteQueued(tx, userId, 'run', entries)
    await changeItems(tx, userId, batchId, changes)
    // Who has to wait gets the mail that was shown later.
    const settled = changes.map(({ contact_id: contactId }) => contactId)
    await dropPreviews(
      tx,
      userId,
      settled.filter((contactId) => shown.has(contactId)),
    )
    return isRefused
  })
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

function skipped(contactId: number, reason: string): ItemChange {
  return { contact_id: contactId, address: null, state: 'skipped', reason, email_id: null, templated: false }
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
