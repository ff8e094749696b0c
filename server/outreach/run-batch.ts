import { setImmediate as breath, setTimeout as pause } from 'node:timers/promises'
import { findUser, type UserRow } from '../auth/auth.ts'
import { contactsById } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { analyzeGrownTables } from '../database/analyze-grown-tables.ts'
import { inTransaction } from '../database/transaction.ts'
import {
  countGroup,
  countQueued,
  type GroupCount,
  enqueueEmails,
  suppressedAmong,
  unsubscribeUrl,
} from '../emails/emails.ts'
import { mailbox as findMailbox, type Mailbox, senderOf } from '../mailboxes/mailboxes.ts'
import { addressKey } from '../mail/addresses.ts'
import { listContacts, SUPPRESSED } from './list-contacts.ts'
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
    await moveBatch(tx, batch.user_id, batch.id, ['running'], {
      state: 'done',
      finished_at: context.clock.now(),
    })
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
  const items = await pendingItems(
    context.db,
    userId,
    batchId,
    after,
    context.model.available ? MODEL_CHUNK : TEMPLATE_CHUNK,
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
  if (user === undefined || user.mail_paused_at !== null || mailbox === undefined) return 'enough'
  const writer = writerOf(user)
  const budgetLeft = batch.tokens_used < context.config.modelTokensPerRun
  const written = new Map<number, Written>()
  await atMost(MODEL_AT_ONCE, items, async (item) => {
    const to = contacts.get(item.contact_id)
    // Templates cost only CPU time: connections that send must not wait for hundreds of them.
    if (written.size % WRITTEN_A_BREATH === WRITTEN_A_BREATH - 1) await breath()
    if (to !== undefined)
      written.set(item.contact_id, await writeMail(context, to, writer, { budgetLeft, signal }))
  })
  await queueWritten(
    context,
    { batch, user, mailbox, addresses: new Map(items.map((item) => [item.contact_id, item.address])) },
    written,
  )
  room.left -= items.length
  return last.contact_id
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
    const off = await suppressedAmong(tx, userId, [...addresses.values()].map(addressKey))
    const changes: ItemChange[] = []
    const toQueue: { contactId: number; address: string; mail: Written }[] = []
    for (const contactId of mine) {
      const address = addresses.get(contactId) ?? ''
      const mail = written.get(contactId)
      const reason = off.get(addressKey(address))
      if (mail === undefined) changes.push(skipped(contactId, 'The contact was deleted'))
      else if (reason !== undefined) changes.push(skipped(contactId, SUPPRESSED[reason]))
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
    const tokens = [...written.values()].reduce((sum, mail) => sum + mail.tokens, 0)
    if (tokens > 0) await addTokens(tx, userId, batchId, tokens)
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
