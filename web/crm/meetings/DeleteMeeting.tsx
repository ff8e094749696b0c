import { type Meeting, meetings } from '#contract/crm/meetings.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { dateText, timeText } from './meeting-text.ts'

type DeleteMeetingProps = { open: boolean; onClose: () => void; meeting: Meeting; timeZone: string }

/** Asks for confirmation, then deletes the meeting. */
export function DeleteMeeting({ open, onClose, meeting, timeZone }: DeleteMeetingProps) {
  const remove = useCommand(meetings.remove, {
    refreshes: [meetings.list],
    onSuccess: () => {
      toast.success('Meeting deleted')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete “${meeting.title}”?`}
      action="Delete"
      danger
      busy={remove.isPending}
      error={remove.error === null ? null : sentenceOf(remove.error, 'Failed to delete meeting')}
      onConfirm={() => remove.mutate({ params: { id: meeting.id } })}
    >
      {dateText(meeting, timeZone)}, {timeText(meeting, timeZone)}. The meeting and its notes will be deleted.
      Nobody is notified.
    </ConfirmDialog>
  )
}
