import { Suspense, useEffect, useState } from 'react'
import { isForPage } from '#web/platform/ui/key-press.ts'
import { onShowKeys, showKeys } from '../../platform/show-keys.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const KeysDialog = lazyPart(() => import('./KeysDialog.tsx'), 'KeysDialog')

/** Opens the list of shortcuts over any page, by `?` or `showKeys`. Its code is loaded on first use. */
export function KeysHost() {
  // Null until it is first opened.
  const [open, setOpen] = useState<boolean | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.repeat || !isForPage(event)) return
      event.preventDefault()
      showKeys()
    }
    window.addEventListener('keydown', onKey, { signal: stop.signal })
    const forget = onShowKeys(() => setOpen(true))
    return () => {
      stop.abort()
      forget()
    }
  }, [])
  return (
    <Suspense fallback={null}>
      {open === null ? null : <KeysDialog open={open} onClose={() => setOpen(false)} />}
    </Suspense>
  )
}
