import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

export type ConfirmDialogProps = {
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
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onClose,
    title,
    children,
    action,
    onConfirm,
    danger = false,
    isWorkedOut = true,
    busy,
    error,
  } = props
  const footer = (
    <>
      <Button onClick={onClose} disabled={busy}>
        Cancel
      </Button>
      <Button variant={danger ? 'danger' : 'primary'} busy={busy || !isWorkedOut} onClick={onConfirm}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      size="s"
      busy={busy}
      error={error}
      footer={footer}
      description={children}
    />
  )
}
