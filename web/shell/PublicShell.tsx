import type { ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { Tooltips } from '#web/platform/ui/Tooltips.tsx'
import { LegalNav } from '../platform/LegalNav.tsx'
import { SkipLink } from '../platform/ui/SkipLink.tsx'
import { WolfMark } from '../platform/ui/WolfMark.tsx'

/** The frame of pages for signed-out visitors: brand, Login, Wolfy's button (`ask`), legal links. */
export function PublicShell({ ask, children }: { ask: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="mx-auto flex h-16 w-full max-w-300 items-center justify-between px-4 md:px-6">
        <Link to={paths.home} className="flex items-center gap-2 rounded-md">
          <WolfMark />
          <span className="font-display text-lg font-semibold tracking-tight">Howl</span>
        </Link>
        <div className="flex items-center">
          {ask}
          <nav aria-label="Main">
            <NavLink to={paths.login} className={cx(buttonClass('plain'), '-mr-3')}>
              Login
            </NavLink>
          </nav>
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-300 flex-1 px-4 pt-6 pb-12 outline-none md:px-6"
      >
        {children}
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto max-w-300 px-4 py-4 md:px-6">
          <LegalNav />
        </div>
      </footer>
      <Tooltips />
    </div>
  )
}
