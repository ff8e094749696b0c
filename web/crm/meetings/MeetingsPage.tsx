import { Plus } from 'lucide-react'
import { Suspense, useCallback, useEffect } from 'react'
import { type Meeting, meetings } from '#contract/crm/meetings.ts'
import { useAddressQuery } from '#web/platform/address.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { Segmented } from '#web/platform/ui/Segmented.tsx'
import { useNow } from '#web/platform/ui/use-now.ts'
import { MeetingCalendar } from './MeetingCalendar.tsx'
import { MeetingList } from './MeetingList.tsx'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { dateText, timeText } from './meeting-text.ts'
import { call } from '#web/platform/api/call.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const MeetingDialog = lazyPart(() => import('./MeetingDialog.tsx'), 'MeetingDialog')

const VIEWS = [
  { value: 'calendar', label: 'Calendar' },
  { value: 'list', label: 'List' },
] as const
const TICK_MS = 30_000

type Form = { meeting: Meeting | null; day: string | null; attendee: string }

/** The user's meetings as a month or a list, with ways to schedule, edit and delete. */
export function MeetingsPage() {
  const timeZone = useTimeZone()
  const now = useNow(TICK_MS)
  const [address, setAddress] = useAddressQuery()
  const view = address.get('view') === 'list' ? 'list' : 'calendar'
  const form = useOpened<Form>()
  const leaving = useOpened<Meeting>()
  const { show: showForm } = form
  const show = useCallback(
    (part: Partial<Form>) => showForm({ meeting: null, day: null, attendee: '', ...part }),
    [showForm],
  )
  useWishes(show)
  const actions = {
    onEdit: (meeting: Meeting) => show({ meeting }),
    onDelete: leaving.show,
  }
  const setView = (next: 'calendar' | 'list') =>
    setAddress(
      (before) => {
        if (next === 'list') before.set('view', 'list')
        else before.delete('view')
        return before
      },
      { replace: true },
    )
  return (
    <>
      <PageHeader
        title="Calendar & Meetings"
        note={`Times are in ${timeZone.replaceAll('_', ' ')}`}
        actions={
          <>
            <Segmented label="View" value={view} onChange={setView} options={VIEWS} />
            <Button variant="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => show({})}>
              Schedule Meeting
            </Button>
          </>
        }
      />
      {view === 'list' ? (
        <MeetingList timeZone={timeZone} now={now} onAdd={() => show({})} {...actions} />
      ) : (
        <MeetingCalendar timeZone={timeZone} now={now} onAdd={(day) => show({ day })} {...actions} />
      )}
      <Suspense fallback={null}>
        {form.what === null ? null : (
          <MeetingDialog key={form.turn} {...form.props} {...form.what} timeZone={timeZone} now={now} />
        )}
      </Suspense>
      {leaving.what === null ? null : (
        <DeleteMeeting key={leaving.turn} {...leaving.props} meeting={leaving.what} timeZone={timeZone} />
      )}
    </>
  )
}

type DeleteMeetingProps = { open: boolean; onClose: () => void; meeting: Meeting; timeZone: string }

/** Asks for confirmation, then deletes the meeting. */
function DeleteMeeting({ open, onClose, meeting, timeZone }: DeleteMeetingProps) {
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

const WISHES = ['open', 'attendee', 'new']

/**
 * Opens what a link asks for: `?open=12` opens that meeting, `?attendee=a@b.example` a new one with that person,
 * `?new=1` a new one. The parameter is removed from the address afterwards, so that a reload does not repeat it.
 */
function useWishes(show: (form: { meeting?: Meeting; attendee?: string }) => void): void {
  const [address, setAddress] = useAddressQuery()
  const [id, attendee, isNew] = WISHES.map((name) => address.get(name))
  useEffect(() => {
    if (id == null && attendee == null && isNew == null) return
    setAddress(
      (before) => {
        for (const name of WISHES) before.delete(name)
        return before
      },
      { replace: true },
    )
    if (id == null) return show(attendee == null ? {} : { attendee })
    call(meetings.get, { params: { id } })
      .then((meeting) => show({ meeting }))
      .catch((error: unknown) => toast.error(sentenceOf(error, 'Failed to load the meeting')))
  }, [id, attendee, isNew, setAddress, show])
}
