import type { ReactNode } from 'react'

export type MenuEntry =
  | {
      kind: 'action'
      label: string
      icon?: ReactNode
      danger?: boolean
      disabled?: boolean
      onSelect: () => void
    }
  | {
      kind: 'choice'
      label: string
      value: string
      options: ReadonlyArray<{ value: string; label: string }>
      onChange: (value: string) => void
    }
  | { kind: 'note'; text: ReactNode }
  | { kind: 'separator' }
