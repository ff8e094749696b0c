import { AHEAD, type LongWork, MODEL_CHUNK, modelUse, TEMPLATE_CHUNK, writeMany } from '../runs/runs.ts'
import {
  daysLater,
  localDay,
  noteQueued,
  reserveMails,
  standingOf,
} from '../automatic-mail/automatic-mail.ts'
import { closingOf, newestBrief, USUAL_VOICE, withOptOut, writerOf } from '../briefs/briefs.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { countQueued, enqueueEmails, unsubscribeUrl } from '../../mail/emails/emails.ts'
import { modelFor, type UserModel } from '../../models/language-models/language-models.ts'
import { mailbox as findMailbox, senderOf } from '../../mail/mailboxes/mailboxes.ts'
import { replyHeaders, replySubject } from '../../formats/mail-text/threading.ts'
import { SILENT_DAYS, startOf } from './days.ts'
import { type FollowUpState, followUpState, termsOn } from './follow-up-state.ts'
import {
  addDayTokens,
  addFollowUps,
  changeDay,
  CONTACT_CHANGED,
  contactsToFollow,
  type DayRow,
  findDay,
  isDue,
  leaveDay,
  lockDay,
  type Place,
  type Standing,
  standingsOf,
  takeOpenDays,
} from './store.ts'
import { type WrittenFollowUp, writeFollowUp } from './write-follow-up.ts'

/** Days that a process drives at once. */
const DAYS_AT_ONCE = 4
/** After this long other users have their turn. */
const TURN_MS = 60_000

const NOBODY_DUE = 'Nobody is due.'

/**
 * Writes and queues the follow-ups of days that have begun; any number of workers may do so at once. Each day has one turn:
 * one that fails keeps nobody else waiting.
 */
export async function runDays(context: Context): Promise<void> {
  for (let after: DayRow | undefined; ;) {
    const days = await takeOpenDays(context.db, context.workerId, after, DAYS_AT_ONCE)
    const turnEnds = Date.now() + TURN_MS
    await Promise.all(
      days.map(async (day) => {
        try {
          while (Date.now() < turnEnds && !context.stopping.aborted && (await runChunk(context, day)));
        } catch (error) {
          // One user's fault must not end the day of others.
          context.log.warn(
            { err: error, userId: day.user_id, day: day.day },
            'follow-ups could not be written; tried again',
          )
        } finally {
          await leaveDay(context.db, day, context.workerId)
        }
      }),
    )
    const last = days.at(-1)
    if (last === undefined || days.length < DAYS_AT_ONCE || context.stopping.aborted) return
    after = last
  }
}

/** Queues the follow-ups to the next contacts of a day; false when there is nothing left to do for now. */
export async function runChunk(context: Context, { user_id: userId, day: date }: DayRow): Promise<boolean> {
  const day = await findDay(context.db, userId, date)
  if (day === undefined || day.finished_at !== null) return false
  const state = await followUpState(context.db, userId)
  if (state?.isPaused === true) return false
  // What was left of an earlier day is chosen again on this one: there is no burst after a pause.
  if (state?.isOn !== true || localDay(context.clock.now(), state.zone) !== date) return finish(context, day)
  const model = await modelFor(context, userId)
  const work = longWork(day, model)
  const asksModel = model.available && day.tokens_used < context.config.modelTokensPerRun
  const { people: chosen, next } = await contactsToFollow(context.db, termsOn(state, date), {
    firstFrom: startOf(daysLater(date, -state.maxDays), state.zone),
    silentBefore: startOf(daysLater(date, 1 - SILENT_DAYS), state.zone),
    after: day.after_first_at === null ? null : { firstAt: day.after_first_at, key: day.after_key },
    looked: TEMPLATE_CHUNK,
    most: asksModel ? MODEL_CHUNK : TEMPLATE_CHUNK,
  })
  if (next === null) return finish(context, day)
  const { now, rest, refused } = await whoMayNow(context, day, chosen)
  const first = rest[0]
  // Those who wait for room are looked at again; the others of this chunk are done with.
  const last = chosen[now.length + refused.size - 1]
  if (first !== undefined && last === undefined) return false
  const upTo =
    first === undefined || last?.firstSentAt == null ? next : { firstAt: last.firstSentAt, key: last.key }
  // A day on which nobody is due costs no AI request.
  const { useId, without } =
    now.length === 0 ? { useId: null, without: NOBODY_DUE } : await modelUse(context, work)
  const written = await writeAll(context, state, work, { chosen: now, useId, without })
  return queueWritten(context, day, { chosen: now, refused, next: upTo }, written)
}

