import { useState } from 'react'
import { automaticMail, SAME_HOUR, type SendingHours as Hours } from '#contract/outreach/automatic-mail.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { FROM_HOURS, hoursOfDay, untilHours } from '#web/platform/dates/hours-of-day.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { Switch } from '#web/platform/ui/Switch.tsx'
import { toast } from '#web/platform/ui/toast.ts'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** On which days and at which hours Howl may send mail by itself. */
export function SendingHours() {
  const query = useEndpoint(automaticMail.hours)
  const { data } = query
  return (
    <Card
      title="Sending Hours"
      actions={
        data === undefined ? undefined : (
          <Badge tone={data.limited ? 'green' : 'gray'}>{data.limited ? 'On' : 'Off'}</Badge>
        )
      }
    >
      <Loaded
        query={query}
        failed="Failed to load the sending hours"
        waiting={<Skeleton className="h-24 w-full" />}
      >
        {(saved) => <HoursForm saved={saved} />}
      </Loaded>
    </Card>
  )
}

type Entries = Omit<Hours, 'time_zone'>

function HoursForm({ saved }: { saved: Hours }) {
  // What was changed here and is not saved; until then what is saved is shown, wherever it was changed.
  const [draft, setDraft] = useState<Entries | null>(null)
  const entries = draft ?? saved
  const change = (changes: Partial<Entries>) => setDraft({ ...entries, ...changes })
  const save = useCommand(automaticMail.saveHours, {
    refreshes: [automaticMail.hours],
    onSuccess: () => {
      setDraft(null)
      toast.success('Sending hours saved')
    },
  })
  const fault =
    entries.limited && entries.days.length === 0
      ? 'Choose at least one day'
      : entries.limited && entries.until_hour === entries.from_hour
        ? SAME_HOUR
        : null
  const { days, from_hour, until_hour } = entries
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        // Days and hours that are switched off are not asked for: the proposal stands in for wrong ones.
        if (fault === null) save.mutate({ body: { limited: entries.limited, days, from_hour, until_hour } })
      }}
    >
      <Switch
        label="Send automatic emails only at certain hours"
        help="Runs and automatic follow-ups wait outside these hours and go on by themselves. Emails that you write yourself leave at once."
        checked={entries.limited}
        onChange={(event) => change({ limited: event.target.checked })}
      />
      {entries.limited ? (
        <>
          <fieldset className="min-w-0">
            <legend className="mb-1.5 text-sm font-medium">Days</legend>
            <div className="flex flex-wrap gap-x-5 gap-y-2">
              {DAYS.map((name, index) => (
                <Checkbox
                  key={name}
                  label={name}
                  checked={days.includes(index + 1)}
                  onChange={(event) =>
                    change({
                      days: event.target.checked
                        ? [...days, index + 1]
                        : days.filter((day) => day !== index + 1),
                    })
                  }
                />
              ))}
            </div>
          </fieldset>
          <div className="grid max-w-140 items-start gap-4 sm:grid-cols-2">
            <Field label="From">
              <Select
                value={String(from_hour)}
                options={FROM_HOURS}
                onChange={(event) => change({ from_hour: Number(event.target.value) })}
              />
            </Field>
            <Field label="Until" help={`In your time zone, ${saved.time_zone}.`}>
              <Select
                value={String(until_hour)}
                options={untilHours(from_hour, until_hour)}
                onChange={(event) => change({ until_hour: Number(event.target.value) })}
              />
            </Field>
          </div>
          {until_hour < from_hour ? (
            <p className="text-ink-2">
              They leave {hoursOfDay(from_hour, until_hour)}. The days are those on which this begins.
            </p>
          ) : null}
        </>
      ) : null}
      <Alert>
        {fault ?? (save.error === null ? null : sentenceOf(save.error, 'Failed to save the sending hours'))}
      </Alert>
      {draft === null && !saved.limited ? null : (
        <Button
          type="submit"
          busy={save.isPending}
          busyLabel="Saving…"
          disabled={draft === null || fault !== null}
          className="self-start"
        >
          Save sending hours
        </Button>
      )}
    </form>
  )
}
