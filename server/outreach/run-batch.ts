import { setImmediate as breath, setTimeout as pause } from 'node:timers/promises'
import { noteActivity } from '../activities/activities.ts'
import { goOnWithAiRequest, noteUsage } from '../ai-requests/ai-requests.ts'
import { findUser, isMailPaused, type UserRow } from '../auth/auth.ts'
import { contactsById } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { analyzeGrownTables } from '../database/analyze-grown-tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { TooManyRequests } from '../errors.ts'
import {
  countGroup,
  countQueued,
  type GroupCount,
  enqueueEmails,
  mailedAmong,
  suppressedAmong,
  unsubscribeUrl,
} from '../emails/emails.ts'
import type { ModelUsage } from '../gateways/language-model.ts'
import { modelFor, type UserModel } from '../language-models/language-models.ts'
import { mailbox as findMailbox, type Mailbox, senderOf } from '../mailboxes/mailboxes.ts'
import { addressKey } from '../mail/addresses.ts'
import { ALREADY_MAILED, listContacts, SUPPRESSED } from './list-contacts.ts'
import { withOptOut } from './opt-out.ts'
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
  while (Date.now() < turnEnds && !signal.aborted) {
    const batch = await findBatch(context.db, userId, batchId)
    if (batch === undefined || batch.state !== 'running') return
    if (!batch.is_listed) {
      await listContacts(context, batch, signal)
      continue
    }
    const wrote = await writeSome(context, batch, after, room, signal)
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

/** Writes the mails to the next contacts of a run; returns the last contact, or why it wrote none. */
async function writeSome(
  context: Context,
  batch: BatchRow,
  after: number,
  room: { left: number },
  signal: AbortSignal,
): Promise<number | 'enough' | 'nothing left'> {
  const { user_id: userId, id: batchId } = batch
  if (room.left <= 0) room.left = AHEAD - (await countQueued(context.db, groupOf(batch), AHEAD))
  if (room.left <= 0) return 'enough'
  const model = await modelFor(context, userId)
  const { useId, without } = await modelUse(context, batch, model)
  const items = await pendingItems(
    context.db,
    userId,
    batchId,
    after,
    without === null ? MODEL_CHUNK : TEMPLATE_CHUNK,
  )
  const last = items.at(-1)
  if (last === undefined) return 'nothing left'
  const [user, mailbox, contacts] = await Promise.all([
    findUser(context.db, userId),
    findMailbox(context.db, userId, batch.mailbox_id),
    contactsById(
      context.db,
      userId,
      items.map((item) => item.contact_id),
    ),
  ])
  if (user === undefined || isMailPaused(user) || mailbox === undefined) return 'enough'
  const writer = writerOf(user)
  const written = new Map<number, Written>()
  const used = { inputTokens: 0, outputTokens: 0, milliseconds: 0 }
  const onUsage = ({ inputTokens, outputTokens }: ModelUsage) => {
    used.inputTokens += inputTokens
    used.outputTokens += outputTokens
  }
  const begun = performance.now()
  const now = context.clock.now()
  const writing = atMost(MODEL_AT_ONCE, items, async (item) => {
    const to = contacts.get(item.contact_id)
    // Templates cost only CPU time: connections that send must not wait for hundreds of them.
    if (written.size % WRITTEN_A_BREATH === WRITTEN_A_BREATH - 1) await breath()
    if (to !== undefined)
      written.set(item.contact_id, await writeMail(model, to, writer, { without, signal, onUsage, now }))
  })
  // What the model has written is paid for, also when the run is paused or interrupted now.
  await writing.finally(async () => {
    used.milliseconds = performance.now() - begun
    await noteTokens(context, batch, { useId, model }, used)
  })
  await queueWritten(
    context,
    { batch, user, mailbox, addresses: new Map(items.map((item) => [item.contact_id, item.address])) },
    written,
  )
  room.left -= items.length
  return last.contact_id
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

type Queueing = { batch: BatchRow; user: UserRow; mailbox: Mailbox; addresses: ReadonlyMap<number, string> }

async function queueWritten(
  context: Context,
  { batch, user, mailbox, addresses }: Queueing,
  written: ReadonlyMap<number, Written>,
): Promise<void> {
  const { user_id: userId, id: batchId } = batch
  await inTransaction(context.db, async (tx) => {
    // The run may have been paused or cancelled while the model was working.
    if (!(await keepRunning(tx, userId, batchId))) return
    const mine = await lockPending(tx, userId, batchId, [...addresses.keys()])
    const keys = [...addresses.values()].map(addressKey)
    const off = await suppressedAmong(tx, userId, keys)
    // Somebody may have been mailed since the run was listed: by hand, or by the house that a restored backup was taken from.
    // A contact that is still pending has had no mail of this run.
    const mailed = await mailedAmong(tx, userId, keys)
    const changes: ItemChange[] = []
    const toQueue: { contactId: number; address: string; mail: Written }[] = []
    for (const contactId of mine) {
      const address = addresses.get(contactId) ?? ''
      const mail = written.get(contactId)
      const reason = off.get(addressKey(address))
      if (mail === undefined) changes.push(skipped(contactId, 'The contact was deleted'))
      else if (reason !== undefined) changes.push(skipped(contactId, SUPPRESSED[reason]))
      else if (mailed.has(addressKey(address))) changes.push(skipped(contactId, ALREADY_MAILED))
      else toQueue.push({ contactId, address, mail })
    }
    const ids = await enqueueEmails(
      context,
      tx,
      { userId, mailboxId: mailbox.id, groupId: batchId, priority: 1, from: senderOf(mailbox, user) },
      toQueue.map(({ address, mail }) => ({
        to: address,
        subject: mail.subject,
        text: (emailId) => withOptOut(mail.text, unsubscribeUrl(context, userId, emailId)),
        purpose: 'outreach',
        templated: mail.fallback !== null,
      })),
    )
    toQueue.forEach(({ contactId, mail }, index) => {
      changes.push({
        contact_id: contactId,
        state: 'written',
        reason: mail.fallback,
        email_id: ids[index] ?? null,
        templated: mail.fallback !== null,
      })
    })
    await changeItems(tx, userId, batchId, changes)
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
  return { contact_id: contactId, state: 'skipped', reason, email_id: null, templated: false }
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
