import { type MouseEvent, useState } from 'react'
import { toast } from '#web/platform/ui/toast.ts'

/**
 * Whether a dialog shows the first mails of a run, and whether one of them is being edited: what would take away the
 * words that are being written then waits, and the user is told why.
 */
export function useFirstMailsShown() {
  const [isShown, setShown] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const unlessEditing = (act: () => void) => {
    if (isEditing) toast.info('Save or cancel your change to the email first.')
    else act()
  }
  return {
    isShown,
    isEditing,
    show: () => setShown(true),
    setEditing,
    hide: () => {
      setShown(false)
      setEditing(false)
    },
    unlessEditing,
    /** For a link to another page out of the dialog, which `close` closes. */
    leave: (event: MouseEvent, close: () => void) => {
      if (isEditing) event.preventDefault()
      unlessEditing(close)
    },
  }
}
