import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { paths } from '#web/platform/paths.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { CHANGED, type InvoiceActs, type Subject } from './invoice-acts.ts'
import { invoicePath } from './invoice-text.ts'
import { useQuoteActs } from '../quotes/use-quote-acts.tsx'

const IssueDialog = lazy(() => import('./IssueDialog.tsx').then((part) => ({ default: part.IssueDialog })))
const PaymentDialog = lazy(() =>
  import('./PaymentDialog.tsx').then((part) => ({ default: part.PaymentDialog })),
)

const RepeatDialog = lazy(() =>
  import('../recurring/RecurringDialog.tsx').then((part) => ({ default: part.RepeatDialog })),
)
const SendDialog = lazy(() =>
  import('../sending/SendDialog.tsx').then((part) => ({ default: part.SendDialog })),
)

type Opened = { act: 'issue' | 'send' | 'pay' | 'repeat'; row: Subject; isOpen: boolean; turn: number }

/** What can be done with an invoice, from the list and from its page, with the dialogs that ask. */
export function useInvoiceActs(): { acts: InvoiceActs; dialogs: ReactNode } {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened | null>(null)
  const show = (act: Opened['act']) => (row: Subject) =>
    setOpened({ act, row, isOpen: true, turn: (opened?.turn ?? 0) + 1 })
  const restore = async (id: number) => {
    try {
      await call(invoices.restore, { params: { id } })
      toast.success('Draft restored')
      for (const each of CHANGED) void refresh(client, each)
    } catch (error) {
      toast.error(sentenceOf(error, 'This can no longer be undone.'))
    }
  }
  const remove = useCommand(invoices.remove, {
    refreshes: [invoices.list, invoices.totals],
    onSuccess: (_, { params }) => {
      const id = Number(params?.['id'])
      toast.success('Draft deleted', { undo: () => void restore(id) })
      if (location.pathname === invoicePath(id)) void navigate(paths.invoiceList)
    },
    onError: (error) => toast.error(sentenceOf(error, 'Failed to delete the draft')),
  })
  const duplicate = useCommand(invoices.duplicate, {
    refreshes: CHANGED,
    onSuccess: ({ id }) => {
      toast.success('Duplicated as a new draft')
      void navigate(invoicePath(id))
    },
    onError: (error) => toast.error(sentenceOf(error, 'Failed to duplicate it')),
  })
  const credit = useCommand(invoices.credit, {
    refreshes: CHANGED,
    onSuccess: ({ id }) => void navigate(invoicePath(id)),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to make the credit note')),
  })
  const quotes = useQuoteActs()
  const acts: InvoiceActs = {
    ...quotes.acts,
    issue: show('issue'),
    send: show('send'),
    pay: show('pay'),
    repeat: show('repeat'),
    remove: ({ id }) => !remove.isPending && remove.mutate({ params: { id } }),
    duplicate: ({ id }) =>
      !duplicate.isPending && duplicate.mutate({ params: { id }, idempotencyKey: crypto.randomUUID() }),
    credit: ({ id }) => !credit.isPending && credit.mutate({ params: { id } }),
  }
  const dialog = opened && {
    open: opened.isOpen,
    onClose: () => setOpened({ ...opened, isOpen: false }),
    invoice: opened.row,
  }
  return {
    acts,
    dialogs: (
      <Suspense fallback={null}>
        {quotes.dialogs}
        {opened === null || dialog === null ? null : opened.act === 'issue' ? (
          <IssueDialog key={opened.turn} {...dialog} onSend={show('send')} />
        ) : opened.act === 'send' ? (
          <SendDialog key={opened.turn} {...dialog} onUndone={() => show('send')(opened.row)} />
        ) : opened.act === 'repeat' ? (
          <RepeatDialog key={opened.turn} {...dialog} />
        ) : (
          <PaymentDialog key={opened.turn} {...dialog} />
        )}
      </Suspense>
    ),
  }
}
