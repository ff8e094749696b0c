import { type ReactNode, useState } from 'react'
import { counted } from '#contract/platform/counted.ts'
import { heldMails } from '#contract/mail/held-mail.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { HeldMailDialog } from './HeldMailDialog.tsx'
import { writtenTime } from './held-text.ts'

/**
 * Below the navigation of every page: mail is paused after the account, or the whole Howl, was restored, and how to resume
 * it.
 */
export function MailPause() {
  const { data: pause } = useEndpoint(leaving.mailPause, { staleTime: Infinity })
  const isPaused = pause !== undefined && pause.paused_at !== null
  const { data: held, isError, isFetching, refetch } = useEndpoint(heldMails.list, { enabled: isPaused })
  const timeZone = useTimeZone()
  const [open, setOpen] = useState(false)
  if (!isPaused) return null
  if (held === null) return <AfterAccount waiting={pause.waiting} />
  if (held !== undefined)
    return (
      <Notice
        words={`Howl was restored from a backup of ${writtenTime(held.backup_taken_at, timeZone)}. Nothing is sent or read until you say so.`}
        button={
          <Button size="s" onClick={() => setOpen(true)}>
            See what waits
          </Button>
        }
      >
        <HeldMailDialog held={held} open={open} onClose={() => setOpen(false)} />
      </Notice>
    )
  // Without knowing why it is paused there is nothing to resume: it might send a second time what has left.
  if (!isError) return null
  return (
    <Notice
      words="Nothing is sent or read. What waits could not be loaded."
      button={
        <Button size="s" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      }
    />
  )
}

/** The account was restored; it alone. */
function AfterAccount({ waiting }: { waiting: number }) {
  const resume = useCommand(leaving.resumeMail, {
    refreshes: [leaving.mailPause, mailboxes.get],
    onSuccess: () => toast.success('Your mail is sent and read again'),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to resume mail. Please try again.')),
  })
  const then = waiting === 0 ? '' : ` ${counted(waiting, 'email leaves', 'emails leave')} then.`
  return (
    <Notice
      words={`Your account was restored. Nothing is sent or read until you resume it.${then}`}
      button={
        <Button size="s" busy={resume.isPending} onClick={() => resume.mutate({})}>
          Resume mail
        </Button>
      }
    />
  )
}

function Notice({ words, button, children }: { words: string; button: ReactNode; children?: ReactNode }) {
  return (
    <section aria-label="Mail paused" className="border-t border-line bg-amber-soft">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 text-sm md:px-6">
        <p className="min-w-0 flex-1 basis-60">
          <span className="font-medium">Your mail is paused.</span> {words}
        </p>
        {button}
      </div>
      {children}
    </section>
  )
}
