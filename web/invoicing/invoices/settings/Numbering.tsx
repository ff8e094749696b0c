import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { SeriesForm } from './SeriesForm.tsx'

/** How the documents of each kind are numbered. */
export function Numbering() {
  const query = useEndpoint(invoices.series)
  return (
    <Card title="Numbering">
      <Loaded
        query={query}
        failed="Failed to load the numbering"
        waiting={<Skeleton className="h-80 w-full" />}
      >
        {(all) => (
          <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="divide-y divide-line">
              {all.map((series) => (
                <SeriesForm key={series.kind} saved={series} />
              ))}
            </div>
            <WhatItMeans />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

const PARTS = [
  ['{year}', 'The year of the issue date. Each year counts from 1.'],
  ['{month}', 'The month of the issue date. Each month counts from 1.'],
  ['{0001}', 'The counter, with at least as many digits. {1} has no leading zeros.'],
] as const

function WhatItMeans() {
  return (
    <div className="flex flex-col gap-3 text-sm text-ink-2 lg:border-l lg:border-line lg:pl-6">
      <p>A pattern is any text with a counter in it:</p>
      <dl className="grid gap-2">
        {PARTS.map(([part, meaning]) => (
          <div key={part} className="flex items-baseline gap-3">
            <dt className="w-16 shrink-0 font-mono text-ink">{part}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p>A document gets its number when it is issued. Numbers that were given stay as they are.</p>
      <p>A number that is taken already is passed over.</p>
    </div>
  )
}
