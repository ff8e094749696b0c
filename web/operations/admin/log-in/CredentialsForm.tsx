import { useRef, useState, type FormEvent } from 'react'
import { MISSING_CREDENTIALS } from '#contract/accounts/admin-auth.ts'
import { SecondStep } from '#web/accounts/auth/SecondStep.tsx'
import type { Outcome } from '#web/accounts/auth/session-store.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** E-mail and password of an administrator, then the code of two-step sign-in where it is on. */
export function CredentialsForm(props: {
  logIn: (email: string, password: string, totp?: string) => Promise<Outcome>
  onDone: () => void
}) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [asksCode, askCode] = useState(false)
  const passwordField = useRef<HTMLInputElement>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setFault(null)
    if (email.trim() === '' || password === '') return setFault(MISSING_CREDENTIALS)
    setBusy(true)
    const outcome = await props.logIn(email.trim(), password)
    setBusy(false)
    if (outcome.ok) {
      toast.success('Login successful!')
      props.onDone()
    } else if (outcome.code === 'TOTP_REQUIRED') {
      askCode(true)
    } else {
      setFault(outcome.message || 'Login failed')
      passwordField.current?.focus()
      passwordField.current?.select()
    }
  }

  if (asksCode) {
    return (
      <SecondStep
        logIn={async (code) => {
          const outcome = await props.logIn(email.trim(), password, code)
          if (outcome.ok) props.onDone()
          return outcome
        }}
        onBack={(why) => {
          setFault(why ?? null)
          askCode(false)
        }}
      />
    )
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Field label="Email" required>
        <TextInput
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has one purpose, and its form is the first thing in it
          autoFocus
        />
      </Field>
      <Field label="Password" required>
        <PasswordInput
          ref={passwordField}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoComplete="current-password"
        />
      </Field>
      <Alert>{fault}</Alert>
      <Button type="submit" variant="primary" busy={busy} busyLabel="Logging in..." className="w-full">
        Login
      </Button>
    </form>
  )
}
