import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
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
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const IssueDialog = lazyPart(() => import('./IssueDialog.tsx'), 'IssueDialog')
const PaymentDialog = lazyPart(() => import('./PaymentDialog.tsx'), 'PaymentDialog')

const RepeatDialog = lazyPart(() => import('../recurring/RecurringDialog.tsx'), 'RepeatDialog')
const SendDialog = lazyPart(() => import('../sending/SendDialog.tsx'), 'SendDialog')

type Opened = { act: 'issue' | 'send' | 'pay' | 'repeat'; row: Subject }

/** What can be done with an invoice, from the list and from its page, with the dialogs that ask. */
export function useInvoiceActs(): { acts: InvoiceActs; dialogs: ReactNode } {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { what: opened, turn, show: open, props } = useOpened<Opened>()
  const show = (act: Opened['act']) => (row: Subject) => open({ act, row })
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
  const dialog = opened && { ...props, invoice: opened.row }
  return {
    acts,
    dialogs: (
      <Suspense fallback={null}>
        {quotes.dialogs}
        {opened === null || dialog === null ? null : opened.act === 'issue' ? (
          <IssueDialog key={turn} {...dialog} onSend={show('send')} />
        ) : opened.act === 'send' ? (
          <SendDialog key={turn} {...dialog} onUndone={() => show('send')(opened.row)} />
        ) : opened.act === 'repeat' ? (
          <RepeatDialog key={turn} {...dialog} />
        ) : (
          <PaymentDialog key={turn} {...dialog} />
        )}
      </Suspense>
    ),
  }
}
