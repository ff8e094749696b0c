import type { ReactNode } from 'react'
import { health } from '#contract/platform/health.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'

/** The database is asked again this often while somebody looks. */
const ASK_EVERY_MS = 30_000

/**
 * Whether the database answers, and two counts of this Howl. It is asked by the public call, which answers while the database
 * does not.
 */
export function SystemHealth(props: { feedback: number | undefined; administrators: number | undefined }) {
  const { data, error } = useEndpoint(health.base, { refetchInterval: ASK_EVERY_MS, staleTime: 0 })
  return (
    <Card title="System health">
      <dl className="-my-2 divide-y divide-line">
        <Line label="Database status">
          {error !== null ? (
            <span className="flex flex-col items-end gap-1 text-right">
              <Badge tone="red">Not healthy</Badge>
              <span role="alert" className="text-sm text-danger">
                {sentenceOf(error, 'Howl cannot be reached.')}
              </span>
            </span>
          ) : data === undefined ? (
            <Skeleton className="h-4 w-16" />
          ) : (
            <Badge tone="green">Healthy</Badge>
          )}
        </Line>
        <Line label="Total feedback">
          <Figure value={props.feedback} />
        </Line>
        <Line label="Admin users">
          <Figure value={props.administrators} />
        </Line>
      </dl>
    </Card>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-start justify-between gap-4 py-2.5">
      <dt>{label}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}

function Figure({ value }: { value: number | undefined }) {
  return value === undefined ? <Skeleton className="h-4 w-10" /> : value.toLocaleString('en')
}
