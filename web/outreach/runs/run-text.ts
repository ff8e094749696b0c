import type { Batch } from '#contract/outreach/runs.ts'

/** True while a run can still send something. */
export const isUnderWay = (run: Batch | null | undefined): run is Batch =>
  run !== null && run !== undefined && !run.done

/** "1 contact", "1,200 contacts". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

const UNITS = [
  { name: 'day', seconds: 86_400, from: 172_800 },
  { name: 'hour', seconds: 3600, from: 5400 },
  { name: 'minute', seconds: 60, from: 55 },
] as const

/** A duration in words: "a few seconds", "about 40 seconds", "about 3 minutes", "about 2 hours". */
export function durationText(seconds: number): string {
  const unit = UNITS.find(({ from }) => seconds >= from)
  if (unit !== undefined)
    return `about ${counted(Math.max(1, Math.round(seconds / unit.seconds)), unit.name)}`
  return seconds < 10 ? 'a few seconds' : `about ${Math.round(seconds / 10) * 10} seconds`
}

/** How many contacts a run writes to, without the skipped ones. */
export const mailsOf = ({ summary }: Batch): number => Math.max(0, summary.total - summary.skipped)

/** How many of them are finished, whatever the result. */
export const settledOf = ({ summary }: Batch): number => summary.sent + summary.errors

/** The state of a run, as a heading. */
export function headingOf(run: Batch): string {
  if (run.state === 'running') return `Sending to ${counted(mailsOf(run), 'contact')}`
  if (run.state === 'paused') return `Paused: ${counted(run.summary.pending, 'email')} waiting`
  if (run.state === 'cancelled') return 'The run was cancelled'
  return run.summary.sent === 0 ? 'The run has finished' : `Sent to ${counted(run.summary.sent, 'contact')}`
}

/** The message for a user who starts a run while one is in progress. */
export const alreadyOf = (run: Batch): string =>
  run.state === 'paused'
    ? 'This run is paused. Resume it to send the rest.'
    : 'Your emails are already on their way.'

/** To whom a run writes, and with what, where it is not to all contacts from "About you". */
export function aboutOf({ audience, template }: Batch): string | null {
  const written = template === null ? null : `Written from your template “${template}”`
  return [audience, written].filter((part) => part !== null).join(' · ') || null
}

/** The progress of a run: "120 of 200 sent, about 3 minutes left". */
export function progressOf(run: Batch): string {
  const { sent, errors } = run.summary
  const parts = [`${sent.toLocaleString('en')} of ${mailsOf(run).toLocaleString('en')} sent`]
  if (errors > 0) parts.push(`${errors.toLocaleString('en')} failed`)
  if (run.seconds_left !== null && run.state === 'running')
    parts.push(`${durationText(run.seconds_left)} left`)
  return parts.join(', ')
}

/** The message at the end of a run. */
export const endingOf = (run: Batch): string => run.message || 'Email generation completed!'
