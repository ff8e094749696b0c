import type { ReactNode } from 'react'
import { useDocumentTitle } from './document-title.ts'

type PageHeaderProps = {
  /** The page's h1, and the title of the tab. */
  title: string
  /** A line below, e.g. the time zone in use. */
  note?: ReactNode
  /** The page's actions on the right, the primary one last. */
  actions?: ReactNode
}

export function PageHeader({ title, note, actions }: PageHeaderProps) {
  useDocumentTitle(title)
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-5">
      <div className="min-w-0 grow basis-60">
        <h1 className="font-display text-xl font-medium tracking-tight">{title}</h1>
        {note ? <div className="text-ink-2">{note}</div> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </header>
  )
}
