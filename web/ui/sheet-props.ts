import type { ReactNode } from 'react'

export type SheetProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Where it comes from: below on phones' menus, right for details. */
  side?: 'bottom' | 'right'
}
