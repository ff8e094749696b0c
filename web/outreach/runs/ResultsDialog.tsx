import { useState } from 'react'
import type { Batch } from '#contract/outreach/runs.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Pagination } from '#web/platform/ui/Pagination.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { type Column, Table } from '#web/platform/ui/Table.tsx'
import { aboutOf, endingOf, progressOf } from './run-text.ts'
import { PAGE_SIZE, type Result, type ResultStatus, useResults } from './use-results.ts'

const STATUS: Record<Result['status'], { word: string; tone: BadgeTone }> = {
  sent: { word: 'Sent', tone: 'green' },
  warning: { word: 'Sent, template', tone: 'amber' },
  error: { word: 'Failed', tone: 'red' },
  skipped: { word: 'Skipped', tone: 'gray' },
  pending: { word: 'Waiting', tone: 'moon' },
}

const COLUMNS: Record<string, Column<Result>> = {
  contact: {
    title: 'Contact',
    className: 'sm:w-2/5',
    render: ({ name, email, reason }) => (
      <>
        <div className="font-medium wrap-anywhere">{name || email}</div>
        {name ? <div className="text-sm wrap-anywhere text-ink-2">{email}</div> : null}
        {/* For narrow screens, which have no room for this column. */}
        {reason === null ? null : <div className="text-sm text-ink-2 sm:hidden">{reason}</div>}
      </>
    ),
  },
  status: {
    title: 'Result',
    className: 'w-34',
    cellClass: 'align-top! sm:align-middle!',
    render: ({ status }) => <Badge tone={STATUS[status].tone}>{STATUS[status].word}</Badge>,
  },
  reason: {
    title: 'Reason',
    className: 'max-sm:hidden',
    cellClass: 'text-ink-2 wrap-anywhere',
    render: ({ reason }) => reason,
  },
}

/** The result for every contact of a run, with the reason. */
export function ResultsDialog({ run, open, onClose }: { run: Batch; open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Results of the run"
      size="xl"
      description={
        <>
          {aboutOf(run) === null ? null : <p className="wrap-anywhere text-ink">{aboutOf(run)}</p>}
          <p>{run.done ? endingOf(run) : progressOf(run)}</p>
        </>
      }
    >
      <Results run={run} />
    </Dialog>
  )
}

function Results({ run }: { run: Batch }) {
  const [status, setStatus] = useState<ResultStatus>('all')
  const [page, setPage] = useState(1)
  const results = useResults(run, status, page)
  const { rows, total, searched, error } = results
  const choose = (next: string) => {
    setStatus(next as ResultStatus)
    setPage(1)
  }
  return (
    <div className="flex flex-col gap-3">
      <Field label="Status" hideLabel className="w-52">
        <Select value={status} onChange={(event) => choose(event.target.value)} options={choicesOf(run)} />
      </Field>
      {error !== null && rows === undefined ? (
        <LoadFailed query={results} message="Failed to load the results." />
      ) : rows?.length === 0 ? (
        <EmptyState title="No contacts with this result" className="min-h-60 rounded-md border border-line" />
      ) : (
        <section
          aria-label="Results, scrolling"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
          tabIndex={0}
          className="max-h-[min(28rem,50dvh)] min-h-60 overflow-y-auto rounded-md border border-line"
        >
          <Table label="Results" columns={COLUMNS} rows={rows} keyOf={({ contact_id: id }) => id} />
        </section>
      )}
      {searched === null ? null : (
        <p className="text-sm text-ink-2">
          Filtered from the first {searched.toLocaleString('en')} contacts of the run.
        </p>
      )}
      <Pagination page={page} pageSize={PAGE_SIZE} total={total} noun="contacts" onPage={setPage} />
    </div>
  )
}

/** The statuses that occur, each with its count. */
function choicesOf({ summary }: Batch) {
  const counts: Record<Result['status'], number> = {
    sent: summary.sent - summary.warnings,
    warning: summary.warnings,
    error: summary.errors,
    skipped: summary.skipped,
    pending: summary.pending,
  }
  const statuses = Object.keys(STATUS) as Result['status'][]
  return [
    { value: 'all', label: `All (${summary.total.toLocaleString('en')})` },
    ...statuses
      .filter((status) => counts[status] > 0)
      .map((status) => ({
        value: status,
        label: `${STATUS[status].word} (${counts[status].toLocaleString('en')})`,
      })),
  ]
}
