import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { mailboxOauth } from '#contract/mail/mailbox-oauth.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** Where a provider sends the browser back to after its owner has consented, or has not. */
export function ConnectMailboxPage() {
  useDocumentTitle('Connect your mailbox')
  return (
    <div className="mx-auto w-full max-w-120 pt-4 sm:pt-12">
      <h1 className="mb-5 font-display text-2xl font-medium">Connect your mailbox</h1>
      <Card>
        <Outcome />
      </Card>
    </div>
  )
}

function Outcome() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  // The code goes out of the address at once: it must not stay in the browser's history.
  const [answer] = useState(() => answerOf(query))
  const isSent = useRef(false)
  const { mutate, error } = useCommand(mailboxOauth.finish, {
    refreshes: [mailboxes.get, mailboxes.accounts, mailboxes.getAccount],
    onSuccess: ({ address, provider }) => {
      toast.success(`${address} is connected with ${provider}`)
      void navigate(paths.profile, { replace: true })
    },
  })
  useEffect(() => {
    if (answer === null || isSent.current) return
    isSent.current = true
    void navigate(paths.connectMailbox, { replace: true })
    mutate({ body: answer })
  }, [answer, mutate, navigate])

  if (answer === null)
    return (
      <Ended>
        Nothing is being connected here. Begin in Profile & Settings, with the button for your provider.
      </Ended>
    )
  if (error !== null)
    return <Ended>{sentenceOf(error, 'The mailbox could not be connected. Please try again.')}</Ended>
  return (
    <div aria-busy="true">
      <output className="block">Connecting your mailbox…</output>
      <Skeleton className="mt-3 h-4 w-2/3" />
    </div>
  )
}

function Ended({ children }: { children: ReactNode }) {
  return (
    <>
      <p role="alert" className="wrap-anywhere">
        {children}
      </p>
      <Link to={paths.profile} className={`${buttonClass('primary')} mt-4`}>
        Open Profile & Settings
      </Link>
    </>
  )
}

/** What the provider put into the address; null where it sent nobody here. */
function answerOf(query: URLSearchParams) {
  const state = query.get('state')
  if (state === null || state === '') return null
  const given = (name: 'code' | 'iss' | 'error' | 'error_description') => {
    const value = query.get(name)
    return value === null ? {} : { [name]: value }
  }
  return { state, ...given('code'), ...given('iss'), ...given('error'), ...given('error_description') }
}
