import type { SequenceStep, StopReason } from '#contract/outreach/sequences.ts'
import {
  ANY_TIME,
  type Refused,
  reserveMails,
  rulesOf,
  SUPPRESSED,
} from '../automatic-mail/automatic-mail.ts'
import { makeBreath } from '../../platform/breath.ts'
import { findWriter, USUAL_VOICE } from '../briefs/briefs.ts'
import { zoneReader } from '../../formats/contact-files/time-zone.ts'
import { contactsById, tagKey } from '../../crm/contacts/contacts.ts'
import { onTheWayAmong } from '../../mail/emails/emails.ts'
import { isSendable } from '../../formats/mail-text/addresses.ts'
import { type Gap, sayGaps } from '../templates/templates.ts'
import { accountOf } from './account-of.ts'
import { takeMailBack } from './act-on-members.ts'
import {
  applySteps,
  type Candidate,
  type Known,
  LOOK_AGAIN_MS,
  type MembersEffect,
  queueMails,
  type Turn,
} from './apply-steps.ts'
import {
  countMailsSince,
  factsOf,
  type LastMail,
  lastMailsOf,
  lockPace,
  type Move,
  moveMembers,
  postponeTurns,
  pullForward,
} from './due-store.ts'
import {
  commonHours,
  type Hours,
  hoursOf,
  isAllowed,
  mailsASlot,
  SLOT_MS,
  slotAfter,
  slotOf,
  slotsFrom,
  whenAllowed,
  whenDue,
} from './pace.ts'
import type { MemberRow } from './members-store.ts'
import { shareOfAccount } from './share-of-account.ts'
import { stepsByVersion } from './store.ts'
import { endOfWait, type Facts, type MailStep, stepAfter, walkSteps } from './walk-steps.ts'
import { gapsOfSteps, textsOf } from './write-step.ts'

/** Members that are put off in one statement; the others are put off when they are looked at next. */
const POSTPONED_AT_ONCE = 50_000
/**
 * Members that wait for their turn are spread over so many slots, and the last takes the rest: who waits need not be looked at in
 * each slot, but soon has a turn when the account may send more.
 */
const SLOTS_AHEAD = 12
/** A mail that left this much later than it was written is what a wait after it is counted from. */
const LATE_MS = SLOT_MS
/** Why a member is not mailed: it says so itself. */
export const NO_ACCOUNT = 'No email account is connected.'
export const PRACTISING = 'You are practising. It goes on once you have left practice.'
const PACE = 'It waits for its turn: the emails leave a few at a time.'
const NEVER_MEET = 'Your sending hours and the hours in which they read never meet.'
/** A member that waits for hours that never come is looked at again after this: the hours may have been changed. */
const NEVER_AGAIN_MS = 24 * 60 * 60_000
/** A member that waits for a contact or a text to be completed is looked at again after this, whatever has made it so. */
const LOOK_AT_GAPS_MS = 60 * 60_000
const NOT_LEFT = 'The email before it has not left yet.'

/**
 * Does the steps of members that are due, each once. Returns whether anything has changed: members that only wait for other
 * sequences to take their part stay as they are.
 */
export const processMembers = (turn: Turn, members: readonly MemberRow[]): Promise<boolean> =>
  new SequenceTurn(turn).take(members)

