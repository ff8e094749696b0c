import type { SequenceStep, StopReason } from '#contract/sequences.ts'
import { FALLBACK_ZONE } from '#contract/values.ts'
import { findUser, type UserRow } from '../auth/auth.ts'
import {
  ANY_TIME,
  dayBegins,
  findRules,
  localDay,
  noteQueued,
  type Refused,
  reserveMails,
  standingOf,
  SUPPRESSED,
} from '../automatic-mail/automatic-mail.ts'
import { makeBreath } from '../breath.ts'
import { contactsById, type ContactToMail, giveTag, tagKey, takeTag } from '../contacts/contacts.ts'
import { zoneReader } from '../contact-files/time-zone.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../database/handles.ts'
import { inTransaction } from '../database/transaction.ts'
import {
  type EmailToQueue,
  enqueueEmails,
  onTheWayAmong,
  unsubscribeUrl,
  withdrawEmails,
} from '../emails/emails.ts'
import { isSendable } from '../mail/addresses.ts'
import { type Mailbox, primaryMailbox, senderOf } from '../mailboxes/mailboxes.ts'
import { withOptOut } from '../outreach/outreach.ts'
import { type TemplateWriter, writerOfTemplates } from '../templates/templates.ts'
import { addContactTodos } from '../todos/todos.ts'
import { accountOf } from './account-of.ts'
import {
  addMails,
  claimDue,
  countMailsSince,
  countOwnMails,
  dueSequences,
  factsOf,
  type LastMail,
  lastMailsOf,
  lockPace,
  type Move,
  moveMembers,
  putOffDue,
  putOffTurns,
  setDepth,
} from './due-store.ts'
import { commonHours, groupOf, hoursOf, whenDue } from './hours-of.ts'
import { type MemberRow, setBack, unsentMailsOf } from './members-store.ts'
import {
  type Hours,
  isAllowed,
  mailsASlot,
  SLOT_MS,
  slotAfter,
  slotOf,
  slotsFrom,
  whenAllowed,
} from './pace.ts'
import { backToDraft } from './reset-practice.ts'
import { lockSequence, type SequenceRow, stepsByVersion } from './store.ts'
import { type Deed, endOfWait, type Facts, type MailStep, stepAfter, walkSteps } from './walk-steps.ts'
import { taskTitle, type Texts, textsOf, writeStep } from './write-step.ts'

/** Members whose steps are done in one transaction. */
const AT_ONCE = 500
/** Members that are looked at to find the sequences that have something to do; if more are due, all sequences are asked. */
const LOOK = 5000
/** What waits for the user, not for a time, is looked at again after this. */
const LOOK_AGAIN_MS = 10 * 60_000
/** Members that are put off in one statement; the others are put off when they are looked at next. */
const PUT_OFF_AT_ONCE = 50_000
/**
 * Members that wait for their turn are spread over so many slots, and the last takes the rest: who waits need not be looked at in
 * each slot, but soon has a turn when the account may send more.
 */
const SLOTS_AHEAD = 12
/** A mail that left this much later than it was written is what a wait after it is counted from. */
const LATE_MS = SLOT_MS
const NO_ACCOUNT = 'No email account is connected.'
const PRACTISING = 'You are practising. It goes on once you have left practice.'
const PACE = 'It waits for its turn: the emails leave a few at a time.'
const NEVER_MEET = 'Your sending hours and the hours in which they read never meet.'
/** Whoever waits for hours that never come is looked at again after this: the hours may have been changed. */
const NEVER_AGAIN_MS = 24 * 60 * 60_000
const NOT_LEFT = 'The email before it has not left yet.'

/**
 * Gives each sequence with members that are due one turn: the steps of some of them. Any number of workers may do so at once,
 * and be killed at any time.
 *
 * @returns whether anything was done, so that more may be due
 */
export async function runDue(context: Context): Promise<boolean> {
  let found = false
  const due = await dueSequences(context.db, context.clock.now(), LOOK)
  const sharers = new Map<number | null, number>()
  for (const { accountId } of due) sharers.set(accountId, (sharers.get(accountId) ?? 0) + 1)
  for (const { userId, sequenceId, accountId } of due) {
    if (context.stopping.aborted) return false
    try {
      if (await runSome(context, userId, sequenceId, sharers.get(accountId) ?? 1)) found = true
    } catch (error) {
      context.log.error({ err: error, userId, sequenceId }, 'a sequence failed; it is tried again later')
      await putOff(context, userId, sequenceId)
    }
  }
  return found
}

