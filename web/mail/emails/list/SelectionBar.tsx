import { X } from 'lucide-react'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { ActionButton } from '../actions/ActionButton.tsx'
import { actionsForMany } from '../mail/mail-actions.ts'
import type { MailActionsHandle } from '../actions/use-mail-actions.tsx'
import type { Selection } from '../page/use-selection.ts'

/** The actions for the selected mails, with their progress if there are many. */
export function SelectionBar({ selection, actions }: { selection: Selection; actions: MailActionsHandle }) {
  const { mails } = selection
  const { progress } = actions
  const areStarred = mails.every(({ isStarred }) => isStarred)
  const offered = [...actionsForMany(mails), areStarred ? ('unstar' as const) : ('star' as const)]
  return (
    <div role="toolbar" aria-label="Selected emails" className="flex min-w-0 flex-1 items-center gap-0.5">
      <p aria-live="polite" className="mr-auto truncate pr-1 text-sm font-medium tabular-nums">
        {progress === null
          ? `${mails.length.toLocaleString('en')} selected`
          : `${progress.done.toLocaleString('en')} of ${progress.total.toLocaleString('en')} done`}
      </p>
      <div className="flex overflow-x-auto">
        {offered.map((action) => (
          <ActionButton key={action} action={action} mails={mails} actions={actions} size="s" />
        ))}
      </div>
      <IconButton
        label="Clear selection"
        data-tip="Clear selection (Esc)"
        size="s"
        icon={<X aria-hidden />}
        onClick={selection.clear}
      />
    </div>
  )
}
