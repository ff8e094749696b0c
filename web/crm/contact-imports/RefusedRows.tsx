import type { ImportResult } from '#contract/crm/contacts.ts'
import { type Column, Table } from '#web/platform/ui/Table.tsx'

const COLUMNS: Record<string, Column<ImportResult['refused'][number]>> = {
  line: {
    title: 'Line',
    align: 'right',
    className: 'w-14',
    cellClass: 'text-ink-2',
    render: ({ line }) => line,
  },
  email: { title: 'Email', className: 'w-2/5', cellClass: 'wrap-anywhere', render: ({ email }) => email },
  reason: { title: 'Reason', cellClass: 'text-ink-2', render: ({ reason }) => reason },
}

/** The first rows that cannot be imported, each with its reason; `total` counts all of them. */
export function RefusedRows({ rows, total }: { rows: ImportResult['refused']; total: number }) {
  return (
    <>
      <section
        aria-label="Refused rows, scrolling"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
        tabIndex={0}
        className="max-h-60 overflow-auto rounded-lg border border-line"
      >
        <Table label="Refused rows" columns={COLUMNS} rows={rows} keyOf={({ line }) => line} />
      </section>
      {total > rows.length ? (
        <p className="mt-2 text-sm text-ink-2">
          These are the first {rows.length.toLocaleString('en')} of {total.toLocaleString('en')} refused rows.
        </p>
      ) : null}
    </>
  )
}
