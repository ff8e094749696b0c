import { lazy, Suspense, useState, type ReactNode } from 'react'

export type SheetProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Where it comes from: below on phones' menus, right for details. */
  side?: 'bottom' | 'right'
}

const SheetPopup = lazy(() => import('./SheetPopup.tsx').then((m) => ({ default: m.SheetPopup })))

/** A panel that slides in over the page; pressing beside it closes it too. */
export function Sheet(props: SheetProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <SheetPopup {...props} />
    </Suspense>
  )
}
