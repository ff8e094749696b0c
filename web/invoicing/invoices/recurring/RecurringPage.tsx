import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import {
  recurringInvoices,
  type RecurringInvoice,
  type RecurringState,
} from '#contract/invoicing/recurring-invoices.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { useWide } from '#web/crm/contacts/use-wide.ts'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { InvoiceNav } from '../InvoiceNav.tsx'
import type { RecurringActs } from './recurring-acts.ts'
import { RecurringCards } from './RecurringCards.tsx'
import { RecurringTable } from './RecurringTable.tsx'
import { LIST_SIZE } from './recurring-text.ts'

const ChangeDialog = lazy(() =>
  import('./RecurringDialog.tsx').then((part) => ({ default: part.ChangeDialog })),
)

const DONE: Record<RecurringState, string> = {
  active: 'Recurring invoice goes on',
  paused: 'Recurring invoice paused',
  ended: 'Recurring invoice ended',
}

/** Invoices that are made anew every month or year. */
export function RecurringPage() {
  const timeZone = useTimeZone()
  const isWide = useWide()
  const { data, error, isPending, isFetching, refetch } = useEndpoint(recurringInvoices.list, {
    query: { page_size: LIST_SIZE },
  })
  const { acts, dialog } = useActs()
  return (
    <>
      <PageHeader title="Recurring invoices" note={`Days begin in ${timeZone.replaceAll('_', ' ')}`} />
      <InvoiceNav />
      <Card flush>
        {data === undefined && error !== null ? (
          <ErrorState
            message="Failed to load recurring invoices"
            onRetry={() => void refetch()}
            busy={isFetching}
          />
        ) : data?.length === 0 ? (
          <NothingRepeated />
        ) : isWide ? (
          <RecurringTable rows={data ?? []} loading={isPending} acts={acts} />
        ) : (
          <RecurringCards rows={data ?? []} loading={isPending} acts={acts} />
        )}
      </Card>
      {dialog}
    </>
  )
}

function useActs() {
  const [opened, setOpened] = useState<{ row: RecurringInvoice; isOpen: boolean; turn: number } | null>(null)
  const set = useCommand(recurringInvoices.setState, {
    refreshes: [recurringInvoices.list],
    onError: (error) => toast.error(sentenceOf(error, 'Failed to change the recurring invoice')),
  })
  const setState = ({ id, state: before }: RecurringInvoice, state: RecurringState) =>
    set.mutate(
      { params: { id }, body: { state } },
      {
        onSuccess: () =>
          void toast.success(DONE[state], {
            undo: () =>
              set.mutate(
                { params: { id }, body: { state: before } },
                { onSuccess: () => void toast.success(DONE[before]) },
              ),
          }),
      },
    )
  const acts: RecurringActs = {
    change: (row) => setOpened({ row, isOpen: true, turn: (opened?.turn ?? 0) + 1 }),
    setState: (row, state) => {
      if (!set.isPending) setState(row, state)
    },
  }
  const dialog = (
    <Suspense fallback={null}>
      {opened === null ? null : (
        <ChangeDialog
          key={opened.turn}
          open={opened.isOpen}
          onClose={() => setOpened({ ...opened, isOpen: false })}
          row={opened.row}
        />
      )}
    </Suspense>
  )
  return { acts, dialog }
}

function NothingRepeated() {
  return (
    <EmptyState
      title="Nothing is repeated yet"
      action={
        <Link to={paths.invoiceList} className={buttonClass('primary')}>
          All invoices
        </Link>
      }
    >
      Choose Repeat in the menu of an invoice. It is then made anew every month or year: as a draft for you to
      look at, or issued at once. Nothing is sent by email by itself.
    </EmptyState>
  )
}
