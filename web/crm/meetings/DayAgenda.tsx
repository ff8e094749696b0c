import { Plus } from 'lucide-react'
import type { Meeting } from '#contract/crm/meetings.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { dayText } from './meeting-text.ts'
import { MeetingItem } from './MeetingItem.tsx'

type DayAgendaProps = {
  day: string
  meetings: readonly Meeting[]
  timeZone: string
  onAdd: (day: string) => void
  onEdit: (meeting: Meeting) => void
  onDelete: (meeting: Meeting) => void
}

/** The meetings of the selected day, for phones, where the month has no room for them. */
export function DayAgenda({ day, meetings, onAdd, ...item }: DayAgendaProps) {
  return (
    <Card
      flush
      title={dayText(day)}
      actions={
        <IconButton
          label="Schedule a meeting on this day"
          icon={<Plus aria-hidden />}
          onClick={() => onAdd(day)}
        />
      }
    >
      {meetings.length === 0 ? (
        <p className="px-4 pb-4 text-ink-2">No meetings on this day.</p>
      ) : (
        <ul aria-label="Meetings of the day" className="divide-y divide-line border-t border-line">
          {meetings.map((meeting) => (
            <MeetingItem key={meeting.id} {...item} meeting={meeting} isOfDay />
          ))}
        </ul>
      )}
    </Card>
  )
}