/**
 * Divides the next contacts: those whose account may write to them now; those whom it may not write to today, with the
 * reason; and the rest, from the first one on for whom there is no room yet. Nothing is written that would have to wait:
 * what has not left when the hours end is taken back.
 */
async function whoMayNow(
  context: Context,
  { user_id: userId, group_id: groupId }: DayRow,
  chosen: readonly Standing[],
): Promise<{ now: Standing[]; refused: Map<number, string>; rest: readonly Standing[] }> {
  const now: Standing[] = []
  const refused = new Map<number, string>()
  const accounts = new Map<number, { why: string | null; left: number }>()
  for (const [place, to] of chosen.entries()) {
    const mailboxId = to.parent?.mailbox_id ?? 0
    const account = accounts.get(mailboxId) ?? (await roomOf(context, { userId, mailboxId, groupId }))
    accounts.set(mailboxId, account)
    if (account.why !== null) refused.set(to.contactId, account.why)
    else if (account.left <= 0) return { now, refused, rest: chosen.slice(place) }
    else now.push(to)
    account.left -= 1
  }
  return { now, refused, rest: [] }
}

/** Why an account may not write any more today; else how many mails it may write now. */
async function roomOf(
  context: Context,
  group: { userId: number; mailboxId: number; groupId: number },
): Promise<{ why: string | null; left: number }> {
  const standing = await standingOf(context, context.db, group)
  // The account is gone meanwhile, or all mail is paused: the next look tells.
  if (standing === undefined || standing.refused?.kind === 'paused') return { why: null, left: 0 }
  const { account, ceiling, sentToday } = standing
  if (standing.refused !== null) return { why: standing.refused.reason, left: 0 }
  const ahead = Math.min(AHEAD, account.hourlyLimit ?? AHEAD)
  const room = ahead - (await countQueued(context.db, group, ahead))
  return { why: null, left: ceiling === null ? room : Math.min(room, ceiling - sentToday) }
}

async function finish(context: Context, day: DayRow): Promise<false> {
  await changeDay(context.db, day, { finished_at: context.clock.now() })
  await context.live.publish(context.db, day.user_id, { topic: 'outreach' })
  return false
}

/** The day as what writes mails for a long time. */
const longWork = (day: DayRow, model: UserModel): LongWork => ({
  userId: day.user_id,
  model,
  kind: 'day',
  tokensUsed: day.tokens_used,
  lock: async (tx) => ({ useId: (await lockDay(tx, day))?.ai_use_id ?? null, isOver: false }),
  noteUse: (tx, useId) => changeDay(tx, day, { ai_use_id: useId }),
  noteTokens: (tx, tokens) => addDayTokens(tx, day, tokens),
})

type Writing = { chosen: readonly Standing[]; useId: number | null; without: string | null }

async function writeAll(
  context: Context,
  { user, zone }: FollowUpState,
  work: LongWork,
  { chosen, useId, without }: Writing,
): Promise<Map<number, WrittenFollowUp>> {
  const written = new Map<number, WrittenFollowUp>()
  const brief = (await newestBrief(context.db, user.id))?.fields
  const sender = writerOf(user, brief ?? USUAL_VOICE)
  const closing = closingOf(sender, { signature: '', ...(brief ?? USUAL_VOICE) })
  const tools = { model: work.model, without, sender, closing, zone, signal: context.stopping }
  await writeMany(context, work, useId, chosen, async (to, onUsage) => {
    written.set(to.contactId, await writeFollowUp(context, user.id, to, { ...tools, onUsage }))
  })
  return written
}

