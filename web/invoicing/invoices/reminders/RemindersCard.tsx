import { type FormEvent, useState } from 'react'
import { SUBJECT_MAX } from '#contract/mail/email.ts'
import {
  paymentReminders,
  REMINDER_TEXT_MAX,
  type ReminderSettings,
} from '#contract/invoicing/payment-reminders.ts'
import { changedFields } from '#web/platform/api/changed-fields.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { Switch } from '#web/platform/ui/Switch.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { DAYS_FAULT, readDays, REMINDERS } from './reminder-text.ts'
import { Names } from './ReminderNames.tsx'

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** When customers are reminded of unpaid invoices, and in which words. */
export function RemindersCard() {
  const query = useEndpoint(paymentReminders.settings)
  return (
    <Card title="Reminders">
      <Loaded
        query={query}
        failed="Failed to load the settings of reminders"
        waiting={<Skeleton className="h-64" />}
      >
        {(saved) => <Settings saved={saved} />}
      </Loaded>
    </Card>
  )
}

function Settings({ saved }: { saved: ReminderSettings }) {
  const change = useCommand(paymentReminders.saveSettings, {
    refreshes: REMINDERS,
    onSuccess: ({ on }) => void toast.success(on ? 'Reminders are on' : 'Reminders are off'),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to switch reminders')),
  })
  const isOn = change.isPending ? change.variables.body?.on === true : saved.on
  return (
    <div className="flex flex-col gap-5">
      <Switch
        label="Remind customers of unpaid invoices"
        help="Only of invoices that were sent by email. Each is shown here at least a day before it leaves, with its words. It goes from your account, with the PDF, and stops when the invoice is paid."
        checked={isOn}
        onChange={({ target }) => change.mutate({ body: { on: target.checked } })}
      />
      <WhenAndWords saved={saved} />
    </div>
  )
}

const typedOf = ({ days_before, days_after, hour, subject, text_before, text_after }: ReminderSettings) => ({
  days_before: days_before.join(', '),
  days_after: days_after.join(', '),
  hour: String(hour),
  subject,
  text_before,
  text_after,
})

function WhenAndWords({ saved }: { saved: ReminderSettings }) {
  const [seen, setSeen] = useState(saved)
  const [begun, setBegun] = useState(() => typedOf(saved))
  const [typed, setTyped] = useState(begun)
  const [dayFaults, setDayFaults] = useState<Record<string, string>>({})
  const save = useCommand(paymentReminders.saveSettings, {
    refreshes: REMINDERS,
    onSuccess: (settings) => {
      begin(typedOf(settings))
      toast.success('Reminders saved')
    },
  })
  const begin = (newest: typeof typed) => {
    setBegun(newest)
    setTyped(newest)
  }
  const changed = Object.keys(changedFields(typed, begun)) as (keyof typeof typed)[]
  if (saved !== seen) {
    setSeen(saved)
    // What was shown first came from memory, or another tab has saved: where nothing is being written, that counts.
    if (changed.length === 0) begin(typedOf(saved))
  }
  const faults = { ...fieldFaults(save.error?.fields ?? {}), ...dayFaults }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const before = readDays(typed.days_before)
    const after = readDays(typed.days_after)
    setDayFaults({
      ...(before === null ? { days_before: DAYS_FAULT } : {}),
      ...(after === null ? { days_after: DAYS_FAULT } : {}),
    })
    if (before === null || after === null) return
    const read = { ...typed, hour: Number(typed.hour), days_before: before, days_after: after }
    // A field that was changed elsewhere meanwhile, and not here, stays.
    save.mutate({ body: Object.fromEntries(changed.map((name) => [name, read[name]])) })
  }
  const control = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  })
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Days before due" error={faults['days_before']} help="Empty for none">
          <TextInput inputMode="numeric" autoComplete="off" maxLength={30} {...control('days_before')} />
        </Field>
        <Field label="Days after due" error={faults['days_after']} help="Such as 3, 7, 14">
          <TextInput inputMode="numeric" autoComplete="off" maxLength={30} {...control('days_after')} />
        </Field>
        <Field label="Time" error={faults['hour']}>
          <Select options={HOURS} {...control('hour')} />
        </Field>
      </div>
      <Field label="Subject" required error={faults['subject']}>
        <TextInput maxLength={SUBJECT_MAX} {...control('subject')} />
      </Field>
      <Field label="Text before the due date" required error={faults['text_before']}>
        <TextArea maxLength={REMINDER_TEXT_MAX} {...control('text_before')} />
      </Field>
      <Field label="Text after the due date" required error={faults['text_after']} help={<Names />}>
        <TextArea maxLength={REMINDER_TEXT_MAX} {...control('text_after')} />
      </Field>
      {save.error !== null && Object.keys(faults).length === 0 ? (
        <Alert>{sentenceOf(save.error, 'Failed to save the reminders')}</Alert>
      ) : null}
      <div className="flex justify-end">
        <Button variant="primary" type="submit" busy={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

/** What is wrong with one day stands beside its field. */
const fieldFaults = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([path, why]) => [path.replace(/\.\d+$/, ''), why]))
