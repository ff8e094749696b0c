import { CircleAlert, CircleCheck } from 'lucide-react'
import type { UseFormReturn } from 'react-hook-form'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import type { EmailEntries } from './email-form.ts'

export type Probe = ReplyOf<typeof mailboxSetup.test>['smtp']

const KINDS = {
  smtp: {
    word: 'SMTP',
    title: 'Sending',
    host: 'smtp_host',
    port: 'smtp_port',
    username: 'smtp_username',
    password: 'smtp_password',
    encrypted: 'smtp_use_tls',
    encryption: 'Use TLS',
    examples: { host: 'smtp.example.com', port: '587' },
  },
  imap: {
    word: 'IMAP',
    title: 'Receiving',
    host: 'imap_host',
    port: 'imap_port',
    username: 'imap_username',
    password: 'imap_password',
    encrypted: 'imap_use_ssl',
    encryption: 'Use SSL',
    examples: { host: 'imap.example.com', port: '993' },
  },
} as const

export type ServerFieldsProps = {
  kind: keyof typeof KINDS
  form: UseFormReturn<EmailEntries>
  required: boolean
  passwordSaved: boolean
  note: string
  /** How the last test went; null before one. */
  probe: Probe | null
  onPasswordLeft?: () => void
}

/** Host, port, user name, password and encryption of one server, and how its test went. */
export function ServerFields(props: ServerFieldsProps) {
  const { kind, form, required, passwordSaved, note, probe, onPasswordLeft } = props
  const names = KINDS[kind]
  const { register, formState } = form
  const why = (name: keyof EmailEntries) => formState.errors[name]?.message
  const plain = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const
  const saved = passwordSaved ? 'Saved – leave empty to keep it' : undefined
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3">
        <span className="block font-semibold">{names.title}</span>
        <span className="block text-sm text-ink-2">{note}</span>
      </legend>
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] items-start gap-3">
        <Field label={`${names.word} Host`} error={why(names.host)} required={required}>
          <TextInput {...register(names.host)} {...plain} inputMode="url" placeholder={names.examples.host} />
        </Field>
        <Field label={`${names.word} Port`} error={why(names.port)} required={required}>
          <TextInput
            {...register(names.port)}
            {...plain}
            inputMode="numeric"
            placeholder={names.examples.port}
          />
        </Field>
      </div>
      <Field label={`${names.word} Username`} error={why(names.username)} required={required}>
        <TextInput {...register(names.username)} {...plain} inputMode="email" />
      </Field>
      <Field
        label={`${names.word} Password`}
        error={why(names.password)}
        help={saved}
        required={required && !passwordSaved}
      >
        <PasswordInput
          {...register(names.password, onPasswordLeft === undefined ? {} : { onBlur: onPasswordLeft })}
          // The browser's saved password of this very site is not the one of the mail account.
          autoComplete="new-password"
          placeholder={passwordSaved ? '••••••••' : ''}
        />
      </Field>
      <Checkbox {...register(names.encrypted)} label={names.encryption} error={why(names.encrypted)} />
      <output aria-label={`${names.word} test`} className="block empty:-mt-4">
        {probe === null ? null : <ProbeResult probe={probe} />}
      </output>
    </fieldset>
  )
}

/** How the test of one server went. */
export function ProbeResult({ probe: { ok, detail } }: { probe: Probe }) {
  const Icon = ok ? CircleCheck : CircleAlert
  return (
    <p
      className={`flex items-start gap-2 rounded-md px-3 py-2 text-sm wrap-anywhere ${ok ? 'bg-green-soft text-green' : 'bg-danger-soft text-danger'}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {detail}
    </p>
  )
}
