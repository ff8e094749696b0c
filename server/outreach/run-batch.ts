import { setTimeout as pause } from 'node:timers/promises'
import { findUser, type UserRow } from '../auth/auth.ts'
import { contactsById } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import {
  countGroup,
  type GroupCount,
  queueEmails,
  suppressedAmong,
  unsubscribeUrl,
} from '../emails/emails.ts'
import { mailbox as findMailbox, type Mailbox, senderOf } from '../mailboxes/mailboxes.ts'
import { addressKey } from '../mail/addresses.ts'
import { listContacts, SUPPRESSED } from './list-contacts.ts'
import {
  addTokens,
  type BatchRow,
  changeItems,
  findBatch,
  type ItemChange,
  lockPending,
  moveBatch,
  pendingItems,
} from './store.ts'
import type { Writer } from './template.ts'
import { type Written, writeMail } from './write-mail.ts'

/** Mails written ahead of sending: enough to keep every connection busy, few enough to be paused and taken back. */
const AHEAD = 2000
/** Mails written in one transaction, from the template and by the model. */
const TEMPLATE_CHUNK = 500
const MODEL_CHUNK = 12
/** Questions that the model is asked at once. */
const MODEL_AT_ONCE = 4
const LOOK_EVERY_MS = 300
/** A run whose last mails were told "later" is over for the user; they are tried again by themselves. */
const LATER_IS_OVER_MS = 10 * 60_000
/** A turn ends after this long, so that its lease in the queue never gets old. */
const TURN_MS = 5 * 60_000

/**
 * Drives a run: lists the contacts, writes mails a little ahead of sending, and notes the end. May be interrupted
 * anywhere, and may run twice at once: each contact's row is written by one of them.
 */
export async function runBatch(
  context: Context,
  userId: number,
  batchId: number,
  signal: AbortSignal,
): Promise<void> {
  const turnEnds = Date.now() + TURN_MS
  while (Date.now() < turnEnds && !signal.aborted) {
    const batch = await findBatch(context.db, userId, batchId)
    if (batch === undefined || batch.state !== 'running') return
    if (!batch.is_listed) {
      await listContacts(context, batch, signal)
      continue
    }
    const wrote = await writeSome(context, batch, signal)
    if (wrote) continue
    if (await isOver(context, batch)) {
      await finish(context, batch)
      return
    }
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

async function isOver(context: Context, batch: BatchRow): Promise<boolean> {
  if ((await pendingItems(context.db, batch.user_id, batch.id, 1)).length > 0) return false
  const now = context.clock.now()
  const counts = await countGroup(context.db, batch.user_id, batch.id, now)
  return !counts.some((count) => stillMoving(count, now))
}

function stillMoving({ state, next_try_at }: GroupCount, now: Date): boolean {
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
}

/** Writes the next mails of a run; false when there is nothing to write now. */
async function writeSome(context: Context, batch: BatchRow, signal: AbortSignal): Promise<boolean> {
  const { user_id: userId, id: batchId } = batch
  const waiting = (await countGroup(context.db, userId, batchId, context.clock.now())).filter(
    (count) => count.state === 'queued',
  )
  if (waiting.reduce((sum, count) => sum + count.count, 0) >= AHEAD) return false
  const items = await pendingItems(
    context.db,
    userId,
    batchId,
    context.model.available ? MODEL_CHUNK : TEMPLATE_CHUNK,
  )
  if (items.length === 0) return false
  const [user, mailbox, contacts] = await Promise.all([
    findUser(context.db, userId),
    findMailbox(context.db, userId, batch.mailbox_id),
    contactsById(
      context.db,
      userId,
      items.map((item) => item.contact_id),
    ),
  ])
  if (user === undefined || mailbox === undefined) return false
  const writer = writerOf(user)
  const budgetLeft = batch.tokens_used < context.config.modelTokensPerRun
  const written = new Map<number, Written>()
  await atMost(MODEL_AT_ONCE, items, async (item) => {
    const to = contacts.get(item.contact_id)
    if (to !== undefined)
      written.set(item.contact_id, await writeMail(context, to, writer, { budgetLeft, signal }))
  })
  await queueWritten(
    context,
    { batch, user, mailbox, addresses: new Map(items.map((item) => [item.contact_id, item.address])) },
    written,
  )
  return true
}

type Queueing = { batch: BatchRow; user: UserRow; mailbox: Mailbox; addresses: ReadonlyMap<number, string> }

async function queueWritten(
  context: Context,
  { batch, user, mailbox, addresses }: Queueing,
  written: ReadonlyMap<number, Written>,
): Promise<void> {
  const { user_id: userId, id: batchId } = batch
  await inTransaction(context.db, async (tx) => {
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
    const ids = await queueEmails(
      context,
      tx,
      { userId, mailboxId: mailbox.id, groupId: batchId, priority: 1, from: senderOf(mailbox, user) },
      toQueue.map(({ address, mail }) => ({
        to: address,
        subject: mail.subject,
        text: (emailId) =>
          `${mail.text}\n\n--\nYou do not want such mail? ${unsubscribeUrl(context, userId, emailId)}\n`,
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
    // The run may have been paused or cancelled while the model was thinking.
    const now = await findBatch(tx, userId, batchId)
    if (now?.state !== 'running') throw new RunHeld()
  }).catch((error: unknown) => {
    if (!(error instanceof RunHeld)) throw error
  })
}

/** Undoes the writing of mails for a run that is no longer running. */
class RunHeld extends Error {}

function skipped(contactId: number, reason: string): ItemChange {
  return { contact_id: contactId, state: 'skipped', reason, email_id: null, templated: false }
}

export function writerOf(user: UserRow): Writer {
  return { name: user.name, company: user.company_name || user.business_name, role: user.job_title }
}

async function atMost<T>(
  count: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, lane))
}
