import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { type EmailSettings, mailboxes } from '#contract/mail/mailboxes.ts'
import { formResolver, showFieldErrors } from '#web/platform/api/form.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { useFollowing } from '#web/platform/api/use-following.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { outreachPaths } from '#web/outreach/runs/outreach-tabs.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { Switch } from '#web/platform/ui/Switch.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'

const FIELDS = ['auto_followup_enabled', 'auto_followup_max_days', 'auto_followup_daily_hour'] as const

type Entries = {
  auto_followup_enabled: boolean
  auto_followup_max_days: string
  auto_followup_daily_hour: string
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** Whether Howl writes again to contacts who do not answer, for how long and at which hour. */
export function AutoFollowUps() {
  const query = useEndpoint(mailboxes.get)
  const { data } = query
  return (
    <Card
      title="Auto Follow-ups"
      actions={
        data === undefined ? undefined : (
          <Badge tone={data.auto_followup_enabled ? 'green' : 'gray'}>
            {data.auto_followup_enabled ? 'On' : 'Off'}
          </Badge>
        )
      }
    >
      <Loaded
        query={query}
        failed="Failed to load the follow-up settings"
        waiting={<Skeleton className="h-40 w-full" />}
      >
        {(saved) => <FollowUpForm saved={saved} />}
      </Loaded>
    </Card>
  )
}

function entriesOf(saved: EmailSettings): Entries {
  return {
    auto_followup_enabled: saved.auto_followup_enabled,
    auto_followup_max_days: String(saved.auto_followup_max_days),
    auto_followup_daily_hour: String(saved.auto_followup_daily_hour),
  }
}

function FollowUpForm({ saved }: { saved: EmailSettings }) {
  const zone = useTimeZone()
  const [fault, setFault] = useState<string | null>(null)
  const form = useForm<Entries>({
    defaultValues: entriesOf(saved),
    // What is typed stands as text in the form; the contract reads numbers from it.
    resolver: formResolver(mailboxSetup.save.body) as unknown as Resolver<Entries>,
  })
  const { register, formState } = form
  useFollowing(form, entriesOf, saved)
  const save = useCommand(mailboxSetup.save, {
    refreshes: [mailboxes.get],
    onSuccess: (reply) => {
      form.reset(entriesOf(reply), { keepFieldsRef: true })
      toast.success('Follow-up settings saved')
    },
    onError: (error) =>
      setFault(showFieldErrors(form, error, FIELDS, 'Failed to save the follow-up settings')),
  })
  const submit = form.handleSubmit((body) => {
    setFault(null)
    save.mutate({ body })
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Switch
        {...register('auto_followup_enabled')}
        label="Write again to contacts who have not answered"
        help="3 days after your last email, at most 3 times. Stops when they reply, unsubscribe or meet you."
      />
      <div className="grid max-w-140 items-start gap-4 sm:grid-cols-2">
        <Field
          label="Days"
          help="From 1 to 60 days after your first email."
          error={formState.errors.auto_followup_max_days?.message}
          required
        >
          <TextInput {...register('auto_followup_max_days')} inputMode="numeric" autoComplete="off" />
        </Field>
        <Field
          label="Hour"
          help={`The time of day to send, in ${zone}.`}
          error={formState.errors.auto_followup_daily_hour?.message}
          required
        >
          <Select {...register('auto_followup_daily_hour')} options={HOURS} />
        </Field>
      </div>
      <LastRun saved={saved} zone={zone} />
      <Link to={outreachPaths.followUps} className="self-start rounded-sm text-accent hover:underline">
        See who is next
      </Link>
      <Alert>{fault}</Alert>
      <Button type="submit" busy={save.isPending} busyLabel="Saving…" className="self-start">
        Save follow-ups
      </Button>
    </form>
  )
}

function LastRun({ saved, zone }: { saved: EmailSettings; zone: string }) {
  const { last_auto_followup_run: at, last_auto_followup_sent_count: count } = saved
  const when =
    at === null
      ? 'Never'
      : dateFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(new Date(at))
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-2 text-sm">
      <div>
        <dt className="text-ink-2">Last run</dt>
        <dd className="font-medium">{when}</dd>
      </div>
      <div>
        <dt className="text-ink-2">Sent then</dt>
        <dd className="font-medium tabular-nums">
          {count} {count === 1 ? 'follow-up' : 'follow-ups'}
        </dd>
      </div>
    </dl>
  )
}
