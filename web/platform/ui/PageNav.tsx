import { Link } from 'react-router'

type PageNavProps = {
  label: string
  pages: readonly { label: string; to: string }[]
  isHere: (to: string) => boolean
}

/** Leads between the pages of one part of the app, like tabs with addresses of their own. */
export function PageNav({ label, pages, isHere }: PageNavProps) {
  return (
    <nav
      aria-label={label}
      className="mb-5 flex gap-6 overflow-x-auto overflow-y-hidden shadow-[inset_0_-1px_var(--line)] max-sm:gap-4"
    >
      {pages.map((page) => (
        <Link
          key={page.to}
          to={page.to}
          aria-current={isHere(page.to) ? 'page' : undefined}
          className="inline-flex min-h-11 shrink-0 items-center whitespace-nowrap max-sm:text-sm border-b-2 border-transparent font-medium text-ink-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {page.label}
        </Link>
      ))}
    </nav>
  )
}
