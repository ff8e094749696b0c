import type { SequenceStep } from '#contract/sequences.ts'
import type { SendingRules } from '../automatic-mail/automatic-mail.ts'
import { whenAllowed } from './pace.ts'
import type { SequenceRow } from './store.ts'

/** When a sequence writes. */
export function hoursOf(row: Pick<SequenceRow, 'days' | 'from_hour' | 'until_hour'>): SendingRules {
  return { days: row.days, fromHour: row.from_hour, untilHour: row.until_hour }
}

/** When a step is done that could be done from an instant on: a mail waits for the hours, everything else does not. */
export function whenDue(
  steps: readonly SequenceStep[],
  step: number,
  at: Date,
  { rules, zone }: { rules: readonly SendingRules[]; zone: string },
): Date {
  return steps.find(({ id }) => id === step)?.kind === 'mail' ? whenAllowed(rules, zone, at) : at
}

/** What a group of deliveries is called in which the mails of a sequence are: runs have the numbers above 0. */
export const groupOf = (sequenceId: number): number => -sequenceId
