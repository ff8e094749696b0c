import type { SequenceStep } from '#contract/outreach/sequences.ts'
import type { SendingRules } from '../automatic-mail/automatic-mail.ts'
import { type Hours, whenAllowed } from './pace.ts'
import type { SequenceRow } from './store.ts'

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
