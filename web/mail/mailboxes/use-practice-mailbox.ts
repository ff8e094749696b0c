import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'

/** Connects the practice mailbox, which needs no provider, with one click. */
export function usePracticeMailbox(onReady?: () => void) {
  const begin = useCommand(mailboxSetup.practice, {
    refreshes: [mailboxes.get, emails.health, outreach.estimate],
    onSuccess: () => {
      toast.success('The practice mailbox is ready')
      onReady?.()
    },
    onError: (error) => toast.error(sentenceOf(error, 'Failed to open the practice mailbox')),
  })
  return { begin: () => begin.mutate({}), busy: begin.isPending }
}
