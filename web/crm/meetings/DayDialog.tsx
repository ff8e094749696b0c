import type { Meeting } from '#contract/crm/meetings.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { dayText } from './meeting-text.ts'
import { MeetingItem } from './MeetingItem.tsx'

type DayDialogProps = {
  open: boolean
  onClose: () => void
  day: string
  meetings: readonly Meeting[]
  timeZone: string
  onAdd: (day: string) => void
  onEdit: (meeting: Meeting) => void
  onDelete: (meeting: Meeting) => void
}

/** All meetings of one day. */
export function DayDialog({ open, onClose, day, meetings, onAdd, ...item }: DayDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={dayText(day)}
      footer={
        <Button variant="primary" onClick={() => onAdd(day)}>
          Schedule Meeting
        </Button>
      }
    >
      {meetings.length === 0 ? (
        <p className="text-ink-2">No meetings on this day.</p>
      ) : (
        <ul aria-label="Meetings of the day" className="-mx-4 divide-y divide-line">
          {meetings.map((meeting) => (
            <MeetingItem key={meeting.id} {...item} meeting={meeting} isOfDay />
          ))}
        </ul>
      )}
    </Dialog>
  )
}
