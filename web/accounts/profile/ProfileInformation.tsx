import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { auth } from '#contract/accounts/auth.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { profile } from '#contract/accounts/profile.ts'
import { formResolver, showFieldErrors } from '#web/platform/api/form.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { useFollowing } from '#web/platform/api/use-following.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { ProfileImage } from './ProfileImage.tsx'

const TEAM_SIZES = ['1-5', '6-20', '21-50', '51-200', '200+']
const REVENUE_SIZES = ['0-100k', '100k-500k', '500k-1m', '1m-5m', '5m+']

const FIELDS = [
  'full_name',
  'username',
  'job_title',
  'company_name',
  'team_size',
  'revenue_size',
  'social_link',
  'calendly_link',
  'signature',
] as const
type Entries = Record<(typeof FIELDS)[number], string>

type Account = ReplyOf<typeof auth.me>

const resolve = formResolver(profile.update.body) as Resolver<Entries>
const LINKS = ['social_link', 'calendly_link'] as const

/** Links that were saved before links had rules hold up no other change. */
function withoutOldLinks(entries: Entries, account: Account): Entries {
  const old = new Set<string>(LINKS.filter((name) => entries[name] === account[name]))
  return Object.fromEntries(Object.entries(entries).filter(([name]) => !old.has(name))) as Entries
}

/** Who the user is: the name that stands under every mail, and the company behind it. */
export function ProfileInformation() {
  const query = useEndpoint(auth.me)
  return (
    <Card title="Profile Information">
      <Loaded query={query} failed="Failed to load profile" waiting={<Skeleton className="h-64 w-full" />}>
        {(account) => (
          <div className="flex flex-col gap-5">
            <ProfileImage name={account.name} src={account.profile_image_url} />
            <ProfileForm account={account} />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function entriesOf(account: Account): Entries {
  return Object.fromEntries(FIELDS.map((name) => [name, account[name]])) as Entries
}

/** The choices, with what the user has typed into the sign-up, which asks for something else under the same name. */
function choices(known: readonly string[], current: string) {
  const typed = current === '' || known.includes(current) ? [] : [current]
  return [
    { value: '', label: 'Not given' },
    ...typed.map((value) => ({ value, label: `${value} (from your sign-up)` })),
    ...known.map((value) => ({ value, label: value })),
  ]
}

function ProfileForm({ account }: { account: Account }) {
  const { refreshUser } = useSession()
  const [fault, setFault] = useState<string | null>(null)
  const form = useForm<Entries>({
    defaultValues: entriesOf(account),
    // Every field is optional to the contract, and given by this form.
    resolver: (entries, ...others) => resolve(withoutOldLinks(entries, account), ...others),
  })
  const { register, formState } = form
  const { dirtyFields } = formState
  useFollowing(form, entriesOf, account)
  const update = useCommand(profile.update, {
    refreshes: [auth.me],
    onSuccess: (reply) => {
      form.reset(entriesOf(reply), { keepFieldsRef: true })
      void refreshUser()
      toast.success('Profile updated')
    },
    onError: (error) => setFault(showFieldErrors(form, error, FIELDS, 'Failed to update profile')),
  })
  const save = form.handleSubmit((body) => {
    setFault(null)
    // What was changed elsewhere meanwhile, and not here, stays.
    const changed = Object.entries(body).filter(([name]) => dirtyFields[name as keyof Entries])
    update.mutate({ body: Object.fromEntries(changed) })
  })
  const why = (name: keyof Entries) => formState.errors[name]?.message

  return (
    <form noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
      <div className="grid items-start gap-x-10 gap-y-4 md:grid-cols-2">
        <Field label="Full name" error={why('full_name')} required>
          <TextInput {...register('full_name')} autoComplete="name" />
        </Field>
        <Field label="Username" error={why('username')} required>
          <TextInput
            {...register('username')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field label="Job title" error={why('job_title')}>
          <TextInput {...register('job_title')} autoComplete="organization-title" />
        </Field>
        <Field label="Company name" error={why('company_name')}>
          <TextInput {...register('company_name')} autoComplete="organization" />
        </Field>
        <Field label="Team size" error={why('team_size')}>
          <Select {...register('team_size')} options={choices(TEAM_SIZES, account.team_size)} />
        </Field>
        <Field label="Revenue size" error={why('revenue_size')}>
          <Select {...register('revenue_size')} options={choices(REVENUE_SIZES, account.revenue_size)} />
        </Field>
        <Field label="Social link" error={why('social_link')}>
          <TextInput {...register('social_link')} inputMode="url" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label="Calendly link" error={why('calendly_link')}>
          <TextInput
            {...register('calendly_link')}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field
          label="Signature"
          help="Added below what you write with Compose, Reply and Forward."
          error={why('signature')}
          className="md:col-span-2"
        >
          <TextArea {...register('signature')} rows={3} />
        </Field>
      </div>
      <Alert>{fault}</Alert>
      <Button type="submit" busy={update.isPending} busyLabel="Saving…" className="self-start">
        Save profile
      </Button>
    </form>
  )
}
