import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'

/** Asks before a link leads away from what is not saved, and has the browser ask before the tab is closed. */
export function LeaveQuestion({ isUnsaved, onLeave }: { isUnsaved: boolean; onLeave: () => void }) {
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isUnsaved) return undefined
    const here = location.pathname
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    const ask = (event: MouseEvent) => {
      const to = linkOf(event)
      // The address is ahead of the screen: this page has been left already.
      if (to === null || location.pathname !== here) return
      event.preventDefault()
      event.stopPropagation()
      setWanted(to)
      setOpen(true)
    }
    window.addEventListener('beforeunload', warn)
    // Before the router hears of it.
    window.addEventListener('click', ask, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', warn)
      window.removeEventListener('click', ask, { capture: true })
    }
  }, [isUnsaved])
  return (
    <ConfirmDialog
      open={isOpen}
      onClose={() => setOpen(false)}
      title="Leave without saving?"
      action="Leave"
      danger
      busy={false}
      error={null}
      onConfirm={() => {
        setOpen(false)
        onLeave()
        if (wanted !== null) void navigate(wanted)
      }}
    >
      What you have changed here is not saved yet.
    </ConfirmDialog>
  )
}

/** The page of Howl that a click leads to in this tab; null for another click, and for this page. */
function linkOf(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.href === '' || (link.target !== '' && link.target !== '_self')) return null
  const { origin, pathname, search, hash } = new URL(link.href)
  if (origin !== location.origin || pathname === location.pathname) return null
  return pathname + search + hash
}
