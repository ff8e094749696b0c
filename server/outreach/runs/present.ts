import type * as z from 'zod/mini'
import type { Batch, batchResult } from '#contract/outreach/runs.ts'
import { type Refused, standingOf, waitsWithoutEnd } from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import { countGroup, deliveriesOf, type DeliveryState, type GroupCount } from '../../mail/emails/emails.ts'
import { mailbox as findMailbox, type Mailbox } from '../../mail/mailboxes/mailboxes.ts'
import { ALREADY_MAILED } from './list-contacts.ts'
import { type BatchRow, countItems, countSkipped, type ItemRow, listItems, sendingOf } from './store.ts'
import { sayModelWait } from './wait-for-model.ts'

type Result = z.infer<typeof batchResult>
type Summary = Batch['summary']
/** What a run waits for: its account, or its model. */
type Held = Omit<Refused, 'kind'> & { kind: Refused['kind'] | 'model' }

/** The pace is measured over this long. */
const PACE_MS = 20_000

/** The state of a run, with a page of its results. */
export async function presentBatch(
  context: Context,
  batch: BatchRow,
  page: { limit: number; offset: number },
): Promise<Batch> {
  const { user_id: userId, id } = batch
  const now = context.clock.now()
  const since = new Date(Math.max(now.getTime() - PACE_MS, batch.started_at.getTime()))
  const [items, groups, skips, rows, mailbox] = await Promise.all([
    countItems(context.db, userId, id),
    countGroup(context.db, userId, id, since),
    countSkipped(context.db, userId, id),
    listItems(context.db, userId, id, page.limit, page.offset),
    findMailbox(context.db, userId, batch.mailbox_id),
  ])
  const deliveries = await deliveriesOf(
    context.db,
    userId,
    rows.flatMap((row) => row.email_id ?? []),
  )
  // As it is now: what was true when the run began to wait may read wrong the next day.
  const isWaiting = batch.state === 'running' && batch.waits_for !== null
  const standing = isWaiting ? await standingOf(context, context.db, sendingOf(batch)) : undefined
  const held = standing === undefined ? null : (standing.refused ?? modelWait(batch, now, standing.zone))
  const pause = batch.state === 'running' ? await waitsWithoutEnd(context, userId, undefined) : null
  const summary = summarise(batch, items, groups)
  const done = batch.state === 'done' || batch.state === 'cancelled'
  return {
    batch_id: id,
    audience: batch.audience_name,
    template: batch.template?.name ?? null,
    state: batch.state,
    done,
    started_at: batch.started_at.toISOString(),
    finished_at: batch.finished_at?.toISOString() ?? null,
    seconds_left:
      batch.state === 'running' && pause === null
        ? secondsLeft(summary.pending, groups, now.getTime() - since.getTime())
        : null,
    waiting_for: done
      ? null
      : pause !== null
        ? `${pause}.`
        : (held?.reason ?? waitingFor(batch, groups, mailbox, now)),
    waits: waitsOf(batch, held),
    summary,
    results: rows.map((row) =>
      presentItem(row, row.email_id === null ? undefined : deliveries.get(row.email_id)),
    ),
    message: message(batch, summary, skips),
    skipped: summary.skipped,
    error: batch.error,
  }
}

function waitsOf({ mailbox_id: mailboxId }: BatchRow, held: Held | null): Batch['waits'] {
  if (held === null) return null
  const { kind, until } = held
  if (kind !== 'hours' && kind !== 'warm_up' && kind !== 'stopped' && kind !== 'model') return null
  return { kind, until: until?.toISOString() ?? null, mailbox_id: mailboxId }
}

const modelWait = (batch: BatchRow, now: Date, zone: string): Held | null =>
  batch.waits_for === 'model'
    ? { kind: 'model', reason: sayModelWait(batch, now, zone), until: batch.look_again_at }
    : null

function count(groups: readonly GroupCount[], states: readonly DeliveryState[], templated?: boolean): number {
  return groups
    .filter(
      (group) => states.includes(group.state) && (templated === undefined || group.templated === templated),
    )
    .reduce((sum, group) => sum + group.count, 0)
}

