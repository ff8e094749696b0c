import { useRef, useState, type FormEvent } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { adminAuth, INVALID_CODE } from '#contract/accounts/admin-auth.ts'
import { call } from '#web/platform/api/call.ts'
import { ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import type { Outcome } from '#web/accounts/auth/session-store.ts'
import { paths } from '#web/platform/paths.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { endAdminSession } from '../LogOutButton.tsx'
import { hasAdminSession } from '../admin-session.ts'
import { CredentialsForm } from './CredentialsForm.tsx'
import { LogInCard } from './LogInCard.tsx'
import { logInAdministrator } from './log-in-administrator.ts'

const GRANTED = 'Access granted. Please enter your admin credentials.'
const UNREACHABLE = 'Login failed. Please try again.'

/** The log-in in two steps: an access code, then e-mail and password. */
export function AdminLoginPage() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const [proof, setProof] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  // Only as the page opens: a log-in just now leads on by itself.
  const [goesOn] = useState(() => query.get('redirect') === 'true' && hasAdminSession())
  if (goesOn) return <Navigate to={paths.admin} replace />

  const logIn = async (email: string, password: string, totp?: string): Promise<Outcome> => {
    const outcome = await logInAdministrator(
      { email, password, ...(proof === null ? {} : { proof }) },
      totp,
      UNREACHABLE,
    )
    const old = outcome.ok ? undefined : outcome.fields?.['proof']
    if (old !== undefined) {
      setFault(old)
      setProof(null)
    }
    return outcome
  }
  const clear = () => {
    endAdminSession()
    toast.success('Admin session cleared')
  }
  if (proof === null) {
    return (
      <LogInCard title="Admin Login" lead="Step 1 of 2: your access code.">
        <AccessCodeForm
          before={fault}
          onGranted={(given) => {
            setFault(null)
            setProof(given)
            toast.success(GRANTED)
          }}
        />
      </LogInCard>
    )
  }
  return (
    <LogInCard
      title="Admin Login"
      lead="Step 2 of 2: your admin credentials."
      below={
        <>
          <button type="button" onClick={() => setProof(null)} className="text-link min-h-11">
            Back to access code
          </button>
          <button type="button" onClick={clear} className="text-link min-h-11">
            Clear Admin Session
          </button>
        </>
      }
    >
      <CredentialsForm logIn={logIn} onDone={() => void navigate(paths.admin, { replace: true })} />
    </LogInCard>
  )
}

/** `before` says why the code is asked for once more. */
function AccessCodeForm({
  before,
  onGranted,
}: {
  before: string | null
  onGranted: (proof: string) => void
}) {
  const [code, setCode] = useState('')
  const [fault, setFault] = useState(before)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setFault(null)
    setBusy(true)
    try {
      onGranted((await call(adminAuth.accessCode, { body: { code } })).proof)
    } catch (error) {
      // The server is not to blame for a code that could not be asked about.
      const isAnswer = error instanceof ApiError && error.kind === 'answer'
      setFault(isAnswer ? sentenceOf(error, INVALID_CODE) : UNREACHABLE)
      if (isAnswer && error.status === 400) setCode('')
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Field
        label="Access code"
        help="Howl printed two of them at its first start. Whoever runs it has them, or makes new ones."
        required
      >
        <PasswordInput
          ref={field}
          value={code}
          onChange={(event) => setCode(event.target.value)}
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has one purpose, and its form is the first thing in it
          autoFocus
        />
      </Field>
      <Alert>{fault}</Alert>
      <Button type="submit" variant="primary" busy={busy} busyLabel="Verifying..." className="w-full">
        Verify Access Code
      </Button>
    </form>
  )
}
