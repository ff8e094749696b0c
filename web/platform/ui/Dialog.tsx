import { Suspense, useState } from 'react'
import { DialogComing } from './DialogComing.tsx'
import type { DialogProps } from './dialog-props.ts'
import { lazyPart } from './lazy-part.ts'

const DialogPopup = lazyPart(() => import('./DialogPopup.tsx'), 'DialogPopup')

/** A modal dialog. Its code is loaded when the first one opens (see `overlays.ts`). */
export function Dialog(props: DialogProps) {
  const [shown, setShown] = useState<{ open: boolean; opener: Element | null }>({ open: false, opener: null })
  // Stored before the content mounts and perhaps takes the focus: this element gets the focus back at the end.
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
