import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { Link, NavLink } from 'react-router'
import { type NavEntry, paths } from '#web/platform/paths.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { Tooltips } from '#web/platform/ui/Tooltips.tsx'
import { BottomBar } from './BottomBar.tsx'
import { KeysHost } from './keys/KeysHost.tsx'
import { LegalNav } from '../platform/LegalNav.tsx'
import { SkipLink } from '../platform/ui/SkipLink.tsx'
import { UserMenu } from './UserMenu.tsx'
import { WolfMark } from '../platform/ui/WolfMark.tsx'

export type AppShellProps = {
  entries: ReadonlyArray<NavEntry>
  /** The work bar: background work, shown on every page below the navigation. */
  work?: ReactNode
  /** Search, left of the user menu. */
  search?: ReactNode
  /** The page fills the window below the navigation and scrolls inside itself (mail, chat). */
  fill?: boolean
  children: ReactNode
}

/** The frame around every signed-in page: top navigation, work bar, main and footer; on phones also a bottom bar. */
export function AppShell({ entries, work, search, fill = false, children }: AppShellProps) {
  const head = useRef<HTMLElement>(null)
  useHeadHeight(head)
  return (
    <div className={cx('flex flex-col', fill ? 'h-dvh' : 'min-h-dvh')}>
      <SkipLink />
      <header ref={head} className="sticky top-0 z-30 shrink-0 border-b border-line bg-surface">
        <div className="mx-auto flex h-14 items-center gap-3 px-4 md:px-6">
          <Link to={paths.dashboard} className="mr-2 flex items-center gap-2 rounded-md lg:mr-4">
            <WolfMark />
            <span className="font-display text-lg font-semibold tracking-tight md:max-lg:sr-only">Howl</span>
          </Link>
          <nav aria-label="Main" className="hidden items-center gap-0.5 md:flex">
            {entries.map((entry) => (
              <NavLink key={entry.path} to={entry.path} className={topLinkClass}>
                {entry.label}
              </NavLink>
            ))}
          </nav>
          <div className="ml-auto flex items-center gap-2">
            {search}
            <UserMenu />
          </div>
        </div>
        {work}
      </header>
      <main
        id="main"
        tabIndex={-1}
        data-fill={fill || undefined}
        className={cx(
          'flex-1 outline-none',
          fill ? 'min-h-0' : 'mx-auto w-full max-w-300 px-4 pt-6 pb-10 md:px-6',
        )}
      >
        {children}
      </main>
      <footer
        className={cx(
          'shrink-0 pb-[calc(3.75rem+env(safe-area-inset-bottom))] md:pb-0 keyboard-open:pb-0',
          !fill && 'border-t border-line',
        )}
      >
        <div
          className={cx(
            'px-4 md:px-6',
            fill ? 'border-t border-line py-1 max-md:hidden' : 'mx-auto max-w-300 py-1 md:py-4',
          )}
        >
          <LegalNav />
        </div>
      </footer>
      <BottomBar entries={entries} />
      <KeysHost />
      <Tooltips />
    </div>
  )
}

const topLinkClass =
  'rounded-md px-2.5 py-1.5 font-medium text-ink-2 transition-colors hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink'

/**
 * Sets `--head-height` to the height of the page's sticky header, for elements that stick below it. The work bar makes
 * the header taller, and its text may wrap.
 */
function useHeadHeight(head: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = head
    if (current === null) return undefined
    const root = document.documentElement.style
    const tell = () => root.setProperty('--head-height', `${current.offsetHeight}px`)
    const observer = new ResizeObserver(tell)
    observer.observe(current)
    tell()
    return () => {
      observer.disconnect()
      root.removeProperty('--head-height')
    }
  }, [head])
}
