import { useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { auth } from '#contract/accounts/auth.ts'
import { emailConfirmation } from '#contract/accounts/email-confirmation.ts'
import { referrals } from '#contract/operations/referrals.ts'
import { isRefusal, sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'

const INCOMPLETE = 'This link is incomplete. Please open the one in the email again.'

/**
 * Where the link of the confirmation mail leads. It confirms at once only where its own user is signed in: mail scanners open
 * links too, and people who never signed up.
 */
export function ConfirmEmailPage() {
  useDocumentTitle('Confirm your email address')
  const [query] = useSearchParams()
  return (
    <div className="mx-auto w-full max-w-120 pt-4 sm:pt-12">
      <h1 className="mb-5 font-display text-2xl font-medium">Confirm your email address</h1>
      <Card>
        <Confirmation token={query.get('token') ?? ''} />
      </Card>
    </div>
  )
}

function Confirmation({ token }: { token: string }) {
  const client = useQueryClient()
  const { state } = useSession()
  const { pathname, search } = useLocation()
  const { mutate, data, error, isPending } = useCommand(emailConfirmation.confirm, {
    onSuccess: () => {
      for (const stale of [auth.me, referrals.balance]) void refresh(client, stale)
    },
  })
  useEffect(() => {
    if (token !== '' && state === 'signed-in') mutate({ body: { token, only_own: true } })
  }, [token, state, mutate])
  const confirm = () => mutate({ body: { token } })
  if (data !== undefined) {
    return (
      <>
        <output className="block">
          Thank you. <strong className="font-semibold break-words">{data.email}</strong> is confirmed.
        </output>
        {state === 'signed-in' ? (
          <Way to={paths.dashboard}>Dashboard</Way>
        ) : (
          // Back here after the log-in, which shows that the account is theirs, too.
          <Way to={paths.login} from={pathname + search}>
            Login
          </Way>
        )}
      </>
    )
  }
  if (state === 'signed-in' && error?.status === 403)
    return <OthersLink message={error.message} busy={isPending} onConfirm={confirm} />
  if (token === '' || isRefusal(error)) {
    return (
      <>
        <p role="alert">{token === '' ? INCOMPLETE : sentenceOf(error, INCOMPLETE)}</p>
        {state === 'signed-in' ? (
          <Way to={`${paths.pricing}?tab=invite`}>Ask for another link</Way>
        ) : (
          <p className="mt-3 text-ink-2">
            After the log-in you find a new link on{' '}
            <Link
              to={paths.login}
              state={{ from: `${paths.pricing}?tab=invite` }}
              className="text-accent underline"
            >
              Pricing
            </Link>
            .
          </p>
        )}
      </>
    )
  }
  if (error !== null) {
    const message = sentenceOf(error, 'Your address could not be confirmed. Please try again.')
    return <ErrorState message={message} busy={isPending} onRetry={confirm} />
  }
  if (state === 'signed-in') return <output className="block">Confirming…</output>
  return <Question busy={isPending} onConfirm={confirm} />
}

type Asked = { busy: boolean; onConfirm: () => void }

function Question({ busy, onConfirm }: Asked) {
  const { pathname, search } = useLocation()
  return (
    <>
      <p>
        Did you sign up for Howl? Then confirm that this email address is yours. Logging in shows that the
        account is yours, too.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Link to={paths.login} state={{ from: pathname + search }} className={buttonClass('primary')}>
          Log in and confirm
        </Link>
        <Button busy={busy} busyLabel="Confirming…" onClick={onConfirm}>
          Confirm without logging in
        </Button>
      </div>
      <NotSignedUp />
    </>
  )
}

/** The link is of another account than the one that this browser is signed in to. */
function OthersLink({ message, busy, onConfirm }: Asked & { message: string }) {
  return (
    <>
      <p role="alert">{message}</p>
      <p className="mt-3">Did you open that account, too? Then confirm that its email address is yours.</p>
      <Button className="mt-4" busy={busy} busyLabel="Confirming…" onClick={onConfirm}>
        Confirm the address
      </Button>
      <NotSignedUp />
    </>
  )
}

function NotSignedUp() {
  return (
    <p className="mt-6 border-t border-line pt-4 text-ink-2">
      Didn’t sign up? Then close this page: you don’t need to do anything. To take over the account that
      somebody opened with your address,{' '}
      <Link to={paths.resetPassword} className="text-accent underline">
        set a new password
      </Link>
      . That signs them out and disconnects everything they set up.
    </p>
  )
}

function Way({ to, from, children }: { to: string; from?: string; children: ReactNode }) {
  return (
    <Link to={to} state={from === undefined ? null : { from }} className={`${buttonClass('primary')} mt-4`}>
      {children}
    </Link>
  )
}
