import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'

type ConfirmDialogProps = {
  open: boolean
  onClose: () => void
  /** The question with its object: "Delete 3 contacts?" */
  title: string
  /** What will be lost or sent. */
  children?: ReactNode
  /** The label of the button: "Delete", "Send to 200 contacts". */
  action: string
  onConfirm: () => void
  danger?: boolean
  /** The effect is still being computed: there is nothing to confirm yet, and nothing is running. */
  isWorkedOut?: boolean
  // Both are required: a confirmation that hangs or fails silently is worse than none.
  busy: boolean
  error: string | null | undefined
}

/** Asks for confirmation before an action. */
export function ConfirmDialog({
  action,
  onConfirm,
  isWorkedOut = true,
  children,
  ...rest
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...rest}
      size="s"
      description={children}
      submit={action}
      submitDisabled={!isWorkedOut}
      onSubmit={onConfirm}
    />
  )
}