function summarise(
  batch: BatchRow,
  items: Record<ItemRow['state'], number>,
  groups: readonly GroupCount[],
): Summary {
  const sent = count(groups, ['sent'])
  const errors = items.error + count(groups, ['failed'])
  const listed = items.pending + items.written + items.skipped + items.error
  const total = Math.max(batch.total, listed)
  return {
    total,
    sent,
    errors,
    skipped: items.skipped,
    warnings: count(groups, ['sent'], true),
    pending: Math.max(0, total - sent - errors - items.skipped),
    unwritten: items.pending,
  }
}

function secondsLeft(pending: number, groups: readonly GroupCount[], overMs: number): number | null {
  const recent = groups.reduce((sum, group) => sum + group.recent, 0)
  if (pending === 0) return 0
  return recent === 0 || overMs < 1000 ? null : Math.ceil((pending * overMs) / 1000 / recent)
}

function waitingFor(
  batch: BatchRow,
  groups: readonly GroupCount[],
  mailbox:
    | Pick<Mailbox, 'address' | 'disconnected_at' | 'send_pause_until' | 'last_error' | 'hourly_limit'>
    | undefined,
  now: Date,
): string | null {
  if (batch.state === 'paused') return 'You have paused this run.'
  if (mailbox === undefined) return 'The mail account of this run is no longer there.'
  if (mailbox.disconnected_at !== null)
    return `${mailbox.address} is disconnected. Connect it again in your email settings to go on, or cancel this run.`
  if (mailbox.send_pause_until !== null && mailbox.send_pause_until > now) {
    return `Your mail server says: ${mailbox.last_error ?? 'not now'}. It is tried again at ${clockTime(mailbox.send_pause_until)}.`
  }
  const queued = count(groups, ['queued'])
  const moving = count(groups, ['claimed', 'committed'])
  if (mailbox.hourly_limit !== null && queued > 0 && moving === 0)
    return `Your limit of ${mailbox.hourly_limit} mails an hour sets the pace.`
  const later = count(groups, ['deferred'])
  return later > 0 && queued + moving === 0
    ? `Your mail server took ${later} of the mails only for later; they are tried again by themselves.`
    : null
}

// In UTC: where the page shows times it uses the user's zone; a sentence only needs to be unambiguous.
function clockTime(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`
}

function presentItem(
  item: ItemRow,
  delivery: { state: DeliveryState; reason: string | null } | undefined,
): Result {
  const base = { contact_id: item.contact_id, name: item.name, email: item.address, email_id: item.email_id }
  if (item.state === 'skipped' || item.state === 'error')
    return { ...base, status: item.state, reason: item.reason }
  if (delivery === undefined) return { ...base, status: 'pending', reason: null }
  if (delivery.state === 'sent')
    return {
      ...base,
      status: item.templated ? 'warning' : 'sent',
      reason: item.templated ? `Sent with the template. ${item.reason ?? ''}`.trim() : null,
    }
  return { ...base, status: delivery.state === 'failed' ? 'error' : 'pending', reason: delivery.reason }
}

/** The specification's sentences, built from the counts. */
function message(batch: BatchRow, summary: Summary, skips: ReadonlyMap<string, number>): string {
  const mailed = skips.get(ALREADY_MAILED) ?? 0
  const others = summary.skipped - mailed
  const parts = [
    summary.sent > 0 ? `Successfully sent ${summary.sent} email(s).` : '',
    mailed > 0 ? `${mailed} contact(s) already had emails sent.` : '',
    others > 0 ? `${others} contact(s) were skipped.` : '',
    summary.warnings > 0 ? `${summary.warnings} email(s) used fallback templates.` : '',
    summary.errors > 0 ? `${summary.errors} email(s) failed to send.` : '',
    batch.state === 'running' && summary.pending > 0 ? `${summary.pending} email(s) are on their way.` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'Email generation completed!' : parts.join(' ')
}
