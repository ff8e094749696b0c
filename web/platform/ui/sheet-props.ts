import type { ReactNode } from 'react'

export type SheetProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** The side it slides in from: the bottom for menus on phones, the right for details. */
  side?: 'bottom' | 'right'
}
