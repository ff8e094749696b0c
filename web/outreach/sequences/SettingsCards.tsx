import { Plus, X } from 'lucide-react'
import { isRefusal } from '#contract/mail/email.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { type SequenceStart, STARTS_MAX } from '#contract/outreach/sequences.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { FROM_HOURS, hoursOfDay, untilHours } from '#web/platform/dates/hours-of-day.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { INTENT_OPTIONS, STATUS_OPTIONS } from './ConditionFields.tsx'
import { NumberInput } from './NumberInput.tsx'
import { TagField } from './SmallFields.tsx'
import { WEEK_DAYS } from './step-text.ts'
import type { Faults, SequenceDraft } from './use-sequence-draft.ts'

type CardProps = {
  draft: SequenceDraft
  change: (changes: Partial<SequenceDraft>) => void
  faults: Faults
}

const AGAIN_DAYS = 90

/** What puts contacts in by itself. */
export function BeginCard({ draft, change, faults }: CardProps) {
  const { starts, again_after_days: again } = draft
  const put = (at: number, start: SequenceStart) => change({ starts: starts.with(at, start) })
  return (
    <Card title="How it begins">
      <div className="flex flex-col gap-3">
        <p className="text-ink-2">
          You can always put contacts in by hand, here or on the Contacts page.
          {starts.length === 0 ? null : ' It also begins by itself when'}
        </p>
        {starts.length === 0 ? null : (
          <ul aria-label="Beginnings" className="flex flex-col gap-3">
            {starts.map((start, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- beginnings have only their place
              <li key={at} className="flex items-start gap-1.5 rounded-md border border-line p-2.5">
                <div className="flex min-w-0 grow flex-col gap-2.5">
                  <Select
                    aria-label={`Beginning ${at + 1}`}
                    value={start.on}
                    onChange={({ target }) => put(at, FIRST[target.value as SequenceStart['on']])}
                    options={START_OPTIONS}
                  />
                  <StartDetail
                    start={start}
                    onChange={(next) => put(at, next)}
                    error={faults[`starts.${at}.tag`]}
                  />
                </div>
                <IconButton
                  label={`Remove beginning ${at + 1}`}
                  size="s"
                  icon={<X />}
                  className="mt-0.5"
                  onClick={() => change({ starts: starts.toSpliced(at, 1) })}
                />
              </li>
            ))}
          </ul>
        )}
        {starts.length >= STARTS_MAX ? null : (
          <Button
            size="s"
            icon={<Plus aria-hidden className="size-3.5" />}
            className="self-start"
            onClick={() => change({ starts: [...starts, { on: 'tag', tag: '' }] })}
          >
            Let it begin by itself
          </Button>
        )}
        <Checkbox
          label="Contacts may go through it again"
          checked={again !== null}
          onChange={({ target }) => change({ again_after_days: target.checked ? AGAIN_DAYS : null })}
        />
        {again === null ? null : (
          <Field label="Days after they began" error={faults['again_after_days']} required>
            <NumberInput value={again} onChange={(days) => change({ again_after_days: days })} />
          </Field>
        )}
      </div>
    </Card>
  )
}

const START_OPTIONS = [
  { value: 'tag', label: 'a contact gets a tag' },
  { value: 'contact', label: 'a new contact is added' },
  { value: 'status', label: 'a contact gets a status' },
  { value: 'intent', label: 'somebody replies, and' },
]

const FIRST: Record<SequenceStart['on'], SequenceStart> = {
  contact: { on: 'contact' },
  tag: { on: 'tag', tag: '' },
  status: { on: 'status', status: 'active' },
  intent: { on: 'intent', intent: 'interested' },
}

type StartDetailProps = {
  start: SequenceStart
  onChange: (start: SequenceStart) => void
  error: string | undefined
}

function StartDetail({ start, onChange, error }: StartDetailProps) {
  if (start.on === 'contact') return null
  if (start.on === 'tag')
    return <TagField value={start.tag} error={error} onChange={(tag) => onChange({ on: 'tag', tag })} />
  if (start.on === 'status')
    return (
      <Select
        aria-label="Status"
        value={start.status}
        onChange={({ target }) => onChange({ on: 'status', status: target.value as typeof start.status })}
        options={STATUS_OPTIONS}
      />
    )
  return (
    <Select
      aria-label="What the reply says"
      value={start.intent}
      onChange={({ target }) => onChange({ on: 'intent', intent: target.value as typeof start.intent })}
      options={INTENT_OPTIONS.filter(({ value }) => value === start.intent || !isRefusal(value))}
    />
  )
}

