import { Plus } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import type { Meeting } from '#contract/crm/meetings.ts'
import { useAddressQuery } from '#web/platform/address.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { Segmented } from '#web/platform/ui/Segmented.tsx'
import { useNow } from '#web/platform/ui/use-now.ts'
import { DeleteMeeting } from './DeleteMeeting.tsx'
import { MeetingCalendar } from './MeetingCalendar.tsx'
import { MeetingList } from './MeetingList.tsx'
import { useWishes } from './use-wishes.ts'

const MeetingDialog = lazy(() =>
  import('./MeetingDialog.tsx').then((part) => ({ default: part.MeetingDialog })),
)

const VIEWS = [
  { value: 'calendar', label: 'Calendar' },
  { value: 'list', label: 'List' },
] as const
const TICK_MS = 30_000

type Form = { meeting: Meeting | null; day: string | null; attendee: string }
type Shown<T> = T & { isOpen: boolean; turn: number }

/** The user's meetings as a month or a list, with ways to schedule, edit and delete. */
export function MeetingsPage() {
  const timeZone = useTimeZone()
  const now = useNow(TICK_MS)
  const [address, setAddress] = useAddressQuery()
  const view = address.get('view') === 'list' ? 'list' : 'calendar'
  const [form, setForm] = useState<Shown<Form> | null>(null)
  const [leaving, setLeaving] = useState<Shown<{ meeting: Meeting }> | null>(null)
  const show = useCallback((part: Partial<Form>) => {
    const empty = { meeting: null, day: null, attendee: '' }
    setForm((before) => ({ ...empty, ...part, isOpen: true, turn: (before?.turn ?? 0) + 1 }))
  }, [])
  useWishes(show)
  const actions = {
    onEdit: (meeting: Meeting) => show({ meeting }),
    onDelete: (meeting: Meeting) => setLeaving({ meeting, isOpen: true, turn: (leaving?.turn ?? 0) + 1 }),
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
        {form === null ? null : (
          <MeetingDialog
            key={form.turn}
            open={form.isOpen}
            onClose={() => setForm({ ...form, isOpen: false })}
            meeting={form.meeting}
            day={form.day}
            attendee={form.attendee}
            timeZone={timeZone}
            now={now}
          />
        )}
      </Suspense>
      {leaving === null ? null : (
        <DeleteMeeting
          key={leaving.turn}
          open={leaving.isOpen}
          onClose={() => setLeaving({ ...leaving, isOpen: false })}
          meeting={leaving.meeting}
          timeZone={timeZone}
        />
      )}
    </>
  )
}
