import { useState } from 'react'
import { useParams } from 'react-router'
import { emails } from '#contract/mail/emails.ts'
import { isRefusal, sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'

const NOT_VALID = 'This link is not valid. Please use the one in the latest email.'

/**
 * The page behind the link at the foot of a mail: one click removes the address from the sender's list. Needs no
 * session.
 */
export function UnsubscribePage() {
  useDocumentTitle('Unsubscribe')
  return (
    <div className="mx-auto w-full max-w-120 pt-4 sm:pt-12">
      <h1 className="mb-5 font-display text-2xl font-medium">Unsubscribe</h1>
      <Card>
        <Choice token={useParams()['token'] ?? ''} />
      </Card>
    </div>
  )
}

function Choice({ token }: { token: string }) {
  const page = useEndpoint(emails.unsubscribePage, { params: { token } })
  const [fault, setFault] = useState<string | null>(null)
  const { mutate, data, isPending } = useCommand(emails.unsubscribe, {
    onError: (error) => setFault(sentenceOf(error, 'This did not work. Please try again.')),
  })
  if (page.isPending) return <Skeleton className="h-24" />
  if (page.isError) {
    const gone = isRefusal(page.error) && page.error.status === 404
    if (gone) return <p role="alert">{NOT_VALID}</p>
    return <LoadFailed query={page} message={sentenceOf(page.error, 'This page could not be loaded.')} />
  }
  const { address, sender, unsubscribed } = data ?? page.data
  if (unsubscribed) {
    return (
      <output className="block">
        Done: <Name>{sender}</Name> will not write to <Name>{address}</Name> any more.
      </output>
    )
  }
  return (
    <>
      <p>
        Should <Name>{sender}</Name> stop writing to <Name>{address}</Name>?
      </p>
      {fault === null ? null : (
        <div className="mt-3">
          <Alert>{fault}</Alert>
        </div>
      )}
      <Button
        variant="primary"
        className="mt-4"
        busy={isPending}
        onClick={() => {
          setFault(null)
          mutate({ params: { token } })
        }}
      >
        Unsubscribe
      </Button>
    </>
  )
}

function Name({ children }: { children: string }) {
  return <strong className="font-semibold break-words">{children}</strong>
}
