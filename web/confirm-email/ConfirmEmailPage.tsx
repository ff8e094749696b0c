import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { auth } from '#contract/auth.ts'
import { emailConfirmation } from '#contract/email-confirmation.ts'
import { referrals } from '#contract/referrals.ts'
import { isRefusal, sentenceOf } from '#web/api/errors.ts'
import { refresh, useCommand } from '#web/api/queries.ts'
import { useSession } from '#web/auth/session.tsx'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card } from '#web/ui/Card.tsx'
import { useDocumentTitle } from '#web/ui/document-title.ts'
import { ErrorState } from '#web/ui/ErrorState.tsx'

const NOT_WHOLE = 'This link is not whole. Please open the one in the email again.'

/**
 * Where the link of the confirmation mail leads. Only its button confirms: mail scanners open links, and so do people who never
 * signed up.
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
  const { mutate, data, error, isPending } = useCommand(emailConfirmation.confirm, {
    onSuccess: () => {
      for (const stale of [auth.me, referrals.balance]) void refresh(client, stale)
    },
  })
  const onward =
    state === 'signed-in' ? <Way to={paths.dashboard}>Dashboard</Way> : <Way to={paths.login}>Login</Way>
  if (data !== undefined) {
    return (
      <>
        <output className="block">
          Thank you. <strong className="font-semibold break-words">{data.email}</strong> is confirmed.
        </output>
        {onward}
      </>
    )
  }
  if (token === '' || isRefusal(error)) {
    return (
      <>
        <p role="alert">{token === '' ? NOT_WHOLE : sentenceOf(error, NOT_WHOLE)}</p>
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
    return <ErrorState message={message} busy={isPending} onRetry={() => mutate({ body: { token } })} />
  }
  return <Question busy={isPending} onConfirm={() => mutate({ body: { token } })} />
}

function Question({ busy, onConfirm }: { busy: boolean; onConfirm: () => void }) {
  return (
    <>
      <p>Did you sign up for Howl? Then confirm that the email address this link was sent to is yours.</p>
      <Button variant="primary" className="mt-4" busy={busy} busyLabel="Confirming…" onClick={onConfirm}>
        Confirm my address
      </Button>
      <p className="mt-6 border-t border-line pt-4 text-ink-2">
        Didn’t sign up? Then close this page: you don’t need to do anything. To take over the account that
        somebody opened with your address,{' '}
        <Link to={paths.resetPassword} className="text-accent underline">
          set a new password
        </Link>
        . That signs them out and disconnects everything they set up.
      </p>
    </>
  )
}

function Way({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={`${buttonClass('primary')} mt-4`}>
      {children}
    </Link>
  )
}