class SequenceTurn {
  readonly #moves: Move[] = []
  readonly #effects: MembersEffect[] = []
  readonly #facts = new Map<number, Facts>()
  readonly #turn: Turn
  #known: Known = {
    contacts: new Map(),
    writer: { name: '', company: '', role: '', voice: USUAL_VOICE },
    last: new Map(),
  }
  #versions = new Map<number, SequenceStep[]>()
  #usersHours: Hours = ANY_TIME
  /** Where each contact is, if the sequence writes in the readers' hours and it is known. */
  #zones = new Map<number, string>()
  /** Until when all members wait that are due and before a mail, then a few at a time; null: mails may leave. */
  #heldUp: { until: Date; aSlot: number; why: string | null } | null = null

  constructor(turn: Turn) {
    this.#turn = turn
  }

  async take(members: readonly MemberRow[]): Promise<boolean> {
    const { context, tx, sequence, now } = this.#turn
    const { user_id: userId, id } = sequence
    this.#versions = await stepsByVersion(tx, userId, id)
    this.#known.writer = await findWriter(context.db, userId)
    this.#usersHours = await rulesOf(tx, userId)
    this.#known.contacts = await contactsById(
      tx,
      userId,
      members.map((member) => member.contact_id),
    )
    if (sequence.in_readers_zone) await this.#findZones()
    const facts = await factsOf(tx, userId, members)
    this.#known.last = await lastMailsOf(
      tx,
      userId,
      members.map(({ id: memberId }) => memberId),
    )
    const onTheWay = await onTheWayAmong(
      tx,
      userId,
      [...this.#known.last.values()].map(({ emailId }) => emailId),
    )
    const breathe = makeBreath()
    const candidates: Candidate[] = []
    for (const member of members) {
      await breathe()
      const contact = this.#known.contacts.get(member.contact_id)
      const known = facts.get(member.id)
      if (contact === undefined || known === undefined) {
        this.#stop(member, 'deleted')
        continue
      }
      const before = this.#known.last.get(member.id)
      if (before !== undefined && onTheWay.has(before.emailId)) {
        this.#move(member, { due_at: new Date(now.getTime() + LOOK_AGAIN_MS), why: NOT_LEFT })
        continue
      }
      if (this.#waitsLonger(member, before)) continue
      this.#facts.set(member.id, { ...known, tags: new Set(known.tags) })
      const step = this.#walk(member, member.step)
      if (step === null) continue
      if (known.replied && sequence.stops_at_reply) this.#stop(member, 'replied')
      else if (!isSendable(contact.email)) this.#stop(member, 'unusable')
      else candidates.push({ member, contact, step })
    }
    await this.#mail(candidates)
    await applySteps(this.#turn, this.#known, this.#effects)
    await moveMembers(tx, userId, this.#moves, now)
    await this.#postpone()
    const stopped = this.#moves.flatMap((move) => (move.state === 'stopped' ? [move.id] : []))
    // A deletion may be undone.
    await takeMailBack(tx, userId, stopped, now)
    if (this.#moves.length === 0 && this.#heldUp === null) return false
    await context.live.publish(tx, userId, { topic: 'outreach' })
    return true
  }

  async #findZones(): Promise<void> {
    const zoneOf = await zoneReader()
    const breathe = makeBreath()
    for (const contact of this.#known.contacts.values()) {
      await breathe()
      const zone = zoneOf(contact)
      if (zone !== undefined) this.#zones.set(contact.id, zone)
    }
  }

  /** When the sequence may write to a contact. */
  #hoursFor(contactId: number): Hours[] {
    return [hoursOf(this.#turn.sequence, this.#zones.get(contactId)), this.#usersHours]
  }

  /** When it may write to whomever. */
  get #hoursForAll(): Hours[] {
    return [...commonHours(this.#turn.sequence), this.#usersHours]
  }

  /**
   * Whether a member waits longer than was planned when its last mail was written, because that left much later. A wait is
   * counted again once for each mail: the user may end it by hand.
   */
  #waitsLonger(member: MemberRow, before: LastMail | undefined): boolean {
    const { now, zone } = this.#turn
    if (before?.leftAt == null || member.late_mail_id === before.emailId) return false
    if (before.leftAt.getTime() - before.queuedAt.getTime() <= LATE_MS) return false
    const steps = this.#stepsOf(member)
    const wait = steps[steps.findIndex(({ id }) => id === member.step) - 1]
    // A member that came to the step by a condition has not waited, and is there sooner.
    if (wait?.kind !== 'wait' || endOfWait(wait, before.queuedAt, zone) > now) return false
    const until = endOfWait(wait, before.leftAt, zone)
    if (until <= now) return false
    const rules = this.#hoursFor(member.contact_id)
    const at = whenDue(steps, member.step ?? 0, until, { rules, zone: zone })
    this.#move(member, { due_at: at, ready_at: until, late_mail_id: before.emailId })
    return true
  }

  /** Takes a member on from a step; the mail that it stands before, or null where it is settled for now. */
  #walk(member: MemberRow, from: number | null): MailStep | null {
    const { now, zone } = this.#turn
    const steps = this.#stepsOf(member)
    const facts = this.#facts.get(member.id)
    if (facts === undefined) return null
    const walk = walkSteps(steps, from, facts, { now, zone, keyOf: tagKey })
    for (const effect of walk.effects) this.#effects.push({ member, effect })
    if (walk.to === 'mail') return walk.step
    if (walk.to === 'end') this.#move(member, { state: 'done', step: null, due_at: null })
    else {
      const rules = this.#hoursFor(member.contact_id)
      const at = whenDue(steps, walk.step, walk.at, { rules, zone: zone })
      this.#move(member, { step: walk.step, due_at: at, ready_at: walk.at })
    }
    return null
  }

  async #mail(all: readonly Candidate[]): Promise<void> {
    const { context, tx, sequence, now, zone } = this.#turn
    const candidates = all.filter((candidate) => this.#mayReadNow(candidate))
    if (candidates.length === 0) return
    const { user_id: userId } = sequence
    const mailbox = await accountOf(tx, sequence)
    const aSlot = mailsASlot(mailbox?.hourly_limit ?? null)
    const opens = whenAllowed(this.#hoursForAll, zone, now)
    const later = new Date(now.getTime() + LOOK_AGAIN_MS)
    if (opens > now) {
      this.#holdUp(candidates, { until: opens, aSlot, why: null })
      return
    }
    if (mailbox === undefined || mailbox.is_practice !== sequence.in_practice) {
      this.#holdUp(candidates, {
        until: whenAllowed(this.#hoursForAll, zone, later),
        aSlot,
        why: mailbox === undefined ? NO_ACCOUNT : PRACTISING,
      })
      return
    }
    const texts = await textsOf(
      tx,
      userId,
      candidates.map(({ step }) => step),
    )
    const gapsOf = gapsOfSteps(texts, this.#known.writer)
    const ready: Candidate[] = []
    for (const candidate of candidates) {
      const { member, contact, step } = candidate
      const text = texts.get(step)
      const gaps = gapsOf(step, contact, this.#known.last.get(member.id))
      if (typeof text === 'string') this.#waitForText(candidate, text)
      else if (gaps.length > 0) this.#waitForText(candidate, withGap(gaps))
      else ready.push(candidate)
    }
    await lockPace(tx, userId, mailbox.id)
    const written = await countMailsSince(tx, userId, mailbox.id, slotOf(now))
    const room = Math.max(0, aSlot - written)
    const next = whenAllowed(this.#hoursForAll, zone, slotAfter(now))
    const most = Math.min(room, await shareOfAccount(this.#turn, mailbox, aSlot))
    const first = ready.slice(0, most)
    const others = ready.slice(first.length)
    if (first.length < most && ready.length < candidates.length) await this.#pullForward(most - first.length)
    // What is another sequence's part is left to it. If it does not take it, it is no longer due at the next turn of this one.
    if (first.length < room) for (const candidate of others) this.#stay(candidate)
    else if (others.length > 0) this.#holdUp(others, { until: next, aSlot, why: PACE })
    const answers = await reserveMails(
      context,
      tx,
      { userId, mailboxId: mailbox.id, source: 'sequence' },
      first.map(({ contact }) => ({ contactId: contact.id, address: contact.email })),
    )
    const granted: Candidate[] = []
    for (const candidate of first) {
      const refused = answers.get(candidate.contact.id)
      if (refused === null) granted.push(candidate)
      else this.#refuse(candidate, refused, { later, aSlot })
    }
    await queueMails(this.#turn, this.#known, mailbox, { granted, texts })
    for (const { member, step } of granted) {
      const following = this.#walk(member, stepAfter(this.#stepsOf(member), step.id))
      // A second mail on one day: the ledger says when it may go.
      if (following !== null) this.#move(member, { step: following.id, due_at: now })
    }
  }

  /** Lets a candidate wait whose reader's hours have not come. */
  #mayReadNow(candidate: Candidate): boolean {
    const { sequence, now, zone } = this.#turn
    if (!sequence.in_readers_zone) return true
    const hours = this.#hoursFor(candidate.contact.id)
    const at = whenAllowed(hours, zone, now)
    if (at <= now) return true
    if (isAllowed(hours, zone, at)) this.#wait(candidate, at, null)
    else this.#wait(candidate, new Date(now.getTime() + NEVER_AGAIN_MS), NEVER_MEET)
    return false
  }

  #refuse(
    candidate: Candidate,
    refused: Refused | undefined,
    { later, aSlot }: { later: Date; aSlot: number },
  ): void {
    const { zone } = this.#turn
    if (refused?.kind === 'suppressed') {
      this.#stop(candidate.member, reasonOf(refused.reason))
      return
    }
    if (refused === undefined || refused.kind === 'once_a_day') {
      const until = whenAllowed(this.#hoursFor(candidate.contact.id), zone, refused?.until ?? later)
      this.#wait(candidate, until, refused?.reason ?? null)
      return
    }
    // The account itself may not send: that concerns everybody who is due.
    const until = whenAllowed(this.#hoursForAll, zone, refused.until ?? later)
    this.#holdUp([candidate], { until, aSlot, why: refused.reason })
  }

  /** Leaves these before their mails; all members of the sequence that are due wait so. */
  #holdUp(candidates: readonly Candidate[], how: { until: Date; aSlot: number; why: string | null }): void {
    if (this.#heldUp === null || how.until > this.#heldUp.until) this.#heldUp = how
    for (const candidate of candidates) this.#stay(candidate)
  }

  /** Puts off all members that are before a mail and due, not only those of this turn: others need not be looked at. */
  async #postpone(): Promise<void> {
    const { tx, sequence, now, zone } = this.#turn
    if (this.#heldUp === null) return
    const { until, aSlot, why } = this.#heldUp
    const { user_id: userId, id: sequenceId } = sequence
    const mails = [...this.#versions].flatMap(([version, steps]) =>
      steps.filter(({ kind }) => kind === 'mail').map(({ id: step }) => ({ version, step })),
    )
    await postponeTurns(
      tx,
      { userId, sequenceId, now: now, mails, most: POSTPONED_AT_ONCE },
      {
        slots: (count) => slotsFrom(this.#hoursForAll, zone, until, Math.min(count, SLOTS_AHEAD)),
        aSlot,
        why,
        whyLater: PACE,
      },
    )
  }

  #stepsOf(member: MemberRow): SequenceStep[] {
    return this.#versions.get(member.version) ?? []
  }

  /**
   * Leaves a member before a mail that would have a gap, or whose text is gone or cannot be sent. A change of the contact, of the
   * template or of the steps makes it due at once.
   */
  #waitForText({ member, contact, step }: Candidate, why: string): void {
    const { now, zone } = this.#turn
    const later = new Date(now.getTime() + LOOK_AT_GAPS_MS)
    const at = whenAllowed(this.#hoursFor(contact.id), zone, later)
    this.#move(member, { step: step.id, due_at: at, why, has_gap: true })
  }

  /** Lets those have their turn now who wait for a later slot, where others had a turn and could not be written to. */
  async #pullForward(count: number): Promise<void> {
    const { tx, sequence, now, zone } = this.#turn
    const { user_id: userId, id: sequenceId } = sequence
    const until = slotsFrom(this.#hoursForAll, zone, slotAfter(now), SLOTS_AHEAD).at(-1) ?? now
    await pullForward(tx, { userId, sequenceId, now }, { count, until, why: PACE })
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
      // A member that is claimed is not in a wait any more.
      ready_at: null,
      why: null,
      reason: null,
      late_mail_id: null,
      has_gap: false,
      ...change,
    })
  }
}

const withGap = (gaps: readonly Gap[]): string =>
  `This email would have a gap: ${sayGaps(gaps)}. It leaves once that is filled in.`

function reasonOf(words: string): StopReason {
  const reasons = ['unsubscribed', 'bounced', 'declined'] as const
  return reasons.find((reason) => SUPPRESSED[reason] === words) ?? 'suppressed'
}
