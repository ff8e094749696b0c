import { Feather } from 'lucide-react'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** Offers the practice mailbox: first, and large, to whoever has no account yet; else in one line. */
export function PracticeCard({ first }: { first: boolean }) {
  const begin = useCommand(mailboxSetup.practice, {
    refreshes: [mailboxes.get, mailboxes.accounts],
    onSuccess: () => toast.success('The practice mailbox is ready'),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to open the practice mailbox')),
  })
  const button = (
    <Button
      variant={first ? 'primary' : 'quiet'}
      busy={begin.isPending}
      onClick={() => begin.mutate({})}
      className="self-start sm:self-center"
    >
      Use the practice mailbox
    </Button>
  )
  if (!first) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <p className="max-w-prose text-ink-2">
          Want to try something without writing to real people? In the practice mailbox, invented people
          answer.
        </p>
        {button}
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-3 rounded-lg bg-accent-soft p-4 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
      <div className="flex gap-3">
        <Feather aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
        <div>
          <h3 className="font-semibold">No account at hand?</h3>
          <p className="max-w-prose text-ink-2">
            Your emails are really sent, but only inside Howl. Invented people answer within a minute, so you
            can see everything work before you connect your own account.
          </p>
        </div>
      </div>
      {button}
    </div>
  )
}
