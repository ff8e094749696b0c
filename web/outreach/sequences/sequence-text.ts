import type {
  EnrolWarning,
  MemberState,
  SequenceMember,
  SequenceState,
  SequenceSummary,
} from '#contract/outreach/sequences.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'
import type { BadgeTone } from '#web/platform/ui/Badge.tsx'
import { namesOf } from '../runs/left-out.ts'
import { counted } from '../runs/run-text.ts'

export const STATE_WORDS: Record<SequenceState, { word: string; tone: BadgeTone }> = {
  draft: { word: 'Draft', tone: 'purple' },
  running: { word: 'Running', tone: 'green' },
  paused: { word: 'Paused', tone: 'amber' },
  ended: { word: 'Ended', tone: 'gray' },
}

/** Where a time would be, while the account that a sequence sends from may not. */
export const STANDS_STILL = 'Stands still'

export const MEMBER_WORDS: Record<MemberState, { word: string; tone: BadgeTone }> = {
  active: { word: 'Under way', tone: 'blue' },
  paused: { word: 'Paused', tone: 'amber' },
  done: { word: 'Through', tone: 'green' },
  stopped: { word: 'Stopped', tone: 'gray' },
}

const STARTED_WORDS: Record<SequenceMember['started_by'], string> = {
  hand: 'put in by you',
  contact: 'as a new contact',
  tag: 'by a tag',
  status: 'by the status',
  intent: 'by a reply',
}

/** "since 3 Dec, by a tag". */
export const sinceText = (
  member: Pick<SequenceMember, 'started_at' | 'started_by'>,
  timeZone: string,
): string => `since ${dayText(member.started_at, timeZone)}, ${STARTED_WORDS[member.started_by]}`

/** "3 Dec". */
export const dayText = (instant: string, timeZone: string): string =>
  dateFormat('en-GB', { day: 'numeric', month: 'short', timeZone }).format(new Date(instant))

/** A calendar day such as 2026-12-14 as "14 December". */
export const longDay = (day: string): string =>
  dateFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))

/** "5 steps, 3 emails". */
export const sizeText = ({ steps, mails }: Pick<SequenceSummary, 'steps' | 'mails'>): string =>
  steps === 0 ? 'No steps yet' : `${counted(steps, 'step')}, ${counted(mails, 'email')}`

/** How many people are in it, whatever became of them. */
export const peopleIn = ({ members }: Pick<SequenceSummary, 'members'>): number =>
  members.active + members.paused + members.done + members.stopped

const SKIPPED_WORDS = {
  already_in: 'in it already',
  was_in: 'through it before',
  declined: 'who said no',
  suppressed: 'on your do-not-mail list',
  invalid: 'without a usable address',
  replied: 'who replied before',
  meeting: 'with a meeting coming up',
  invoice: 'with an unpaid invoice',
} as const

const WARNING_WORDS = {
  replied: ['has replied before', 'have replied before'],
  meeting: ['has a meeting coming up', 'have a meeting coming up'],
  invoice: ['has an unpaid invoice', 'have an unpaid invoice'],
} as const

/** "3 have replied before: Ann, Ben and Cem". */
export function warningText(warning: EnrolWarning): string {
  const [one, many] = WARNING_WORDS[warning.reason]
  return `${warning.contacts.toLocaleString('en')} ${warning.contacts === 1 ? one : many}: ${namesOf(warning)}`
}

/** "12 contacts added to “After the fair”. 3 skipped: 2 in it already, 1 on your do-not-mail list." */
export function enrolledText(
  reply: {
    enrolled: number
    skipped: number
    reasons: readonly { reason: keyof typeof SKIPPED_WORDS; contacts: number }[]
  },
  name: string,
): string {
  const added = `${counted(reply.enrolled, 'contact')} added to “${name}”`
  if (reply.skipped === 0) return added
  const why = reply.reasons
    .filter(({ contacts }) => contacts > 0)
    .map(({ reason, contacts }) => `${contacts.toLocaleString('en')} ${SKIPPED_WORDS[reason]}`)
  return `${added}. ${reply.skipped.toLocaleString('en')} skipped: ${why.join(', ')}.`
}

/** "12 contacts taken out again. 3 emails had left already." */
export function takenBackText({ taken_out, mails_left }: { taken_out: number; mails_left: number }): string {
  const out =
    taken_out === 0 ? 'Nobody was left to take out' : `${counted(taken_out, 'contact')} taken out again`
  return mails_left === 0 ? out : `${out}. ${counted(mails_left, 'email')} had left already.`
}
