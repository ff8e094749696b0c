import { emailActions } from '#contract/email-actions.ts'
import { mailboxes } from '#contract/mailboxes.ts'
import { sentenceOf } from '#web/api/errors.ts'
import { useCommand } from '#web/api/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'

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
