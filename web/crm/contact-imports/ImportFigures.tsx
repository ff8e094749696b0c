import { cx } from '#web/platform/ui/cx.ts'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'

type ImportFiguresProps = {
  /** Labels with their counts; null while they are unknown. */
  figures: Record<string, number> | null
  /** The counts belong to an earlier choice and are about to change. */
  faint?: boolean
}

/** The counts of what an import will do or has done. */
export function ImportFigures({ figures, faint = false }: ImportFiguresProps) {
  const shown: [string, number | null][] =
    figures === null ? ['New', 'Update', 'Skip'].map((word) => [word, null]) : Object.entries(figures)
  return (
    <dl className="grid grid-cols-3 gap-2" aria-busy={faint || undefined}>
      {shown.map(([word, count]) => (
        <div key={word} className="flex flex-col-reverse rounded-lg bg-sunken px-3 py-2">
          <dt className="text-sm text-ink-2">{word}</dt>
          <dd className={cx('text-lg font-semibold tabular-nums', faint && 'opacity-50')}>
            {count === null ? <Skeleton className="my-1.5 h-4 w-12 bg-line" /> : count.toLocaleString('en')}
          </dd>
        </div>
      ))}
    </dl>
  )
}
