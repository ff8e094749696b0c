import { Suspense, useState } from 'react'
import { DialogComing } from './DialogComing.tsx'
import { lazyPart } from './lazy-part.ts'
import type { SheetProps } from './SheetPopup.tsx'

const load = () => import('./SheetPopup.tsx')
const SheetPopup = lazyPart(load, 'SheetPopup')

/** Loads the code of sheets, to be called before one is likely to open. */
export const loadSheet = () => void load().catch(() => undefined)

/** A panel that slides in over the page from below; a press outside also closes it. */
export function Sheet(props: SheetProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense fallback={props.open ? <DialogComing onClose={props.onClose} /> : null}>
      <SheetPopup {...props} />
    </Suspense>
  )
}
