import { CalendarArrowDown, ExternalLink, Pencil, StickyNote, Trash2, Users } from 'lucide-react'
import { isWebLink } from '#contract/crm/meeting-links.ts'
import { type Meeting, meetings } from '#contract/crm/meetings.ts'
import { download } from '#web/platform/api/download.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { StatusBadge } from '#web/platform/ui/StatusBadge.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { attendeeText, dateText, linkText, timeText, TYPE_LABELS } from './meeting-text.ts'
import { TypeIcon } from './TypeIcon.tsx'

type MeetingItemProps = {
  meeting: Meeting
  timeZone: string
  /** The list shows one day, so its date is not repeated. */
  isOfDay?: boolean
  onEdit: (meeting: Meeting) => void
  onDelete: (meeting: Meeting) => void
}

/** A meeting with all its details, as a row of a list. */
export function MeetingItem({ meeting, timeZone, isOfDay = false, onEdit, onDelete }: MeetingItemProps) {
  const { title, status, description, attendees, notes } = meeting
  return (
    <li
      className={cx(
        'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-0.5 px-4 py-3',
        isOfDay ? 'sm:grid-cols-[6.5rem_minmax(0,1fr)_auto]' : 'sm:grid-cols-[9.5rem_minmax(0,1fr)_auto]',
      )}
    >
      <p className="flex min-w-0 flex-wrap gap-x-2 self-center text-sm tabular-nums sm:flex-col sm:self-start sm:pt-px">
        {isOfDay ? null : <span>{dateText(meeting, timeZone)}</span>}
        <span className="text-ink-2">{timeText(meeting, timeZone)}</span>
      </p>
      <div className="min-w-0 max-sm:col-span-2">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3
            className={cx('font-medium wrap-anywhere', status === 'cancelled' && 'text-ink-2 line-through')}
          >
            {title}
          </h3>
          <StatusBadge status={status} />
        </div>
        {description === '' ? null : (
          <p className="mt-0.5 line-clamp-3 wrap-anywhere whitespace-pre-line text-ink-2">{description}</p>
        )}
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-ink-2">
          <Where meeting={meeting} />
          {attendees.length === 0 ? null : (
            <span className="inline-flex items-center gap-1" title={attendees.slice(0, 20).join(', ')}>
              <Users aria-hidden className="size-3.5 shrink-0" />
              {attendeeText(attendees.length)}
            </span>
          )}
        </p>
        {notes === '' ? null : (
          <p className="mt-0.5 flex gap-1.5 text-sm text-ink-2">
            <StickyNote aria-hidden className="mt-0.5 size-3.5 shrink-0" />
            <span className="sr-only">Notes: </span>
            <span className="line-clamp-3 min-w-0 wrap-anywhere whitespace-pre-line">{notes}</span>
          </p>
        )}
      </div>
      <div className="-my-1 -mr-1.5 flex shrink-0 max-sm:col-start-2 max-sm:row-start-1">
        <IconButton
          size="s"
          label={`Add ${title} to another calendar`}
          icon={<CalendarArrowDown aria-hidden />}
          onClick={() => void saveFile(meeting)}
        />
        <IconButton
          size="s"
          label={`Edit ${title}`}
          icon={<Pencil aria-hidden />}
          onClick={() => onEdit(meeting)}
        />
        <IconButton
          size="s"
          danger
          label={`Delete ${title}`}
          icon={<Trash2 aria-hidden />}
          onClick={() => onDelete(meeting)}
        />
      </div>
    </li>
  )
}

function Where({ meeting: { type, location, meeting_link: link } }: { meeting: Meeting }) {
  const place = type === 'in-person' ? location : type === 'video' ? link : ''
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <TypeIcon type={type} />
      {place === '' ? (
        TYPE_LABELS[type]
      ) : isWebLink(place) ? (
        <a
          href={place}
          target="_blank"
          rel="noreferrer noopener"
          className="text-link inline-flex min-w-0 items-center gap-1 wrap-anywhere"
        >
          {type === 'video' ? `Join on ${linkText(place)}` : linkText(place)}
          <ExternalLink aria-hidden className="size-3 shrink-0" />
        </a>
      ) : (
        <span className="wrap-anywhere">{place}</span>
      )}
    </span>
  )
}

async function saveFile({ id, title }: Meeting): Promise<void> {
  const name = title.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '').trim() || 'meeting'
  try {
    await download(meetings.calendar, { params: { id } }, `${name.slice(0, 80)}.ics`)
  } catch (error) {
    toast.error(sentenceOf(error, 'Failed to save the calendar file'))
  }
}