/** Lets a sequence that failed wait: it must not keep all others, of all users, from going on. */
async function putOff(context: Context, userId: number, sequenceId: number): Promise<void> {
  const now = context.clock.now()
  const until = new Date(now.getTime() + LOOK_AGAIN_MS)
  await inTransaction(context.db, async (tx) => putOffDue(tx, userId, sequenceId, { now, until }))
}

/** Does the steps of some members of one sequence, each once, in one transaction; returns whether there was anything to do. */
async function runSome(
  context: Context,
  userId: number,
  sequenceId: number,
  sharers: number,
): Promise<boolean> {
  return inTransaction(context.db, async (tx) => {
    const sequence = await lockSequence(tx, userId, sequenceId, 'keep')
    if (sequence?.state !== 'running') return false
    const now = context.clock.now()
    const members = await claimDue(tx, userId, sequenceId, now, AT_ONCE)
    if (members.length === 0) return false
    if (sequence.in_practice && (await primaryMailbox(tx, userId))?.is_practice !== true) {
      await backToDraft(context, tx, sequence)
      return true
    }
    const user = await findUser(tx, userId)
    if (user === undefined) return false
    return new Round(context, tx, user, sequence, now, sharers).run(members)
  })
}

/** A member before a mail, with all that the mail needs. */
type Candidate = { member: MemberRow; contact: ContactToMail; step: MailStep }

/** One transaction's work on one sequence. */
class Round {
  readonly #moves: Move[] = []
  readonly #deeds: { member: MemberRow; deed: Deed }[] = []
  readonly #facts = new Map<number, Facts>()
  readonly #context: Context
  readonly #tx: Tx
  readonly #user: UserRow
  readonly #sequence: SequenceRow
  readonly #now: Date
  readonly #zone: string
  /** Sequences with members that are due and that send through the same account: each gets its part of a slot, and of the day. */
  readonly #sharers: number
  #versions = new Map<number, SequenceStep[]>()
  #contacts = new Map<number, ContactToMail>()
  #usersHours: Hours = ANY_TIME
  /** Where each contact is, if the sequence writes in the readers' hours and it is known. */
  #zones = new Map<number, string>()
  #writer: TemplateWriter = { name: '', company: '', role: '' }
  #last: ReadonlyMap<number, LastMail> = new Map()
  /** Whoever is before a mail and due waits from then on, a few at a time; null: mails may leave. */
  #heldUp: { until: Date; aSlot: number; why: string | null } | null = null

  constructor(context: Context, tx: Tx, user: UserRow, sequence: SequenceRow, now: Date, sharers: number) {
    this.#context = context
    this.#tx = tx
    this.#user = user
    this.#sequence = sequence
    this.#now = now
    this.#sharers = sharers
    this.#zone = user.time_zone ?? FALLBACK_ZONE
  }

