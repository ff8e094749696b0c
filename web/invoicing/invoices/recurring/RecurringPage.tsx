import { Suspense } from 'react'
import { Link } from 'react-router'
import {
  recurringInvoices,
  type RecurringInvoice,
  type RecurringState,
} from '#contract/invoicing/recurring-invoices.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { InvoiceNav } from '../InvoiceNav.tsx'
import type { RecurringActs } from './recurring-acts.ts'
import { RecurringList } from './RecurringList.tsx'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const ChangeDialog = lazyPart(() => import('./RecurringDialog.tsx'), 'ChangeDialog')

const DONE: Record<RecurringState, string> = {
  active: 'Recurring invoice goes on',
  paused: 'Recurring invoice paused',
  ended: 'Recurring invoice ended',
}

/** Invoices that are made anew every month or year. */
export function RecurringPage() {
  const timeZone = useTimeZone()
  const { acts, dialog } = useActs()
  return (
    <>
      <PageHeader title="Recurring invoices" note={`Days begin in ${timeZone.replaceAll('_', ' ')}`} />
      <InvoiceNav />
      <Card flush>
        <RecurringList acts={acts} empty={<NothingRepeated />} />
      </Card>
      {dialog}
    </>
  )
}

function useActs() {
  const { what: opened, turn, show, props } = useOpened<RecurringInvoice>()
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
    change: show,
    setState: (row, state) => {
      if (!set.isPending) setState(row, state)
    },
  }
  const dialog = (
    <Suspense fallback={null}>
      {opened === null ? null : <ChangeDialog key={turn} {...props} row={opened} />}
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
