import { Link } from 'react-router'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { isWebLink, shortenLink } from '#contract/crm/meeting-links.ts'
import { MEETING_STATUSES, MEETING_TYPES, REMINDER_MINUTES } from '#contract/crm/meetings.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { RecipientsInput } from '#web/crm/contacts/RecipientsInput.tsx'
import { clockTime } from '#web/platform/dates/mail-age.ts'
import { paths } from '#web/platform/paths.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import type { MeetingForm } from './meeting-form.ts'
import { REMINDER_LABELS, STATUS_LABELS, TYPE_LABELS } from './meeting-text.ts'
import { Overlaps } from './Overlaps.tsx'
import { instantAt, isSkipped } from './wall-time.ts'
import { useState } from 'react'
import { Button } from '#web/platform/ui/Button.tsx'
import { alertState, wishAlerts } from './alert-wish.ts'

const TYPES = MEETING_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }))
const STATUSES = MEETING_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))
const REMINDERS = ['', ...REMINDER_MINUTES.map(String)].map((value) => ({
  value,
  label: REMINDER_LABELS[value] ?? value,
}))

type MeetingFieldsProps = {
  form: MeetingForm
  /** Null for a new meeting. */
  meetingId: number | null
  faults: Partial<Record<keyof MeetingForm, string>>
  timeZone: string
  onChange: (part: Partial<MeetingForm>) => void
}

/** The fields of a meeting; only a meeting in person has a location, and only a video call has a link. */
export function MeetingFields({ form, meetingId, faults, timeZone, onChange }: MeetingFieldsProps) {
  const text = (name: keyof MeetingForm) => ({
    value: form[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  })
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field label="Title" error={faults.title} required className="col-span-2">
        <TextInput {...text('title')} />
      </Field>
      <div className="col-span-2">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Start time"
            error={faults.start_time}
            required
            help={skippedTimeText(form.start_time, timeZone)}
          >
            <TextInput {...text('start_time')} type="datetime-local" />
          </Field>
          <Field
            label="End time"
            error={faults.end_time}
            required
            help={skippedTimeText(form.end_time, timeZone)}
          >
            <TextInput {...text('end_time')} type="datetime-local" />
          </Field>
        </div>
        <Overlaps form={form} except={meetingId} timeZone={timeZone} />
      </div>
      <Field label="Type" error={faults.type}>
        <Select {...text('type')} options={TYPES} />
      </Field>
      <Field label="Status" error={faults.status}>
        <Select {...text('status')} options={STATUSES} />
      </Field>
      {form.type === 'in-person' ? (
        <Field
          label="Location"
          error={faults.location}
          required
          help={cutOffText(form.location) ?? 'A room, an address or a map link'}
          className="col-span-2"
        >
          <TextInput {...text('location')} />
        </Field>
      ) : null}
      {form.type === 'video' ? (
        <Field
          label="Meeting link"
          error={faults.meeting_link}
          required
          help={cutOffText(form.meeting_link) ?? 'Starts with https://'}
          className="col-span-2"
        >
          <TextInput {...text('meeting_link')} type="url" inputMode="url" autoCapitalize="none" />
        </Field>
      ) : null}
      <Field
        label="Attendees"
        error={faults.attendees}
        help="Email addresses, separated by commas. No invitations are sent."
        className="col-span-2"
      >
        <RecipientsInput value={form.attendees} onChange={(attendees) => onChange({ attendees })} />
      </Field>
      <Field label="Description" error={faults.description} className="max-sm:col-span-2">
        <TextArea {...text('description')} rows={2} className="min-h-16" />
      </Field>
      <Field label="Notes" error={faults.notes} help="Only you can see these" className="max-sm:col-span-2">
        <TextArea {...text('notes')} rows={2} className="min-h-16" />
      </Field>
      <Field
        label="Reminder"
        error={faults.reminder_minutes}
        help={form.reminder_minutes === '' ? undefined : <ReminderWay />}
        className="max-sm:col-span-2"
      >
        <Select {...text('reminder_minutes')} options={REMINDERS} />
      </Field>
      {form.reminder_minutes === '' ? null : <AlertChoice />}
    </div>
  )
}

/** Where the reminder is sent; nowhere without a mail account. */
function ReminderWay() {
  const { user } = useSession()
  const { data } = useEndpoint(mailboxes.get)
  if (data === undefined || data.smtp_host !== '' || data.practice) return <>Emailed to {user?.email}</>
  return (
    <>
      No email account is connected, so nothing can be sent.{' '}
      <Link to={paths.profile} className="text-link">
        Connect one
      </Link>
    </>
  )
}

/** What a pasted link will be shortened to, if it differs from what was typed. */
function cutOffText(typed: string): string | undefined {
  const short = shortenLink(typed.trim())
  return isWebLink(typed.trim()) && short !== typed.trim() ? `Saved as ${short}` : undefined
}

function skippedTimeText(wall: string, timeZone: string): string | undefined {
  const at = instantAt(wall, timeZone)
  if (at === null || !isSkipped(wall, timeZone)) return undefined
  return `Clocks go forward then: this will be ${clockTime(at, timeZone)}`
}

/** Offers browser notifications in addition to mail reminders; the browser asks for permission only after the click. */
function AlertChoice() {
  const [state, setState] = useState(alertState)
  if (state === 'impossible') return null
  return (
    <div className="flex flex-col items-start gap-1.5 max-sm:col-span-2 sm:pt-6.5">
      {state === 'wished' ? (
        <>
          <Button onClick={() => void wishAlerts(false).then(setState)}>Stop notifications here</Button>
          <p className="text-sm text-ink-2">This browser notifies you too, while Howl is open.</p>
        </>
      ) : (
        <>
          <Button disabled={state === 'denied'} onClick={() => void wishAlerts(true).then(setState)}>
            Notify me in this browser too
          </Button>
          {state === 'denied' ? (
            <p className="text-sm text-ink-2">Your browser’s settings block notifications from this site.</p>
          ) : null}
        </>
      )}
    </div>
  )
}
