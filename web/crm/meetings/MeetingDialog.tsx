import { useEffect, useRef, useState } from 'react'
import { type Meeting, meetings } from '#contract/crm/meetings.ts'
import { ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import {
  bodyOf,
  changesOf,
  emptyForm,
  endAfter,
  faultsOf,
  FIELDS,
  formOf,
  type MeetingChanges,
  type MeetingForm,
} from './meeting-form.ts'
import { MeetingFields } from './MeetingFields.tsx'

type MeetingDialogProps = {
  open: boolean
  onClose: () => void
  /** The meeting to edit; null to schedule one. */
  meeting: Meeting | null
  /** For a new meeting: the selected day and an attendee. */
  day: string | null
  attendee: string
  timeZone: string
  now: Date
}

/** The form that schedules or edits a meeting. */
export function MeetingDialog(props: MeetingDialogProps) {
  const { open, onClose, meeting, day, attendee, timeZone, now } = props
  const [form, setForm] = useState<MeetingForm>(() =>
    meeting === null ? emptyForm(now, timeZone, day, attendee) : formOf(meeting, timeZone),
  )
  const [keepsLength, setKeepsLength] = useState(meeting === null)
  const [faults, setFaults] = useState<Partial<Record<keyof MeetingForm, string>>>({})
  const [fault, setFault] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const [asks, setAsks] = useState(false)
  const [turn, setTurn] = useState(0)
  const fields = useFocusOnFault(turn)
  const set = (part: Partial<MeetingForm>) => {
    const next = changed(form, part)
    if (part.start_time !== undefined) next.end_time = endAfter(form, part.start_time, timeZone, keepsLength)
    if (part.end_time !== undefined) setKeepsLength(false)
    setForm(next)
    // Errors show only after the first attempt to save.
    if (isTried) setFaults(faultsOf(next, timeZone))
  }
  const verb = meeting === null ? 'schedule' : 'update'
  const reactions = {
    refreshes: [meetings.list],
    onSuccess: () => {
      toast.success(meeting === null ? 'Meeting scheduled' : 'Meeting updated')
      onClose()
    },
    onError: (error: unknown) => {
      setAsks(false)
      const said = error instanceof ApiError ? (error.fields ?? {}) : {}
      const placed = FIELDS.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]] as const]))
      setFaults(Object.fromEntries(placed))
      setTurn(turn + 1)
      setFault(placed.length > 0 ? null : sentenceOf(error, `Failed to ${verb} meeting`))
    },
  }
  const add = useCommand(meetings.add, reactions)
  const update = useCommand(meetings.update, reactions)
  const busy = add.isPending || update.isPending
  const changes = meeting === null ? null : changesOf(form, meeting, timeZone)
  const isChanged = changes === null || Object.keys(changes).length > 0
  const send = () => {
    setFault(null)
    if (!isChanged) return onClose()
    const wrong = faultsOf(form, timeZone)
    setTried(true)
    setFaults(wrong)
    setTurn(turn + 1)
    if (Object.keys(wrong).length > 0) return
    if (meeting === null) add.mutate({ body: { ...bodyOf(form, timeZone), time_zone: timeZone } })
    else setAsks(true)
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={meeting === null ? 'Schedule New Meeting' : 'Edit Meeting'}
      size="page"
      onSubmit={send}
      busy={busy}
      error={fault}
      footer={
        <Buttons
          isNew={meeting === null}
          isChanged={isChanged}
          busy={busy}
          isAdding={add.isPending}
          onClose={onClose}
        />
      }
    >
      <div ref={fields}>
        <MeetingFields
          form={form}
          meetingId={meeting?.id ?? null}
          faults={faults}
          timeZone={timeZone}
          onChange={set}
        />
      </div>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title="Are you sure you want to save changes?"
        action="Save changes"
        busy={update.isPending}
        error={null}
        onConfirm={() =>
          meeting !== null &&
          changes !== null &&
          update.mutate({ params: { id: meeting.id }, body: { ...changes, ...zoneOf(changes, timeZone) } })
        }
      >
        {form.title.trim()}
      </ConfirmDialog>
    </Dialog>
  )
}

/** The form with a change; a new type clears the location or link that it does not use. */
function changed(form: MeetingForm, part: Partial<MeetingForm>): MeetingForm {
  const next = { ...form, ...part }
  if (part.type === undefined) return next
  if (part.type !== 'in-person') next.location = ''
  if (part.type !== 'video') next.meeting_link = ''
  return next
}

type ButtonsProps = {
  isNew: boolean
  isChanged: boolean
  busy: boolean
  isAdding: boolean
  onClose: () => void
}

function Buttons({ isNew, isChanged, busy, isAdding, onClose }: ButtonsProps) {
  return (
    <>
      <Button onClick={onClose} disabled={busy}>
        Cancel
      </Button>
      {isChanged ? (
        <Button type="submit" variant="primary" busy={isAdding}>
          {isNew ? 'Schedule Meeting' : 'Save update'}
        </Button>
      ) : null}
    </>
  )
}

// The zone is sent only with a changed reminder, whose mail shows the times in it.
const zoneOf = (changes: MeetingChanges, timeZone: string) =>
  changes.reminder_minutes == null ? {} : { time_zone: timeZone }

/** Moves the focus to the first wrong field after each attempt. */
function useFocusOnFault(turn: number) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (turn > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [turn])
  return fields
}