/** Reserves, queues and notes in one transaction: a kill at any moment loses and doubles nothing. */
async function queueWritten(
  context: Context,
  { user_id: userId, day: date, after_key, after_first_at }: DayRow,
  {
    chosen,
    refused: early,
    next,
  }: { chosen: readonly Standing[]; refused: ReadonlyMap<number, string>; next: Place },
  written: ReadonlyMap<number, WrittenFollowUp>,
): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const day = await lockDay(tx, { user_id: userId, day: date })
    const isMine =
      day?.finished_at === null &&
      day.after_key === after_key &&
      day.after_first_at?.getTime() === after_first_at?.getTime()
    // Another worker has been faster, or follow-ups were switched off: the next look tells.
    if (!isMine) return true
    const state = await followUpState(tx, userId)
    if (state?.isOn !== true || state.isPaused) return true
    const now = await standingsOf(
      tx,
      termsOn(state, date),
      chosen.map(({ contactId }) => contactId),
    )
    const skipped = { ...day.skipped }
    const skip = (reason: string) => (skipped[reason] = (skipped[reason] ?? 0) + 1)
    for (const why of early.values()) skip(why)
    const byMailbox = new Map<number, Standing[]>()
    for (const { contactId, parent } of chosen) {
      const to = now.get(contactId)
      // Somebody may have replied, unsubscribed or been written to since the mails were chosen.
      const isSame = isDue(to, date) && to?.parent?.id === parent?.id
      if (to?.parent == null || !isSame) skip(CONTACT_CHANGED)
      else byMailbox.set(to.parent.mailbox_id, [...(byMailbox.get(to.parent.mailbox_id) ?? []), to])
    }
    let queued = 0
    let templated = 0
    for (const [mailboxId, people] of [...byMailbox].toSorted(([one], [other]) => one - other)) {
      const wanted = people.map(({ contactId, email }) => ({ contactId, address: email }))
      const refused = await reserveMails(context, tx, { userId, mailboxId, source: 'follow_up' }, wanted)
      const reserved = people.filter(({ contactId }) => refused.get(contactId) === null)
      for (const why of refused.values()) if (why !== null) skip(why.reason)
      await queueFrom(context, tx, { state, day, mailboxId }, reserved, written)
      queued += reserved.length
      templated += reserved.filter(({ contactId }) => written.get(contactId)?.fallback !== null).length
    }
    await changeDay(tx, day, {
      after_first_at: next.firstAt,
      after_key: next.key,
      queued: day.queued + queued,
      templated: day.templated + templated,
      skipped,
    })
    for (const topic of ['outreach', 'emails'] as const) await context.live.publish(tx, userId, { topic })
    return true
  })
}

async function queueFrom(
  context: Context,
  tx: Tx,
  { state, day, mailboxId }: { state: FollowUpState; day: DayRow; mailboxId: number },
  people: readonly Standing[],
  written: ReadonlyMap<number, WrittenFollowUp>,
): Promise<void> {
  const { user } = state
  const mailbox = await findMailbox(tx, user.id, mailboxId)
  if (mailbox === undefined || people.length === 0) return
  const ids = await enqueueEmails(
    context,
    tx,
    { userId: user.id, mailboxId, groupId: day.group_id, priority: 1, from: senderOf(mailbox, user) },
    people.map(({ contactId, email, parent }) => {
      const mail = written.get(contactId)
      if (parent === null || mail === undefined) throw new Error('a follow-up without a mail to follow')
      const { references } = replyHeaders({
        messageId: parent.message_id,
        inReplyTo: parent.in_reply_to === null ? [] : [parent.in_reply_to],
        references: parent.reference_ids,
      })
      return {
        to: email,
        subject: replySubject(parent.subject),
        text: (emailId: number) =>
          withOptOut(mail.text, unsubscribeUrl(context, user.id, emailId), mail.language),
        purpose: 'follow_up' as const,
        inReplyTo: parent.message_id,
        references,
        threadId: parent.thread_id,
        templated: mail.fallback !== null,
      }
    }),
  )
  const entries = people.map(({ contactId, key, number }, index) => ({
    contactId,
    emailId: ids[index] ?? 0,
    key,
    number,
  }))
  await addFollowUps(
    tx,
    entries.map(({ contactId, emailId, key, number }) => ({
      user_id: user.id,
      email_id: emailId,
      contact_id: contactId,
      address_key: key,
      number,
      day: day.day,
    })),
  )
  await noteQueued(tx, user.id, 'follow_up', entries)
}
