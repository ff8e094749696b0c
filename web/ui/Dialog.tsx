import { lazy, Suspense, useState, type FormEvent, type ReactNode, type RefObject } from 'react'
import { DialogComing } from './DialogComing.tsx'

export type DialogProps = {
  open: boolean
  /** Called by Close, Cancel and Esc; never while busy. */
  onClose: () => void
  /** The dialog's name: the act itself ("Add New Contact"). */
  title: string
  description?: ReactNode
  children?: ReactNode
  /** The buttons, right-aligned, the act last. */
  footer?: ReactNode
  /** Turns the dialog into a form whose submit button stands in the footer; the default is prevented already. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  busy?: boolean
  /** What went wrong, above the footer, announced. */
  error?: string | null | undefined
  /** `page` fills the screen of a phone. */
  size?: 's' | 'm' | 'l' | 'xl' | 'page'
  initialFocus?: RefObject<HTMLElement | null>
  /** False where the work starts in something that takes the focus itself when it has come: no field before it does. */
  startsInField?: boolean
}

const DialogPopup = lazy(() => import('./DialogPopup.tsx').then((m) => ({ default: m.DialogPopup })))

/** A modal dialog. Its machinery is fetched with the first one that opens (see `overlays.ts`). */
export function Dialog(props: DialogProps) {
  const [shown, setShown] = useState<{ open: boolean; opener: Element | null }>({ open: false, opener: null })
  // Noted before the content mounts, which may take the focus at once: whoever had it gets it back at the end.
  if (props.open !== shown.open) {
    setShown({ open: props.open, opener: props.open ? document.activeElement : shown.opener })
  }
  if (!props.open && !shown.opener) return null
  return (
    <Suspense fallback={props.open ? <DialogComing onClose={props.onClose} /> : null}>
      <DialogPopup {...props} opener={shown.opener} />
    </Suspense>
  )
}
