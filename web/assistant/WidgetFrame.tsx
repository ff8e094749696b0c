import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from '#web/platform/ui/IconButton.tsx'

type WidgetFrameProps = {
  title: string
  /** Below the title. */
  about?: ReactNode
  onClose: () => void
  /** Left of Close. */
  actions?: ReactNode
  children: ReactNode
}

/** The panel beside the page that goes on being usable; on phones it covers the page. */
export function WidgetFrame({ title, about = null, onClose, actions, children }: WidgetFrameProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Menus and dialogs that are open over it close first.
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (panel.current?.contains(document.activeElement) === true) onClose()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onClose])
  return createPortal(
    <section
      ref={panel}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the page beside it stays in use, and Base UI's dialogs come before it
      role="dialog"
      data-beside
      aria-label="Wolfy"
      className="fixed inset-0 z-40 flex animate-[rise_160ms_var(--ease-out)] flex-col overflow-hidden bg-paper sm:inset-auto sm:top-16 sm:right-4 sm:bottom-4 sm:w-100 sm:rounded-xl sm:border sm:border-line sm:shadow-float"
    >
      <div className="flex items-center gap-1 border-b border-line bg-surface py-1.5 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          <h2 className="truncate leading-tight font-medium">{title}</h2>
          {about === null ? null : <p className="truncate text-sm text-ink-2">{about}</p>}
        </div>
        {actions}
        <IconButton label="Close" icon={<X />} onClick={onClose} />
      </div>
      {children}
    </section>,
    document.body,
  )
}
