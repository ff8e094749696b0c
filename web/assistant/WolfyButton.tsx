import { Suspense, useEffect, useRef, useState } from 'react'
import { onAskWolfy } from '#web/platform/ask-wolfy.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const WidgetHost = lazyPart(() => import('./wolfy.ts'), 'WidgetHost')

// The widget stays open from page to page.
let wasOpen = false

/** Opens Wolfy over any page. All but this button is loaded when it is first pressed. */
export function WolfyButton({ isSignedIn = false }: { isSignedIn?: boolean }) {
  const [isOpen, setOpen] = useState(wasOpen)
  const button = useRef<HTMLButtonElement>(null)
  const show = (open: boolean) => {
    wasOpen = open
    setOpen(open)
    button.current?.focus()
  }
  useEffect(() => {
    onAskWolfy(async (about) => {
      const { beginAbout } = await import('./wolfy.ts')
      beginAbout(about)
      show(true)
    })
  })
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        onClick={() => show(!isOpen)}
        className="flex h-9 items-center gap-2 rounded-md px-2.5 text-ink-2 hover:text-ink pointer-coarse:h-11"
      >
        <svg viewBox="0 0 16 16" aria-hidden className="size-4 max-lg:size-5">
          <path d="M2 3h12v8H7l-4 3v-3H2z" fill="none" stroke="currentColor" />
        </svg>
        <span className="max-lg:sr-only">Ask Wolfy</span>
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <WidgetHost isSignedIn={isSignedIn} onClose={() => show(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
