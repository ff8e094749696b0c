import type { ReactNode } from 'react'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { AdminFrame } from '../AdminFrame.tsx'

/** A narrow page with one form. */
export function LogInCard(props: { title: string; lead: ReactNode; below?: ReactNode; children: ReactNode }) {
  const { title, lead, below, children } = props
  useDocumentTitle(title)
  return (
    <AdminFrame>
      <div className="mx-auto w-full max-w-100 pt-4 sm:pt-12">
        <h1 className="font-display text-2xl font-medium">{title}</h1>
        <p className="mt-1 mb-5 text-ink-2">{lead}</p>
        <Card>{children}</Card>
        {below === undefined ? null : (
          <div className="mt-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">{below}</div>
        )}
      </div>
    </AdminFrame>
  )
}
