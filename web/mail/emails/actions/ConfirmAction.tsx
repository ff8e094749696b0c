import { useRef } from 'react'
import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email } from '#contract/mail/emails.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { countOf, subjectOf } from './action-messages.ts'
import { ACTION_NAMES } from '../mail/mail-actions.ts'

type ConfirmActionProps = {
  open: boolean
  onClose: () => void
  action: MailAction
  mails: readonly Email[]
  onConfirm: () => void
}

/** Asks before an action. Enter confirms what can be undone; a deletion needs the button. */
export function ConfirmAction({ open, onClose, action, mails, onConfirm }: ConfirmActionProps) {
  const yes = useRef<HTMLButtonElement>(null)
  const no = useRef<HTMLButtonElement>(null)
  const { title, text } = question(action, mails)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={text}
      size="s"
      initialFocus={action === 'delete' ? no : yes}
      footer={
        <>
          <Button ref={no} onClick={onClose}>
            Cancel
          </Button>
          <Button ref={yes} variant={action === 'delete' ? 'danger' : 'primary'} onClick={onConfirm}>
            {ACTION_NAMES[action]}
          </Button>
        </>
      }
    />
  )
}

/** The question for an action that needs confirmation. */
function question(action: MailAction, mails: readonly Email[]): { title: string; text: string } {
  const [one] = mails
  const what = mails.length > 1 || one === undefined ? countOf(mails) : `“${subjectOf(one)}”`
  const many = mails.length > 1
  if (action === 'trash')
    return {
      title: `Move ${what} to trash?`,
      text: many ? 'You can restore them from Trash.' : 'You can restore it from Trash.',
    }
  if (action === 'restore')
    return {
      title: `Restore ${what}?`,
      text: many ? 'They go back to where they were.' : 'It goes back to where it was.',
    }
  return { title: `Delete ${what} permanently?`, text: 'This cannot be undone.' }
}
