import { ArrowLeft, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { Email, EmailDetail } from '#contract/mail/emails.ts'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { QuickReply } from '#web/mail/compose/QuickReply.tsx'
import { Conversation } from './Conversation.tsx'
import { LoadingMail } from './LoadingMail.tsx'
import type { MailLocation } from '../page/page-location.ts'
import { MailCard } from './MailCard.tsx'
import type { StartWriting } from '#web/mail/compose/writing.ts'
import { useOpenedMail } from './use-opened-mail.ts'

export type ReadingPaneProps = {
  id: number
  location: MailLocation
  now: Date
  /** The toolbar with the mail's actions. */
  renderActions: (mail: Email) => ReactNode
  startWriting: StartWriting
}

/** The open mail: a region named by its subject. */
export function ReadingPane({ id, location, now, renderActions, startWriting }: ReadingPaneProps) {
  const { data, shown, error, isFetching, refetch } = useOpenedMail(id)
  const name = useId()
  const close = () => location.go({ emailId: null }, { replace: true })
  const failure = error?.status === 404 ? 'Email not found' : 'This email could not be loaded'
  return (
    <section
      {...(shown === undefined ? { 'aria-label': 'Email' } : { 'aria-labelledby': name })}
      className="flex min-h-0 min-w-0 flex-col overflow-y-auto border-line bg-surface max-lg:row-span-2 lg:border-l"
    >
      <div className="flex items-start gap-2 px-3 pt-3 lg:px-6 lg:pt-5">
        <IconButton label="Back" icon={<ArrowLeft />} onClick={close} className="lg:hidden" />
        <div className="min-w-0 flex-1 pt-1">
          {shown === undefined ? null : <Subject mail={shown} id={name} />}
        </div>
        <IconButton label="Close" icon={<X />} onClick={close} className="max-lg:hidden" />
      </div>
      {shown === undefined ? null : <div className="px-4 pt-2 lg:px-6">{renderActions(shown)}</div>}
      {shown === undefined ? null : (
        <Conversation opened={shown} now={now}>
          <MailCard mail={shown} whole={data} now={now} />
        </Conversation>
      )}
      {data !== undefined && mayAnswer(data) ? (
        <QuickReply
          key={data.id}
          mail={data}
          onWrite={(draft) => startWriting({ kind: 'draft', mail: draft })}
        />
      ) : null}
      {data !== undefined ? null : error !== null ? (
        <ErrorState
          message={failure}
          busy={isFetching}
          {...(error.status === 404 ? {} : { onRetry: () => void refetch() })}
        />
      ) : (
        <LoadingMail />
      )}
    </section>
  )
}

function Subject({ mail, id }: { mail: Email; id: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // On a phone the list is hidden, so the focus starts here.
  useEffect(() => {
    if (!window.matchMedia('(min-width: 64rem)').matches) heading.current?.focus()
  }, [])
  return (
    <h2 ref={heading} id={id} tabIndex={-1} className="text-lg font-semibold wrap-anywhere outline-none">
      {mail.subject || 'No subject'}
    </h2>
  )
}

/** True if the sender can be answered; notices from mail servers cannot. */
function mayAnswer({ status, from, reply_to: replyTo, kind }: EmailDetail): boolean {
  const hasSender = from !== '' || replyTo !== ''
  return (status === 'received' || status === 'archived') && hasSender && kind !== 'report'
}
