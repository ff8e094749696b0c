import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type AccountInput, mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { showFieldErrors } from '#web/platform/api/form.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { useFollowing } from '#web/platform/api/use-following.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { bodyOf, EMAIL_FIELDS, type EmailEntries, entriesOf, type SavedServers } from './email-form.ts'
import { ConnectedWith } from './ConnectedWith.tsx'
import { ConnectWith } from './ConnectWith.tsx'
import { type Probe, ServerFields } from './ServerFields.tsx'
import { useDiscovery } from './use-discovery.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import type { ApiError } from '#web/platform/api/errors.ts'

/** A test waits for two servers that may both be slow; it ends by itself before this. */
const TEST_TIMEOUT_MS = 60_000

type Probes = { smtp: Probe; imap: Probe }

type EmailFormProps = {
  /** Which account the form is of. */
  account: SavedAccount
  saved: SavedServers
  /** True during practice, which ends when an account of one's own is saved. */
  practising: boolean
  onSaved?: () => void
  /** Closes a form that was opened by a button. */
  onCancel?: () => void
}

/** One of the user's own mail accounts: address, both servers, limit; Test and Save. */
export function EmailForm({ account, saved, practising, onSaved, onCancel }: EmailFormProps) {
  const form = useForm<EmailEntries>({ defaultValues: entriesOf(saved) })
  const { errors } = form.formState
  useFollowing(form, entriesOf, saved)
  const [fault, setFault] = useState<string | null>(null)
  const [probes, setProbes] = useState<Probes | null>(null)
  const { message, looking, lookFor, forget } = useDiscovery(form)
  const copyPassword = useCopiedPassword(form, saved)
  const practised = useRef(false)
  const [usesPassword, setUsesPassword] = useState(false)

  const save = useSaveAccount(account, {
    onSuccess: (reply) => {
      form.reset(entriesOf(reply), { keepFieldsRef: true })
      forget()
      toast.success(account === 'new' ? 'Email account connected' : 'Email settings saved')
      if (practised.current) toast.info('Practice is over, and everything from it has been deleted.')
      setUsesPassword(false)
      onSaved?.()
    },
    onError: (error) => setFault(showFieldErrors(form, error, EMAIL_FIELDS, 'Failed to save email settings')),
  })
  const test = useCommand(mailboxSetup.test, {
    onSuccess: setProbes,
    onError: (error) => setFault(showFieldErrors(form, error, EMAIL_FIELDS, 'Failed to test email settings')),
  })
  useEffect(() => {
    // The default account's form stands on the page; the others were opened by a button.
    if (account !== 'default') form.setFocus('smtp_from')
  }, [account, form])
  const begin = () => {
    setFault(null)
    setProbes(null)
    form.clearErrors()
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        begin()
        practised.current = practising
        save.start(bodyOf(form.getValues()))
      }}
      className="flex flex-col gap-6"
    >
      {saved.oauth === null ? <ConnectWith isSaved={saved.smtp_host !== ''} /> : null}
      <Field
        label="From Address"
        error={errors.smtp_from?.message}
        help={
          looking
            ? 'Looking for your provider’s servers…'
            : (message ?? 'The address your emails come from. Howl looks up its servers for you.')
        }
        required
        className="max-w-140"
      >
        <TextInput
          {...form.register('smtp_from', {
            onBlur: (event: { target: { value: string } }) => void lookFor(event.target.value),
          })}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="you@example.com"
        />
      </Field>
      {saved.oauth !== null && !usesPassword ? (
        <ConnectedWith
          oauth={saved.oauth}
          username={saved.smtp_username}
          probes={probes}
          onUsePassword={() => setUsesPassword(true)}
        />
      ) : (
        <div className="grid gap-x-10 gap-y-8 md:grid-cols-2">
          <ServerFields
            kind="smtp"
            form={form}
            required
            passwordSaved={saved.smtp_password_set}
            note="Your emails leave through this server."
            probe={probes?.smtp ?? null}
            onPasswordLeft={copyPassword}
          />
          <ServerFields
            kind="imap"
            form={form}
            required={false}
            passwordSaved={saved.imap_password_set}
            note="Optional. Replies are read from here."
            probe={probes?.imap ?? null}
          />
        </div>
      )}
      <HourlyLimit form={form} />
      <Alert>{fault}</Alert>
      <Buttons
        saving={save.isPending}
        onCancel={onCancel}
        testing={test.isPending}
        onTest={() => {
          begin()
          const of = account === 'default' ? {} : { account_id: account === 'new' ? null : account }
          test.mutate({ body: { ...bodyOf(form.getValues()), ...of }, timeoutMs: TEST_TIMEOUT_MS })
        }}
      />
    </form>
  )
}

function HourlyLimit({ form }: { form: ReturnType<typeof useForm<EmailEntries>> }) {
  const { errors } = form.formState
  return (
    <details className="group" open={errors.hourly_limit === undefined ? undefined : true}>
      <summary className="w-fit cursor-pointer font-medium text-ink-2 hover:text-ink">Advanced</summary>
      <Field
        label="Hourly limit"
        error={errors.hourly_limit?.message}
        help="The most emails Howl sends in an hour. Leave empty for no limit; your provider may still have one."
        className="mt-3 max-w-80"
      >
        <TextInput {...form.register('hourly_limit')} inputMode="numeric" autoComplete="off" />
      </Field>
    </details>
  )
}

type ButtonsProps = {
  saving: boolean
  testing: boolean
  onTest: () => void
  onCancel: (() => void) | undefined
}

function Buttons({ saving, testing, onTest, onCancel }: ButtonsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" variant="primary" busy={saving} busyLabel="Saving…" disabled={testing}>
        Save
      </Button>
      <Button busy={testing} busyLabel="Testing…" disabled={saving} onClick={onTest}>
        Test
      </Button>
      {onCancel === undefined ? null : (
        <Button variant="plain" disabled={saving} onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  )
}

/** Most accounts have one password for both servers: it is put into the second field until that is typed into. */
function useCopiedPassword(form: ReturnType<typeof useForm<EmailEntries>>, saved: SavedServers) {
  const copied = useRef('')
  return () => {
    const { smtp_password, imap_password } = form.getValues()
    if (saved.imap_password_set || smtp_password === '' || imap_password !== copied.current) return
    copied.current = smtp_password
    form.setValue('imap_password', smtp_password)
  }
}

/** The default account, a connected one by its id, or one that is still to be connected. */
type SavedAccount = 'default' | 'new' | number

type Ends = { onSuccess: (saved: SavedServers) => void; onError: (error: ApiError) => void }

/** Saves an account by the call that is for it. */
function useSaveAccount(account: SavedAccount, ends: Ends) {
  const options = { refreshes: [mailboxes.get, mailboxes.accounts, mailboxes.getAccount], ...ends }
  const ofDefault = useCommand(mailboxSetup.save, options)
  const added = useCommand(mailboxSetup.addAccount, options)
  const changed = useCommand(mailboxSetup.saveAccount, options)
  return {
    isPending: ofDefault.isPending || added.isPending || changed.isPending,
    start: (body: AccountInput) => {
      if (account === 'default') ofDefault.mutate({ body })
      else if (account === 'new') added.mutate({ body })
      else changed.mutate({ params: { id: account }, body })
    },
  }
}
