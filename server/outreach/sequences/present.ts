import type {
  Sequence,
  SequenceCondition,
  SequenceMember,
  SequenceStep,
  SequenceSummary,
  StopReason,
} from '#contract/outreach/sequences.ts'
import type { ListedMember } from './members-store.ts'
import type { SequenceCounts, SequenceRow } from './store.ts'

const STOPPED: Record<StopReason, string> = {
  replied: 'They replied',
  bounced: 'Mail to this address came back',
  unsubscribed: 'Has unsubscribed',
  declined: 'They said no',
  suppressed: 'Gets no more mail',
  meeting: 'A meeting is planned',
  paid: 'An invoice was paid',
  deleted: 'The contact was deleted',
  taken_out: 'Taken out by you',
  sequence_ended: 'The sequence was ended',
  chain: 'Too many sequences started each other',
  unusable: 'No valid email address',
}

export function presentSequence(row: SequenceRow, counts: SequenceCounts): Sequence {
  const { id, name, state, version, steps, starts, again_after_days, mailbox_id } = row
  return {
    id,
    name,
    state,
    version,
    steps,
    starts,
    hours: {
      days: row.days,
      from_hour: row.from_hour,
      until_hour: row.until_hour,
      zone: row.in_readers_zone ? 'reader' : 'user',
    },
    stops: { reply: row.stops_at_reply, meeting: row.stops_at_meeting, payment: row.stops_at_payment },
    again_after_days,
    mailbox_id,
    ...statusOf(row, counts),
  }
}

export function presentSummary(row: SequenceRow, counts: SequenceCounts): SequenceSummary {
  const { id, name, state, steps, mailbox_id } = row
  const mails = steps.filter((step) => step.kind === 'mail')
  return {
    id,
    name,
    state,
    steps: steps.length,
    mails: mails.length,
    tags: {
      starts: row.starts.flatMap((start) => (start.on === 'tag' ? start.tag : [])),
      asks: steps.flatMap((step) =>
        step.kind === 'condition' && step.if.about === 'tag' ? step.if.tag : [],
      ),
      adds: steps.flatMap((step) => (step.kind === 'tag' && step.act === 'add' ? step.tag : [])),
    },
    template_ids: mails.flatMap(({ template_id: template }) => template ?? []),
    mailbox_id,
    ...statusOf(row, counts),
  }
}

function statusOf(row: SequenceRow, { next_at: next, sent, replied, ...members }: SequenceCounts) {
  return {
    members,
    next_at: next?.toISOString() ?? null,
    sent,
    replied,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

/** `waits`: what its next step waits for while nobody knows until when. */
export function presentMember(row: ListedMember, waits: string | null): SequenceMember {
  const { id, contact_id, name, email, state, step, version, reason, started_by } = row
  const isGone = email === null
  const isDue = row.is_open && !row.has_gap
  return {
    id,
    contact_id: isGone ? null : contact_id,
    name: isGone ? 'Deleted contact' : (name ?? ''),
    email: email ?? '',
    state,
    step: state === 'done' ? null : step,
    version,
    // A gap is filled in by the user, not by time.
    next_at: isDue && waits === null ? (row.due_at?.toISOString() ?? null) : null,
    why: reason !== null ? STOPPED[reason] : isDue && waits !== null ? waits : row.why,
    reason,
    started_by,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

/** What a step does, in words. */
export function sayStep(step: SequenceStep): string {
  switch (step.kind) {
    case 'mail':
      return step.subject === '' ? 'Send an email' : `Send the email “${step.subject}”`
    case 'wait':
      return 'Wait'
    case 'task':
      return `Add the task “${step.title}”`
    case 'tag':
      return step.act === 'add' ? `Add the tag “${step.tag}”` : `Remove the tag “${step.tag}”`
    default:
      return sayCondition(step.if)
  }
}

function sayCondition(condition: SequenceCondition): string {
  switch (condition.about) {
    case 'replied':
      return 'Check whether they have replied'
    case 'intent':
      return 'Check what their last reply says'
    case 'status':
      return 'Check their status'
    default:
      return `Check whether they have the tag “${condition.tag}”`
  }
}
