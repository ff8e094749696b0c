import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { emailActions } from '#contract/mail/email-actions.ts'
import { emailReading } from '#contract/mail/email-reading.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'

const ALREADY_EMPTY = 'Trash is already empty'

type TrashBannerProps = {
  /** The mails in the trash of all accounts. */
  count: number | undefined
  /** True while only one of several accounts is shown; emptying still clears the trash of all. */
  isOfOne: boolean
}

/** The banner above the trash, with the button that empties it. */
export function TrashBanner({ count, isOfOne }: TrashBannerProps) {
  const [asking, setAsking] = useState(false)
  const empty = useCommand(emailActions.emptyTrash, {
    refreshes: [emailReading.list, emailReading.counts],
    onSuccess: () => {
      setAsking(false)
      toast.success('Trash emptied')
    },
    onError: (error) => {
      if (error.detail !== ALREADY_EMPTY) return
      setAsking(false)
      toast.info(ALREADY_EMPTY)
    },
  })
  const ask = () => {
    empty.reset()
    if (count === 0) toast.info(ALREADY_EMPTY)
    else setAsking(true)
  }
  return (
    <div className="flex items-center justify-between gap-3 border-b border-line bg-sunken px-4 py-1.5 text-sm">
      <p>Emails here can be restored until you empty the trash.</p>
      <Button size="s" icon={<Trash2 aria-hidden className="size-3.5" />} onClick={ask}>
        Empty Trash
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Empty Trash?"
        action="Empty Trash"
        danger
        busy={empty.isPending}
        error={empty.error === null ? null : sentenceOf(empty.error, 'Failed to empty the trash')}
        onConfirm={() => empty.mutate({})}
      >
        {count === undefined || count === 1
          ? 'Everything in it will be deleted permanently.'
          : `All ${count.toLocaleString('en')} emails in it will be deleted permanently.`}{' '}
        {isOfOne ? 'This is the trash of all your mailboxes. ' : ''}
        This cannot be undone.
      </ConfirmDialog>
    </div>
  )
}
