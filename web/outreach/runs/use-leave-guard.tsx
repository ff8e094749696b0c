import { type ReactNode, use, useEffect, useRef, useState } from 'react'
import { UNSAFE_NavigationContext as NavigationContext } from 'react-router'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'

type To = string | { pathname?: string }

/**
 * Asks before a page with unsaved changes is left: by a link, a command, Back, a reload or closing the tab.
 *
 * Render `dialog`; call `allow` right before the page itself goes elsewhere after saving, which replaces the page's entry
 * in the history.
 */
export function useLeaveGuard(isDirty: boolean): { dialog: ReactNode; allow: () => void } {
  // The router asks nobody before it goes. All links and commands go through this one object.
  const { navigator } = use(NavigationContext)
  const allowed = useRef(false)
  const [wanted, setWanted] = useState<(() => void) | null>(null)
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    if (!isDirty) return undefined
    allowed.current = false
    const ask = (go: () => void) => {
      setWanted(() => go)
      setOpen(true)
    }
    const release = [
      guardCommands(navigator, () => allowed.current, ask),
      guardBack(() => allowed.current, ask),
      guardTab(() => allowed.current),
    ]
    return () => {
      for (const each of release) each()
    }
  }, [isDirty, navigator])

  const allow = () => {
    allowed.current = true
  }
  const dialog = (
    <ConfirmDialog
      open={isOpen}
      onClose={() => setOpen(false)}
      title="Leave without saving?"
      action="Leave without saving"
      danger
      busy={false}
      error={null}
      onConfirm={() => {
        allow()
        setOpen(false)
        wanted?.()
      }}
    >
      What you changed here is lost.
    </ConfirmDialog>
  )
  return { dialog, allow }
}

type Ask = (go: () => void) => void
type Commands = { push: (to: To, ...rest: never[]) => void; replace: (to: To, ...rest: never[]) => void }

/** Links and commands. Changes of the query of this page are no leaving. */
function guardCommands(navigator: object, isAllowed: () => boolean, ask: Ask): () => void {
  const commands = navigator as Commands
  const { push, replace } = commands
  const guarded =
    (go: Commands['push']): Commands['push'] =>
    (to, ...rest) => {
      if (isAllowed() || pathOf(to) === window.location.pathname) go(to, ...rest)
      // In place of the entry that guards Back.
      else ask(() => replace(to, ...rest))
    }
  Object.assign(commands, { push: guarded(push), replace: guarded(replace) })
  return () => void Object.assign(commands, { push, replace })
}

const pathOf = (to: To): string =>
  typeof to === 'string'
    ? new URL(to, window.location.href).pathname
    : (to.pathname ?? window.location.pathname)

type Entry = { idx?: number; isGuard?: boolean } | null
const entry = (): Entry => window.history.state as Entry

/**
 * Back: the router hears of it first and would show the other page at once. So a second entry of the same page is put on
 * top; whoever goes back comes from there to the page itself, and is asked.
 */
function guardBack(isAllowed: () => boolean, ask: Ask): () => void {
  const now = entry()
  if (now?.isGuard !== true) window.history.pushState({ ...now, idx: (now?.idx ?? 0) + 1, isGuard: true }, '')
  const onPop = () => {
    if (isAllowed() || entry()?.isGuard === true) return
    window.history.go(1)
    ask(() => window.history.go(-2))
  }
  window.addEventListener('popstate', onPop)
  return () => window.removeEventListener('popstate', onPop)
}

function guardTab(isAllowed: () => boolean): () => void {
  const onUnload = (event: BeforeUnloadEvent) => {
    if (!isAllowed()) event.preventDefault()
  }
  window.addEventListener('beforeunload', onUnload)
  return () => window.removeEventListener('beforeunload', onUnload)
}