/** When its mails may leave, and from which account. */
export function HoursCard({ draft, change, faults }: CardProps) {
  const timeZone = useTimeZone()
  const { data: accounts = [] } = useEndpoint(mailboxes.accounts)
  const { hours } = draft
  const put = (changes: Partial<typeof hours>) => change({ hours: { ...hours, ...changes } })
  const usable = accounts.filter(({ connected, id }) => connected || id === draft.mailbox_id)
  return (
    <Card title="When it writes">
      <div className="flex flex-col gap-3.5">
        <fieldset>
          <legend className="pb-1.5 text-sm font-medium">Days</legend>
          <div className="flex flex-wrap gap-1">
            {WEEK_DAYS.map(({ day, name, short }) => (
              <label
                key={day}
                className="relative grid h-8.5 min-w-9 grow place-items-center rounded-md border border-line text-sm text-ink-2 has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11"
              >
                <input
                  type="checkbox"
                  aria-label={name}
                  checked={hours.days.includes(day)}
                  onChange={({ target }) =>
                    put({
                      days: target.checked
                        ? [...hours.days, day].toSorted((one, other) => one - other)
                        : hours.days.filter((each) => each !== day),
                    })
                  }
                  className="absolute inset-0 cursor-pointer appearance-none rounded-md outline-none"
                />
                <span aria-hidden>{short}</span>
              </label>
            ))}
          </div>
          {faults['hours.days'] === undefined ? null : (
            <p className="pt-1.5 text-sm text-danger">{faults['hours.days']}</p>
          )}
        </fieldset>
        <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-start gap-3">
          <Field label="From" error={faults['hours.from_hour']}>
            <Select
              value={String(hours.from_hour)}
              onChange={({ target }) => put({ from_hour: Number(target.value) })}
              options={FROM_HOURS}
            />
          </Field>
          <Field label="Until" error={faults['hours.until_hour'] ?? faults['hours']}>
            <Select
              value={String(hours.until_hour)}
              onChange={({ target }) => put({ until_hour: Number(target.value) })}
              options={untilHours(hours.from_hour, hours.until_hour)}
            />
          </Field>
        </div>
        {hours.until_hour < hours.from_hour ? (
          <p className="text-sm text-ink-2">
            It writes {hoursOfDay(hours.from_hour, hours.until_hour)}. The days are those on which this
            begins.
          </p>
        ) : null}
        <Field label="Time zone" error={faults['hours.zone']}>
          <Select
            value={hours.zone}
            onChange={({ target }) => put({ zone: target.value as typeof hours.zone })}
            options={[
              { value: 'user', label: `Mine, ${timeZone.replaceAll('_', ' ')}` },
              { value: 'reader', label: 'The reader’s' },
            ]}
          />
        </Field>
        {usable.length < 2 ? null : (
          <Field label="From which account" error={faults['mailbox_id']}>
            <Select
              value={draft.mailbox_id === null ? '' : String(draft.mailbox_id)}
              onChange={({ target }) =>
                change({ mailbox_id: target.value === '' ? null : Number(target.value) })
              }
              options={[
                { value: '', label: 'The default one' },
                ...usable.map(({ id, address }) => ({ value: String(id), label: address })),
              ]}
            />
          </Field>
        )}
        <p className="text-sm text-ink-2">
          {hours.zone === 'reader'
            ? 'Where somebody is, their phone number or the country of their address tells; where neither does, your time counts. Your own sending hours hold too. '
            : null}
          Nobody gets more than one automatic email a day.
        </p>
      </div>
    </Card>
  )
}

/** What ends it for a contact before its last step. */
export function StopsCard({ draft, change }: Omit<CardProps, 'faults'>) {
  const { stops } = draft
  const put = (changes: Partial<typeof stops>) => change({ stops: { ...stops, ...changes } })
  return (
    <Card title="What stops it">
      <div className="flex flex-col gap-2">
        <Checkbox
          label="They reply"
          checked={stops.reply}
          onChange={({ target }) => put({ reply: target.checked })}
        />
        <Checkbox
          label="A meeting with them is planned"
          checked={stops.meeting}
          onChange={({ target }) => put({ meeting: target.checked })}
        />
        <Checkbox
          label="They pay an invoice"
          checked={stops.payment}
          onChange={({ target }) => put({ payment: target.checked })}
        />
        <p className="pt-1 text-sm text-ink-2">It always stops on a “no”, an unsubscribe or a bounce.</p>
      </div>
    </Card>
  )
}
