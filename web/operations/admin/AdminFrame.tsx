import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { LegalNav } from '#web/platform/LegalNav.tsx'
import { SkipLink } from '#web/platform/ui/SkipLink.tsx'
import { WolfMark } from '#web/platform/ui/WolfMark.tsx'
import { Tooltips } from '#web/platform/ui/Tooltips.tsx'

/** The frame of the administrator area: brand, `actions` on the right, and what everybody here is to know. */
export function AdminFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex min-h-14 w-full max-w-300 items-center justify-between gap-3 px-4 md:px-6">
          <Link to={paths.home} className="flex items-center gap-2 rounded-md">
            <WolfMark />
            <span className="font-display text-lg font-semibold tracking-tight">Howl</span>
            <span className="border-l border-line pl-2 text-sm text-ink-2">Administration</span>
          </Link>
          {actions}
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
        <div className="mx-auto flex max-w-300 flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-4 md:px-6">
          <p className="text-sm text-ink-2">Access to this area is logged and monitored.</p>
          <LegalNav />
        </div>
      </footer>
      <Tooltips />
    </div>
  )
}
