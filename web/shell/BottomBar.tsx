import { Menu, UserRound } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import { legalLinks, paths, type NavEntry } from '#web/platform/paths.ts'
import { loadSheet, Sheet } from '#web/platform/ui/Sheet.tsx'
import { navIcons } from './nav-icons.tsx'

/** How many entries the bar itself has; the others are in the sheet. */
const IN_BAR = 5

/** The phone's navigation: the five most used entries in reach of the thumb, the others behind "More". */
export function BottomBar({ entries }: { entries: ReadonlyArray<NavEntry> }) {
  const [more, setMore] = useState(false)
  const ranked = entries.toSorted((a, b) => a.rank - b.rank)
  const close = () => setMore(false)
  return (
    <>
      <nav
        aria-label="Main"
        className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden keyboard-open:hidden"
      >
        {ranked.slice(0, IN_BAR).map((entry) => (
          <NavLink key={entry.path} to={entry.path} className={tabClass}>
            {navIcons[entry.icon]}
            {entry.label}
          </NavLink>
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setMore(true)}
          onPointerEnter={loadSheet}
          onFocus={loadSheet}
          className={tabClass}
        >
          <Menu aria-hidden />
          More
        </button>
      </nav>
      <Sheet open={more} onClose={close} title="More">
        <ul>
          {ranked.slice(IN_BAR).map((entry) => (
            <SheetLink key={entry.path} to={entry.path} icon={navIcons[entry.icon]} onClick={close}>
              {entry.label}
            </SheetLink>
          ))}
          <SheetLink to={paths.profile} icon={<UserRound aria-hidden />} onClick={close}>
            Profile & Settings
          </SheetLink>
        </ul>
        <ul className="mt-2 flex gap-5 border-t border-line pt-2">
          {legalLinks.map(({ label, path }) => (
            <li key={path}>
              <Link to={path} onClick={close} className="flex min-h-11 items-center text-ink-2">
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </Sheet>
    </>
  )
}

function SheetLink(props: { to: string; icon: ReactNode; onClick: () => void; children: ReactNode }) {
  return (
    <li>
      <Link
        to={props.to}
        onClick={props.onClick}
        className="flex min-h-12 items-center gap-3 text-md [&_svg]:size-5 [&_svg]:text-ink-2"
      >
        {props.icon}
        {props.children}
      </Link>
    </li>
  )
}

const tabClass =
  'flex h-15 min-w-0 flex-1 flex-col items-center justify-center gap-1 text-[0.6875rem] text-ink-2 aria-[current=page]:font-medium ' +
  'aria-[current=page]:text-accent focus-visible:-outline-offset-2 [&_svg]:size-5'
