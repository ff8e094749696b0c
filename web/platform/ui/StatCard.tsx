import type { ReactNode } from 'react'
import { Skeleton } from './Skeleton.tsx'

type StatCardProps = {
  label: string
  value: ReactNode
  /** A short line below the figure. */
  note?: ReactNode
  icon?: ReactNode
  loading?: boolean
}

/** One headline figure. */
export function StatCard({ label, value, note, icon, loading = false }: StatCardProps) {
  return (
    <dl
      className="flex min-w-0 flex-col gap-1 rounded-lg border border-line bg-surface px-4 py-3.5"
      aria-busy={loading || undefined}
    >
      <dt className="flex items-center justify-between gap-2 text-sm text-ink-2 [&_svg]:size-4">
        {label}
        {icon}
      </dt>
      <dd className="font-display text-xl font-medium tabular-nums">
        {loading ? <Skeleton className="my-1.5 h-6 w-16" /> : value}
      </dd>
      {note ? <dd className="text-sm text-ink-2">{note}</dd> : null}
    </dl>
  )
}
