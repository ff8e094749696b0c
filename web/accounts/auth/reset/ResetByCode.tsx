import { useState } from 'react'
import { Navigate } from 'react-router'
import {
  EXPIRED_OTP,
  INVALID_OTP,
  otp as otpSchema,
  PASSWORDS_DIFFER,
  RESET_PASSWORD_MIN,
} from '#contract/accounts/password-reset.ts'
import { isEmailAddress } from '#contract/platform/values.ts'
import { paths } from '#web/platform/paths.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { CodeField } from './CodeField.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { PAGE_MESSAGES } from './reset-messages.ts'
import { StepForm } from './StepForm.tsx'
import { type Reset, useReset } from './use-reset.ts'

const STEPS = { email: 1, otp: 2, password: 3, complete: 3 }

/** The three steps of the page: ask for a code, type it, choose the password. */
export function ResetByCode() {
  const reset = useReset(PAGE_MESSAGES)
  if (reset.step === 'complete') return <Navigate to={paths.login} replace state={reset.cleared} />
  return (
    <>
      <p className="mb-3 text-sm text-ink-2">Step {STEPS[reset.step]} of 3</p>
      {reset.step === 'email' ? (
        <EmailStep reset={reset} />
      ) : reset.step === 'otp' ? (
        <CodeStep reset={reset} />
      ) : (
        <PasswordStep reset={reset} />
      )}
    </>
  )
}

function EmailStep({ reset }: { reset: Reset }) {
  const [email, setEmail] = useState(reset.email)
  const ask = (send: (address: string) => void) => {
    const address = email.trim()
    if (address === '') return reset.refuse('Please enter your email address')
    if (!isEmailAddress(address)) return reset.refuse('Please enter a valid email address')
    send(address)
  }
  return (
    <StepForm onSubmit={() => ask(reset.sendCode)}>
      <Field label="Email" help="The address that you signed up with." required>
        <TextInput
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has one purpose, and its form is the first thing in it
          autoFocus
        />
      </Field>
      <Alert>{reset.fault}</Alert>
      {reset.linkSent && reset.fault === null ? (
        <output className="rounded-md bg-sunken px-3 py-2">
          {reset.note ?? `Open the link in the email to ${reset.email}. It is valid for an hour.`}
        </output>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          busy={reset.sending === 'code'}
          busyLabel="Sending…"
          disabled={reset.sending === 'link'}
        >
          Send OTP
        </Button>
        <Button
          onClick={() => ask(reset.sendLink)}
          busy={reset.sending === 'link'}
          busyLabel="Sending…"
          disabled={reset.sending === 'code'}
        >
          Send reset link
        </Button>
      </div>
    </StepForm>
  )
}

function CodeStep({ reset }: { reset: Reset }) {
  const [code, setCode] = useState(reset.otp)
  const submit = () =>
    otpSchema.safeParse(code).success ? reset.verifyCode(code) : reset.refuse(INVALID_OTP)
  return (
    <StepForm onSubmit={submit}>
      <CodeField
        value={code}
        onChange={setCode}
        help={reset.note ?? `From the email to ${reset.email}. It is valid for ten minutes.`}
      />
      <Alert>{reset.fault}</Alert>
      {reset.fault === EXPIRED_OTP ? (
        <p className="text-sm text-ink-2">
          After five wrong tries a code is dead. Go back to ask for a new one.
        </p>
      ) : null}
      <Buttons
        back={() => reset.goTo('email')}
        action="Verify OTP"
        busy={reset.verifying}
        busyLabel="Verifying…"
      />
    </StepForm>
  )
}

function PasswordStep({ reset }: { reset: Reset }) {
  const [value, setValue] = useState({ password: '', confirmation: '' })
  const submit = () => {
    if (value.password.length < RESET_PASSWORD_MIN)
      return reset.refuse(`Password must be at least ${RESET_PASSWORD_MIN} characters long`)
    if (value.password !== value.confirmation) return reset.refuse(PASSWORDS_DIFFER)
    reset.savePassword(value.password, value.confirmation)
  }
  return (
    <StepForm onSubmit={submit}>
      <NewPasswordFields value={value} onChange={setValue} min={RESET_PASSWORD_MIN} />
      <Alert>{reset.fault}</Alert>
      <Buttons
        back={() => reset.goTo('otp')}
        action="Reset Password"
        busy={reset.saving}
        busyLabel="Saving…"
      />
    </StepForm>
  )
}

function Buttons(props: { back: () => void; action: string; busy: boolean; busyLabel: string }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" variant="primary" busy={props.busy} busyLabel={props.busyLabel}>
        {props.action}
      </Button>
      <Button variant="plain" onClick={props.back} disabled={props.busy}>
        Back
      </Button>
    </div>
  )
}
