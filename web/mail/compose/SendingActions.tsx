import { useQueryClient } from '@tanstack/react-query'
import { CalendarX2, PenLine, RotateCw } from 'lucide-react'
import { type Email, emails } from '#contract/mail/emails.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { refreshMails, sayHowSent } from './after-sending.ts'
import type { StartWriting } from './writing.ts'

type SendingActionsProps = { mail: Email; startWriting: StartWriting }

/** The actions for a mail that was not sent: cancel a scheduled one; resend or edit a refused one. */
export function SendingActions({ mail, startWriting }: SendingActionsProps) {
  if (mail.status === 'scheduled') return <CancelSending mail={mail} />
  const state = mail.delivery?.state
  if (state !== 'failed' && state !== 'deferred') return null
  return (
    <>
      <SendAgain mail={mail} />
      <EditUnsent mail={mail} startWriting={startWriting} />
    </>
  )
}

/** Turns a mail that its server never accepted back into a draft and opens it. */
function EditUnsent({ mail, startWriting }: SendingActionsProps) {
  const client = useQueryClient()
  const takeBack = useCommand(emails.cancel, {
    onSuccess: (draft) => {
      refreshMails(client)
      startWriting({ kind: 'draft', mail: draft })
    },
    onError: (error) => {
      refreshMails(client)
      toast.error(sentenceOf(error, 'The email has already been sent'))
    },
  })
  return (
    <IconButton
      label="Edit"
      icon={<PenLine aria-hidden />}
      busy={takeBack.isPending}
      onClick={() => takeBack.mutate({ params: { id: mail.id } })}
    />
  )
}

function CancelSending({ mail }: { mail: Email }) {
  const client = useQueryClient()
  const cancel = useCommand(emails.cancel, {
    onSuccess: () => {
      refreshMails(client)
      toast.success('Sending cancelled. The email is in Drafts.')
    },
    onError: (error) => {
      refreshMails(client)
      toast.error(sentenceOf(error, 'The email has already been sent'))
    },
  })
  return (
    <IconButton
      label="Cancel sending"
      icon={<CalendarX2 aria-hidden />}
      busy={cancel.isPending}
      onClick={() => cancel.mutate({ params: { id: mail.id } })}
    />
  )
}

function SendAgain({ mail }: { mail: Email }) {
  const client = useQueryClient()
  const again = useCommand(emails.resend, {
    onSuccess: (sent) => {
      refreshMails(client)
      sayHowSent(sent, 'Email sent')
    },
    onError: (error) => {
      refreshMails(client)
      toast.error(sentenceOf(error, 'Failed to send email'))
    },
  })
  return (
    <IconButton
      label="Send again"
      icon={<RotateCw aria-hidden />}
      busy={again.isPending}
      onClick={() => again.mutate({ params: { id: mail.id } })}
    />
  )
}
