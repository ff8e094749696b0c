import { aiUsage, type AiUsage as Usage } from '#contract/models/ai-usage.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { StatCard } from '#web/platform/ui/StatCard.tsx'
import { type Column, Table } from '#web/platform/ui/Table.tsx'
import { DailyLimit } from './DailyLimit.tsx'
import { costText, countText, limitText, purposeText, requestsText } from './usage-text.ts'

/** What language models were asked today and this month, what that is thought to cost, and the user's own limit. */
export function AiUsage() {
  const query = useEndpoint(aiUsage.get)
  return (
    <Card title="AI Usage">
      <Loaded query={query} failed="Failed to load your AI usage" waiting={<Waiting />}>
        {(usage) => <Figures usage={usage} />}
      </Loaded>
    </Card>
  )
}

function Waiting() {
  return (
    <div className="flex flex-col gap-4" aria-busy="true">
      <div className="grid gap-3 sm:grid-cols-3">
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-24 w-full" />
      </div>
      <Skeleton className="h-32 w-full" />
    </div>
  )
}

function Figures({ usage }: { usage: Usage }) {
  const { left, today, month, model, purposes } = usage
  const isUnused = purposes.length === 0
  if (model.name === null && isUnused)
    return (
      <p className="max-w-160 text-ink-2">
        No AI model is set up. Wolfy answers by rules, and texts come from templates, which costs nothing.
      </p>
    )
  return (
    <div className="flex flex-col gap-5">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 [&>:first-child]:col-span-2 sm:[&>:first-child]:col-span-1">
        <StatCard
          label="Left today"
          value={left === null ? 'Any number' : countText(left)}
          note={limitText(usage)}
        />
        <StatCard
          label="Requests today"
          value={countText(today.requests)}
          note={`Estimated cost: ${costText(today)}`}
        />
        <StatCard
          label="Requests this month"
          value={countText(month.requests)}
          note={`Estimated cost: ${costText(month)}`}
        />
      </div>
      {isUnused ? (
        <p className="text-ink-2">
          Nothing yet this month. Questions to Wolfy, replies that he writes and bulk runs are counted here.
        </p>
      ) : (
        <Purposes usage={usage} />
      )}
      <DailyLimit saved={usage.cap} />
    </div>
  )
}

const COLUMNS: Record<string, Column<Usage['purposes'][number]>> = {
  purpose: { title: 'For', render: (row) => purposeText(row.purpose) },
  today: { title: 'Today', align: 'right', render: (row) => countText(row.today.requests) },
  month: { title: 'This month', align: 'right', render: (row) => countText(row.month.requests) },
  tokens: {
    title: 'Tokens',
    align: 'right',
    className: 'hidden sm:table-cell',
    render: (row) => countText(row.month.input_tokens + row.month.output_tokens),
  },
  cost: { title: 'Cost', align: 'right', render: (row) => costText(row.month) },
}

function Purposes({ usage }: { usage: Usage }) {
  const { month, purposes } = usage
  return (
    <div className="flex flex-col gap-2">
      <div className="-mx-4 border-y border-line">
        <Table
          label="AI requests by purpose"
          columns={COLUMNS}
          rows={purposes}
          keyOf={({ purpose }) => purpose}
        />
      </div>
      <p className="max-w-160 text-sm text-ink-2">
        Tokens and cost are of this month. The cost is an estimate in US dollars, by the prices that this
        server was given.
        {month.cost_is_partial ? ' For some of it no price is known.' : ''}
        {month.failed > 0
          ? ` ${requestsText(month.failed)} failed this month: that costs no AI request, but may cost tokens.`
          : ''}
      </p>
    </div>
  )
}
