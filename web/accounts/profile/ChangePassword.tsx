import { CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { PASSWORD_MIN } from '#contract/accounts/auth.ts'
import { INVALID_OTP, OTP_LENGTH, PASSWORDS_DIFFER } from '#contract/accounts/password-reset.ts'
import { isEmailAddress } from '#contract/platform/values.ts'
import { CodeField } from '#web/accounts/auth/reset/CodeField.tsx'
import { StepForm } from '#web/accounts/auth/reset/StepForm.tsx'
import { NewPasswordFields } from '#web/accounts/auth/reset/NewPasswordFields.tsx'
import { SETTINGS_MESSAGES } from '#web/accounts/auth/reset/reset-messages.ts'
import { type Reset, type ResetStep, useReset } from '#web/accounts/auth/reset/use-reset.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'

const CODE_HINT = 'The code has 2 digits, 2 uppercase and 2 lowercase letters.'

/** A new password for a signed-in user, with a code from their mailbox. This device stays signed in. */
export function ChangePassword() {
  const reset = useReset(SETTINGS_MESSAGES)
  const Step = STEPS[reset.step]
  return (
    <Card title="Change Password">
      <div className="max-w-100">
        <Step reset={reset} />
      </div>
    </Card>
  )
}

const STEPS: Record<ResetStep, (props: { reset: Reset }) => ReactNode> = {
  email: EmailStep,
  otp: CodeStep,
  password: PasswordStep,
  complete: Complete,
}

function EmailStep({ reset }: { reset: Reset }) {
  const { user } = useSession()
  const [email, setEmail] = useState(reset.email || (user?.email ?? ''))
  const submit = () => {
    const address = email.trim()
    if (address === '') return reset.refuse('Please enter your email address')
    if (!isEmailAddress(address)) return reset.refuse('Please enter a valid email address')
    reset.sendCode(address)
  }
  return (
    <StepForm onSubmit={submit}>
      <Field label="Email" help="We email you a code to make sure that it is you." required>
        <TextInput
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Alert>{reset.fault}</Alert>
      <Button type="submit" busy={reset.sending !== null} busyLabel="Sending…" className="self-start">
        Send OTP
      </Button>
    </StepForm>
  )
}

function CodeStep({ reset }: { reset: Reset }) {
  const [code, setCode] = useState(reset.otp)
  const isWhole = code.length === OTP_LENGTH
  // The button of a code that is not whole is disabled, and then Enter sends no form.
  const complain = () => {
    if (!isWhole) reset.refuse(code === '' ? 'Please enter the OTP' : INVALID_OTP)
  }
  return (
    <StepForm onSubmit={() => reset.verifyCode(code)}>
      <CodeField value={code} onChange={setCode} onEnter={complain} help={reset.note ?? CODE_HINT} />
      <Alert>{reset.fault}</Alert>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={!isWhole} busy={reset.verifying} busyLabel="Verifying…">
          Verify OTP
        </Button>
        <Button variant="plain" onClick={() => reset.goTo('email')} disabled={reset.verifying}>
          Back
        </Button>
      </div>
    </StepForm>
  )
}

function PasswordStep({ reset }: { reset: Reset }) {
  const [value, setValue] = useState({ password: '', confirmation: '' })
  const submit = () => {
    const { password, confirmation } = value
    if (password === '' || confirmation === '') return reset.refuse('Please enter both passwords')
    if (password !== confirmation) return reset.refuse(PASSWORDS_DIFFER)
    if (password.length < PASSWORD_MIN)
      return reset.refuse(`Password must be at least ${PASSWORD_MIN} characters long`)
    reset.savePassword(password, confirmation)
  }
  return (
    <StepForm onSubmit={submit}>
      <NewPasswordFields value={value} onChange={setValue} min={PASSWORD_MIN} />
      <Alert>{reset.fault}</Alert>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={reset.saving} busyLabel="Saving…">
          Reset Password
        </Button>
        <Button variant="plain" onClick={() => reset.goTo('otp')} disabled={reset.saving}>
          Back
        </Button>
      </div>
    </StepForm>
  )
}

function Complete({ reset }: { reset: Reset }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-start gap-2">
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
        <span>Your new password is set. You are signed out on all other devices.</span>
      </p>
      <Button onClick={reset.restart} className="self-start">
        Reset Another Password
      </Button>
    </div>
  )
}