  /** Returns whether anything has changed: members that only wait for other sequences to take their part stay as they are. */
  async run(members: readonly MemberRow[]): Promise<boolean> {
    const tx = this.#tx
    const { user_id: userId, id } = this.#sequence
    this.#versions = await stepsByVersion(tx, userId, id)
    this.#writer = await writerOfTemplates(this.#context, userId)
    const rules = await findRules(tx, userId)
    if (rules !== undefined)
      this.#usersHours = { days: rules.days, fromHour: rules.from_hour, untilHour: rules.until_hour }
    this.#contacts = await contactsById(
      tx,
      userId,
      members.map((member) => member.contact_id),
    )
    if (this.#sequence.in_readers_zone) await this.#findZones()
    const facts = await factsOf(tx, userId, members)
    this.#last = await lastMailsOf(
      tx,
      userId,
      members.map(({ id: memberId }) => memberId),
    )
    const onTheWay = await onTheWayAmong(
      tx,
      userId,
      [...this.#last.values()].map(({ emailId }) => emailId),
    )
    const breathe = makeBreath()
    const candidates: Candidate[] = []
    for (const member of members) {
      await breathe()
      const contact = this.#contacts.get(member.contact_id)
      const known = facts.get(member.id)
      if (contact === undefined || known === undefined) {
        this.#stop(member, 'deleted')
        continue
      }
      const before = this.#last.get(member.id)
      if (before !== undefined && onTheWay.has(before.emailId)) {
        this.#move(member, { due_at: new Date(this.#now.getTime() + LOOK_AGAIN_MS), why: NOT_LEFT })
        continue
      }
      if (this.#waitsLonger(member, before)) continue
      this.#facts.set(member.id, { ...known, tags: new Set(known.tags) })
      const step = this.#walk(member, member.step)
      if (step === null) continue
      if (known.replied && this.#sequence.stops_at_reply) this.#stop(member, 'replied')
      else if (!isSendable(contact.email)) this.#stop(member, 'unusable')
      else candidates.push({ member, contact, step })
    }
    await this.#mail(candidates)
    await this.#do()
    await moveMembers(tx, userId, this.#moves, this.#now)
    await this.#putOff()
    const stopped = this.#moves.flatMap((move) => (move.state === 'stopped' ? [move.id] : []))
    const unsent = await unsentMailsOf(tx, userId, stopped)
    // A deletion may be undone.
    await setBack(tx, userId, unsent, this.#now)
    await withdrawEmails(tx, userId, unsent)
    if (this.#moves.length === 0 && this.#heldUp === null) return false
    await this.#context.live.publish(tx, userId, { topic: 'outreach' })
    return true
  }

  async #findZones(): Promise<void> {
    const zoneOf = await zoneReader()
    const breathe = makeBreath()
    for (const contact of this.#contacts.values()) {
      await breathe()
      const zone = zoneOf(contact)
      if (zone !== undefined) this.#zones.set(contact.id, zone)
    }
  }

  /** When the sequence may write to a contact. */
  #hoursFor(contactId: number): Hours[] {
    return [hoursOf(this.#sequence, this.#zones.get(contactId)), this.#usersHours]
  }

  /** When it may write to whomever. */
  get #hoursForAll(): Hours[] {
    return [...commonHours(this.#sequence), this.#usersHours]
  }

  /**
   * Whether a member waits longer than was planned when its last mail was written, because that left much later. A wait is
   * counted again once for each mail: the user may end it by hand.
   */
  #waitsLonger(member: MemberRow, before: LastMail | undefined): boolean {
    if (before?.leftAt == null || member.late_mail_id === before.emailId) return false
    if (before.leftAt.getTime() - before.queuedAt.getTime() <= LATE_MS) return false
    const steps = this.#stepsOf(member)
    const wait = steps[steps.findIndex(({ id }) => id === member.step) - 1]
    // Whoever came to the step by a condition has not waited, and is there sooner.
    if (wait?.kind !== 'wait' || endOfWait(wait, before.queuedAt, this.#zone) > this.#now) return false
    const until = endOfWait(wait, before.leftAt, this.#zone)
    if (until <= this.#now) return false
    const rules = this.#hoursFor(member.contact_id)
    const at = whenDue(steps, member.step ?? 0, until, { rules, zone: this.#zone })
    this.#move(member, { due_at: at, late_mail_id: before.emailId })
    return true
  }

  /** Takes a member on from a step; the mail that it stands before, or null where it is settled for now. */
  #walk(member: MemberRow, from: number | null): MailStep | null {
    const steps = this.#stepsOf(member)
    const facts = this.#facts.get(member.id)
    if (facts === undefined) return null
    const walk = walkSteps(steps, from, facts, { now: this.#now, zone: this.#zone, keyOf: tagKey })
    for (const deed of walk.deeds) this.#deeds.push({ member, deed })
    if (walk.to === 'mail') return walk.step
    if (walk.to === 'end') this.#move(member, { state: 'done', step: null, due_at: null })
    else {
      const rules = this.#hoursFor(member.contact_id)
      const at = whenDue(steps, walk.step, walk.at, { rules, zone: this.#zone })
      this.#move(member, { step: walk.step, due_at: at })
    }
    return null
  }

  async #mail(all: readonly Candidate[]): Promise<void> {
    const candidates = all.filter((candidate) => this.#mayReadNow(candidate))
    if (candidates.length === 0) return
    const { user_id: userId } = this.#sequence
    const now = this.#now
    const mailbox = await accountOf(this.#tx, this.#sequence)
    const aSlot = mailsASlot(mailbox?.hourly_limit ?? null)
    const opens = whenAllowed(this.#hoursForAll, this.#zone, now)
    const later = new Date(now.getTime() + LOOK_AGAIN_MS)
    if (opens > now) {
      this.#holdUp(candidates, { until: opens, aSlot, why: null })
      return
    }
    if (mailbox === undefined || mailbox.is_practice !== this.#sequence.in_practice) {
      this.#holdUp(candidates, {
        until: whenAllowed(this.#hoursForAll, this.#zone, later),
        aSlot,
        why: mailbox === undefined ? NO_ACCOUNT : PRACTISING,
      })
      return
    }
    const texts = await textsOf(
      this.#tx,
      userId,
      candidates.map(({ step }) => step),
    )
    const ready: Candidate[] = []
    for (const candidate of candidates) {
      const text = texts.get(candidate.step)
      if (typeof text === 'string') this.#wait(candidate, later, text)
      else ready.push(candidate)
    }
    await lockPace(this.#tx, userId, mailbox.id)
    const written = await countMailsSince(this.#tx, userId, mailbox.id, slotOf(now))
    const room = Math.max(0, aSlot - written)
    const next = whenAllowed(this.#hoursForAll, this.#zone, slotAfter(now))
    const first = ready.slice(0, Math.min(room, await this.#ownPart(mailbox, aSlot)))
    const others = ready.slice(first.length)
    // What is another sequence's part is left to it. If it does not take it, it is no longer due at the next turn of this one.
    if (first.length < room) for (const candidate of others) this.#stay(candidate)
    else if (others.length > 0) this.#holdUp(others, { until: next, aSlot, why: PACE })
    const answers = await reserveMails(
      this.#context,
      this.#tx,
      { userId, mailboxId: mailbox.id, source: 'sequence' },
      first.map(({ contact }) => ({ contactId: contact.id, address: contact.email })),
    )
    const granted: Candidate[] = []
    for (const candidate of first) {
      const refused = answers.get(candidate.contact.id)
      if (refused === null) granted.push(candidate)
      else this.#refuse(candidate, refused, { later, aSlot })
    }
    await this.#queue(granted, mailbox, texts)
    for (const { member, step } of granted) {
      const following = this.#walk(member, stepAfter(this.#stepsOf(member), step.id))
      // A second mail on one day: the ledger says when it may go.
      if (following !== null) this.#move(member, { step: following.id, due_at: now })
    }
  }

  /** Lets a candidate wait whose reader's hours have not come. */
  #mayReadNow(candidate: Candidate): boolean {
    if (!this.#sequence.in_readers_zone) return true
    const hours = this.#hoursFor(candidate.contact.id)
    const at = whenAllowed(hours, this.#zone, this.#now)
    if (at <= this.#now) return true
    if (isAllowed(hours, this.#zone, at)) this.#wait(candidate, at, null)
    else this.#wait(candidate, new Date(this.#now.getTime() + NEVER_AGAIN_MS), NEVER_MEET)
    return false
  }

  /** How many mails it may write now, so that every sequence on the account gets as much of the slot and of a new account's day. */
  async #ownPart(mailbox: Mailbox, aSlot: number): Promise<number> {
    if (this.#sharers === 1) return aSlot
    const { user_id: userId, id: sequenceId } = this.#sequence
    const partOf = async (whole: number, since: Date) => {
      const own = await countOwnMails(this.#tx, { userId, sequenceId, mailboxId: mailbox.id, since })
      return Math.max(0, Math.ceil(whole / this.#sharers) - own)
    }
    const ofSlot = await partOf(aSlot, slotOf(this.#now))
    const standing = await standingOf(this.#context, this.#tx, { userId, mailboxId: mailbox.id })
    // Where the whole day is used up, the ledger says so, and until when.
    if (standing?.ceiling == null || standing.sentToday >= standing.ceiling) return ofSlot
    return Math.min(ofSlot, await partOf(standing.ceiling, dayBegins(this.#now, this.#zone)))
  }

  async #queue(granted: readonly Candidate[], mailbox: Mailbox, texts: Texts): Promise<void> {
    const tx = this.#tx
    const { user_id: userId, id: sequenceId } = this.#sequence
    const breathe = makeBreath()
    const emails: EmailToQueue[] = []
    for (const { member, contact, step } of granted) {
      await breathe()
      const written = writeStep(step, texts, contact, this.#writer, this.#last.get(member.id))
      emails.push({
        to: contact.email,
        purpose: 'outreach',
        ...written,
        text: (emailId) => withOptOut(written.text, unsubscribeUrl(this.#context, userId, emailId)),
      })
    }
    const ids = await enqueueEmails(
      this.#context,
      tx,
      {
        userId,
        mailboxId: mailbox.id,
        groupId: groupOf(sequenceId),
        priority: 1,
        from: senderOf(mailbox, this.#user),
      },
      emails,
    )
    await addMails(
      tx,
      { userId, sequenceId, mailboxId: mailbox.id, now: this.#now },
      granted.map(({ member, step }, index) => ({
        emailId: ids[index] ?? 0,
        memberId: member.id,
        step: step.id,
      })),
    )
    await noteQueued(
      tx,
      userId,
      'sequence',
      granted.map(({ contact }, index) => ({ contactId: contact.id, emailId: ids[index] ?? 0 })),
    )
    if (ids.length > 0) await this.#context.live.publish(tx, userId, { topic: 'emails' })
  }

  #refuse(
    candidate: Candidate,
    refused: Refused | undefined,
    { later, aSlot }: { later: Date; aSlot: number },
  ): void {
    if (refused?.kind === 'suppressed') {
      this.#stop(candidate.member, reasonOf(refused.reason))
      return
    }
    if (refused === undefined || refused.kind === 'once_a_day') {
      const until = whenAllowed(this.#hoursFor(candidate.contact.id), this.#zone, refused?.until ?? later)
      this.#wait(candidate, until, refused?.reason ?? null)
      return
    }
    // The account itself may not send: that concerns everybody who is due.
    const until = whenAllowed(this.#hoursForAll, this.#zone, refused.until ?? later)
    this.#holdUp([candidate], { until, aSlot, why: refused.reason })
  }

  /** Leaves these before their mails; all members of the sequence that are due wait so. */
  #holdUp(candidates: readonly Candidate[], how: { until: Date; aSlot: number; why: string | null }): void {
    if (this.#heldUp === null || how.until > this.#heldUp.until) this.#heldUp = how
    for (const candidate of candidates) this.#stay(candidate)
  }

  /** Puts off all members that are before a mail and due, not only those of this turn: others need not be looked at. */
  async #putOff(): Promise<void> {
    if (this.#heldUp === null) return
    const { until, aSlot, why } = this.#heldUp
    const { user_id: userId, id: sequenceId } = this.#sequence
    const mails = [...this.#versions].flatMap(([version, steps]) =>
      steps.filter(({ kind }) => kind === 'mail').map(({ id: step }) => ({ version, step })),
    )
    await putOffTurns(
      this.#tx,
      { userId, sequenceId, now: this.#now, mails, most: PUT_OFF_AT_ONCE },
      {
        slots: (count) => slotsFrom(this.#hoursForAll, this.#zone, until, Math.min(count, SLOTS_AHEAD)),
        aSlot,
        why,
        whyLater: PACE,
      },
    )
  }

  /** Writes the tasks and gives and takes the tags that the members' walks came by. */
  async #do(): Promise<void> {
    const { id: userId } = this.#user
    if (this.#deeds.length === 0) return
    const tasks: Parameters<typeof addContactTodos>[2][number][] = []
    const tags = new Map<string, { deed: Extract<Deed, { kind: 'tag' }>; depth: number; ids: number[] }>()
    for (const { member, deed } of this.#deeds) {
      const contact = this.#contacts.get(member.contact_id)
      if (contact === undefined) continue
      if (deed.kind === 'task') {
        const wait = { amount: deed.due_in_days, unit: 'days' as const }
        const dueDate = localDay(endOfWait(wait, this.#now, this.#zone), this.#zone)
        tasks.push({ title: taskTitle(deed.title, contact, this.#writer), dueDate, contactId: contact.id })
        continue
      }
      const key = `${member.depth} ${deed.act} ${tagKey(deed.tag)}`
      const group = tags.get(key) ?? { deed, depth: member.depth, ids: [] }
      group.ids.push(contact.id)
      tags.set(key, group)
    }
    await addContactTodos(this.#tx, userId, tasks, this.#now)
    if (tasks.length > 0) await this.#context.live.publish(this.#tx, userId, { topic: 'todos' })
    for (const { deed, depth, ids } of tags.values()) {
      await setDepth(this.#tx, depth + 1, this.#sequence.in_practice)
      if (deed.act === 'add') await giveTag(this.#tx, userId, ids, deed.tag, this.#now)
      else await takeTag(this.#tx, userId, ids, deed.tag)
    }
    if (tags.size > 0) await this.#context.live.publish(this.#tx, userId, { topic: 'contacts' })
  }

  #stepsOf(member: MemberRow): SequenceStep[] {
    return this.#versions.get(member.version) ?? []
  }

  #wait({ member, step }: Candidate, at: Date, why: string | null): void {
    this.#move(member, { step: step.id, due_at: at, why })
  }

  /** Leaves a member before its mail, and due as it is. */
  #stay({ member, step }: Candidate): void {
    if (step.id !== member.step) this.#move(member, { step: step.id })
  }

  #stop(member: MemberRow, reason: StopReason): void {
    this.#move(member, { state: 'stopped', reason })
  }

  #move({ id, step, due_at }: MemberRow, change: Partial<Move>): void {
    this.#moves.push({
      id,
      state: 'active',
      step,
      due_at,
      why: null,
      reason: null,
      late_mail_id: null,
      ...change,
    })
  }
}

function reasonOf(words: string): StopReason {
  if (words === SUPPRESSED.unsubscribed) return 'unsubscribed'
  return words === SUPPRESSED.bounced ? 'bounced' : 'suppressed'
}
