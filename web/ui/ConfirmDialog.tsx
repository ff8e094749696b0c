import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

export type ConfirmDialogProps = {
  open: boolean
  onClose: () => void
  /** The question with its object: "Delete 3 contacts?" */
  title: string
  /** What will be lost, or what will go out. */
  children?: ReactNode
  /** The act's own word on the button: "Delete", "Send to 200 contacts". */
  act: string
  onConfirm: () => void
  danger?: boolean
  /** What the act will do is still being worked out: there is nothing to agree to yet, and nothing under way. */
  isWorkedOut?: boolean
  // Both must be given: a confirmation that hangs or fails in silence is worse than none.
  busy: boolean
  error: string | null | undefined
}

/** Asks once before an act. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onClose,
    title,
    children,
    act,
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
        {act}
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
