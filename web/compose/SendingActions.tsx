import { useQueryClient } from '@tanstack/react-query'
import { CalendarX2, RotateCw } from 'lucide-react'
import { type Email, emails } from '#contract/emails.ts'
import { sentenceOf } from '#web/api/errors.ts'
import { useCommand } from '#web/api/queries.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { toast } from '#web/ui/toast.ts'
import { refreshMails } from './after-sending.ts'

/** What can be done with a mail that has not left: a scheduled one is taken back, one that was refused tries again. */
export function SendingActions({ mail }: { mail: Email }) {
  if (mail.status === 'scheduled') return <CancelSending mail={mail} />
  const state = mail.delivery?.state
  return state === 'failed' || state === 'deferred' ? <SendAgain mail={mail} /> : null
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
      toast.error(sentenceOf(error, 'The email has left already'))
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
    onSuccess: () => {
      refreshMails(client)
      toast.success('Email sent')
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
