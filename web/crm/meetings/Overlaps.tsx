import { TriangleAlert } from 'lucide-react'
import { type Meeting, meetings } from '#contract/crm/meetings.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import type { MeetingForm } from './meeting-form.ts'
import { dateText, timeText } from './meeting-text.ts'
import { instantAt, wallTime } from './wall-time.ts'

const ASKED = 50
const NAMED = 3

type OverlapsProps = { form: MeetingForm; except: number | null; timeZone: string }

/** Lists other meetings at the same time; the user may schedule the meeting anyway. */
export function Overlaps({ form, except, timeZone }: OverlapsProps) {
  const start = instantAt(form.start_time, timeZone)
  const end = instantAt(form.end_time, timeZone)
  const isSpan = start !== null && end !== null && end > start && form.status === 'scheduled'
  const settled = useSettled(isSpan ? `${start.toISOString()} ${end.toISOString()}` : '')
  const [from = '', to = ''] = settled.split(' ')
  const { data } = usePage(meetings.list, {
    query: { from, to, page_size: ASKED },
    enabled: settled !== '',
  })
  const others = isSpan
    ? (data?.rows ?? []).filter(
        (other) =>
          other.id !== except &&
          other.status !== 'cancelled' &&
          new Date(other.start_time) < end &&
          new Date(other.end_time) > start,
      )
    : []
  return (
    <output className="block">
      {others.length === 0 ? null : (
        <span className="mt-3 flex gap-2 rounded-md bg-amber-soft px-3 py-2 text-amber">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            Overlaps with{' '}
            {others
              .slice(0, NAMED)
              .map((other) => `“${other.title}” (${spanText(other, form, timeZone)})`)
              .join(', ')}
            {others.length > NAMED ? ` and ${others.length - NAMED} more` : ''}
          </span>
        </span>
      )}
    </output>
  )
}

function spanText(other: Meeting, form: MeetingForm, timeZone: string): string {
  const isSameDay =
    wallTime(new Date(other.start_time), timeZone).slice(0, 10) === form.start_time.slice(0, 10)
  return isSameDay ? timeText(other, timeZone) : `${dateText(other, timeZone)}, ${timeText(other, timeZone)}`
}
