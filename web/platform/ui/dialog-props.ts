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
  /** The label of the submit button, which ends the footer together with Cancel. */
  submit?: string
  submitDisabled?: boolean
  /** The submit button deletes something. */
  danger?: boolean
  /** Makes the dialog a form with its submit button in the footer; the default action is already prevented. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  busy?: boolean
  /** An error message, announced and shown above the footer. */
  error?: string | null | undefined
  /** `page` fills the screen of a phone. */
  size?: 's' | 'm' | 'l' | 'xl' | 'page'
  initialFocus?: RefObject<HTMLElement | null>
  /** False if the content focuses itself once it has loaded: then no field gets the focus before it does. */
  startsInField?: boolean
}
