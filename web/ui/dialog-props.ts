import type { FormEvent, ReactNode, RefObject } from 'react'

export type DialogProps = {
  open: boolean
  /** Called by Close, Cancel and Esc; never while busy. */
  onClose: () => void
  /** The dialog's title: the action ("Add New Contact"). */
  title: string
  description?: ReactNode
  children?: ReactNode
  /** The buttons, right-aligned, the main action last. */
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
