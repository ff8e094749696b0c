import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'
import { auth } from '#contract/accounts/auth.ts'
import { formResolver } from '#web/platform/api/form.ts'
import { paths } from '#web/platform/paths.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { type Banned, BannedNotice } from './BannedNotice.tsx'
import { readWhereFrom } from './came-from.ts'
import { SecondStep } from './SecondStep.tsx'
import type { Outcome } from './session-store.ts'
import { useSession } from './session.tsx'

/** Log-in by e-mail address or user name. */
export function LoginPage() {
  const { state, logOut } = useSession()
  const { state: from } = useLocation() as {
    state: ({ email?: string; goesOn?: boolean } & ClearedSetup) | null
  }
  const [isBanned, setBanned] = useState(false)
  useDocumentTitle('Login')
  const navigate = useNavigate()
  // A user who set a new password while signed in reads what it has cleared, and goes on after logging in again.
  const stays = from?.cleared !== undefined && from.goesOn !== true
  useEffect(() => {
    if (stays && state === 'signed-out')
      void navigate(paths.login, { replace: true, state: { ...from, goesOn: true } })
  }, [stays, state, from, navigate])
  // Just now, before, or in another tab: whoever is signed in goes on to where they wanted to be.
  if (state === 'signed-in' && !stays) return <Navigate to={readWhereFrom() ?? paths.dashboard} replace />
  return (
    <div className="mx-auto w-full max-w-100 pt-4 sm:pt-12">
      <h1 className="font-display text-2xl font-medium">Login</h1>
      <p className="mt-1 mb-5 text-ink-2">
        {isBanned
          ? 'Your password is right, but nobody can use this account now.'
          : from?.email === undefined
            ? 'Welcome back.'
            : 'Your account is ready.'}
      </p>
      {from?.cleared === undefined ? null : <ClearedNotice cleared={from.cleared} printed={from.printed} />}
      <Card>
        {stays && state === 'signed-in' ? (
          <>
            <p>You’re still logged in here. Log out to use the account with the new password.</p>
            <Button variant="primary" className="mt-4" onClick={() => void logOut()}>
              Log out
            </Button>
          </>
        ) : (
          <LoginForm onBanned={setBanned} />
        )}
      </Card>
      <p className="mt-5 text-ink-2">
        New to Howl?{' '}
        <Link to={paths.home} state={{ start: true }} className="font-medium text-accent hover:underline">
          Get Started Free
        </Link>
      </p>
    </div>
  )
}

const unexpected = (): Outcome => ({ ok: false, message: 'An error occurred during login' })

type Entries = { email: string; password: string }

/** `onBanned` hears whether the form shows a ban. */
function LoginForm({ onBanned }: { onBanned: (isBanned: boolean) => void }) {
  const session = useSession()
  const { state } = useLocation() as { state: { email?: string } | null }
  const [fault, setFault] = useState<string | null>(null)
  const [asksCode, askCode] = useState(false)
  const [banned, setBanned] = useState<Banned | null>(null)
  // Kept while the page is open: whoever has to log in again writes nothing twice.
  const [appeal, setAppeal] = useState('')
  const { register, handleSubmit, setFocus, getValues, formState } = useForm<Entries>({
    resolver: formResolver(auth.login.body),
    defaultValues: { email: state?.email ?? '', password: '' },
  })
  const { errors, isSubmitting } = formState

  const logIn = async (email: string, password: string, code?: string): Promise<Outcome> => {
    const outcome = await session.logIn(email, password, code).catch(unexpected)
    if (!outcome.ok && outcome.ban !== undefined) {
      setBanned({ ban: outcome.ban, token: outcome.appealToken })
      onBanned(true)
    }
    return outcome
  }
  const submit = async ({ email, password }: Entries) => {
    setFault(null)
    const outcome = await logIn(email, password)
    // The page itself leads on as soon as somebody is signed in.
    if (outcome.ok) {
      toast.success('Login successful!')
    } else if (outcome.code === 'TOTP_REQUIRED') {
      askCode(true)
    } else if (outcome.ban === undefined) {
      setFault(outcome.message || 'Login failed')
      setFocus('password', { shouldSelect: true })
    }
  }

  if (banned !== null)
    return (
      <BannedNotice
        {...banned}
        message={appeal}
        onMessage={setAppeal}
        onBack={() => {
          setBanned(null)
          askCode(false)
          onBanned(false)
        }}
      />
    )
  if (asksCode) {
    const { email, password } = getValues()
    return (
      <SecondStep
        logIn={(code) => logIn(email, password, code)}
        onBack={(why) => {
          setFault(why ?? null)
          askCode(false)
        }}
      />
    )
  }
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(submit)(event)} className="flex flex-col gap-4">
      <Field label="Email" help="You can also use your username." error={errors.email?.message} required>
        <TextInput
          {...register('email')}
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has one purpose, and its form is the first thing in it
          autoFocus={state?.email === undefined}
        />
      </Field>
      <Field
        label="Password"
        error={errors.password?.message}
        required
        aside={
          <Link to={paths.resetPassword} className="text-accent hover:underline">
            Forgot Password?
          </Link>
        }
      >
        <PasswordInput
          {...register('password')}
          autoComplete="current-password"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the address is there already, from the sign-up
          autoFocus={state?.email !== undefined}
        />
      </Field>
      <Alert>{fault}</Alert>
      <Button
        type="submit"
        variant="primary"
        busy={isSubmitting}
        busyLabel="Logging in..."
        className="w-full"
      >
        Login
      </Button>
    </form>
  )
}

/** As the answer to a new password tells it. */
type ClearedSetup = { cleared?: string[] | undefined; printed?: boolean | undefined }

/** What a new password has cleared of an account that somebody else may have set up. `printed`: the list was not emailed. */
function ClearedNotice({ cleared, printed }: Required<ClearedSetup> & { cleared: string[] }) {
  return (
    <section aria-labelledby="cleared" className="mb-5 flex flex-col gap-2 rounded-md bg-sunken px-4 py-3">
      <h2 id="cleared" className="font-semibold">
        Your password is set
      </h2>
      <p>
        Nobody had confirmed your email address while signed in, so somebody else may have set up this
        account. To be safe, Howl changed this:
      </p>
      <ul className="list-disc pl-5 wrap-anywhere">
        {cleared.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <p>
        Contacts, emails, templates and invoices are still there. Before you use them, check your signature,
        your links and the bank account on your invoices.
      </p>
      <p className="text-ink-2">
        {printed === true ? '' : 'We’ve also emailed you this list. '}If you set up the account yourself,
        reconnect what you need.
      </p>
    </section>
  )
}
