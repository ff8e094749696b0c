import { emailActions } from '#contract/mail/email-actions.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** Reads all accounts now, and tries again whatever was put aside. */
export function TryAgain() {
  const tryAgain = useCommand(emailActions.tryAgain, {
    refreshes: [mailboxes.get, mailboxes.accounts, mailboxes.getAccount],
    onSuccess: () => toast.success('Trying again now'),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to try again')),
  })
  return (
    <Button size="s" busy={tryAgain.isPending} onClick={() => tryAgain.mutate({})}>
      Try again now
    </Button>
  )
}
