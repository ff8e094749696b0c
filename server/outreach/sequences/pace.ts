import { nextSendingTime, type SendingRules } from '../automatic-mail/automatic-mail.ts'
import type { SequenceStep } from '#contract/outreach/sequences.ts'
import type { SequenceRow } from './store.ts'

/** Mails of sequences leave evenly: so many at most in each slot of this length, whatever has piled up. */
export const SLOT_MS = 10 * 60_000
const MAILS_A_SLOT = 200
const SLOTS_AN_HOUR = 3_600_000 / SLOT_MS
/** Two sets of hours that never meet are looked at this many times. */
const LOOKS = 20

/** How many mails of sequences an account sends in a slot, with an hourly limit or without one. */
export function mailsASlot(hourlyLimit: number | null): number {
  if (hourlyLimit === null) return MAILS_A_SLOT
  return Math.min(MAILS_A_SLOT, Math.max(1, Math.floor(hourlyLimit / SLOTS_AN_HOUR)))
}

export const slotOf = (at: Date): Date => new Date(Math.floor(at.getTime() / SLOT_MS) * SLOT_MS)
export const slotAfter = (at: Date): Date => new Date(slotOf(at).getTime() + SLOT_MS)

/** Days and hours, on the wall clock of a zone of their own; absent: of the zone that is meant otherwise. */
export type Hours = SendingRules & { zone?: string }

/** When a mail may leave from an instant on by all of these: the sequence's hours and the user's own. Where they never meet, some later time. */
export function whenAllowed(rules: readonly Hours[], zone: string, from: Date): Date {
  let at = from
  for (let look = 0; look < LOOKS; look += 1) {
    const later = rules.reduce((time, each) => nextSendingTime(each, each.zone ?? zone, time), at)
    if (later.getTime() === at.getTime()) return at
    at = later
  }
  return at
}

/** Whether a mail may leave at an instant by all of these. */
export function isAllowed(rules: readonly Hours[], zone: string, at: Date): boolean {
  return rules.every((each) => nextSendingTime(each, each.zone ?? zone, at).getTime() === at.getTime())
}

/** The slots that mails may leave in from an instant on by all of these rules; the first begins at that instant. */
export function slotsFrom(rules: readonly Hours[], zone: string, from: Date, count: number): Date[] {
  const slots = [from]
  for (let last = from; slots.length < count; slots.push(last))
    last = whenAllowed(rules, zone, slotAfter(last))
  return slots
}

type HoursRow = Pick<SequenceRow, 'days' | 'from_hour' | 'until_hour' | 'in_readers_zone'>

/** When a sequence writes to somebody in this zone; undefined: it is not known, and the user's counts. */
export function hoursOf(row: HoursRow, readersZone?: string): Hours {
  const hours: SendingRules = { days: row.days, fromHour: row.from_hour, untilHour: row.until_hour }
  return row.in_readers_zone && readersZone !== undefined ? { ...hours, zone: readersZone } : hours
}

/** The hours that hold for all readers alike: none where each has hours of their own. */
export function commonHours(row: HoursRow): Hours[] {
  return row.in_readers_zone ? [] : [hoursOf(row)]
}

/** When a step is done that could be done from an instant on: a mail waits for the hours, everything else does not. */
export function whenDue(
  steps: readonly SequenceStep[],
  step: number,
  at: Date,
  { rules, zone }: { rules: readonly Hours[]; zone: string },
): Date {
  return steps.find(({ id }) => id === step)?.kind === 'mail' ? whenAllowed(rules, zone, at) : at
}

/** What a group of deliveries is called in which the mails of a sequence are: runs have the numbers above 0. */
export const groupOf = (sequenceId: number): number => -sequenceId
