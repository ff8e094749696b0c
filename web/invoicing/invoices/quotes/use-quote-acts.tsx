import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { CHANGED } from '../list/invoice-acts.ts'
import { invoicePath } from '../list/invoice-text.ts'
import type { QuoteActs, QuoteSubject } from './quote-acts.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const AnswerDialog = lazyPart(() => import('./AnswerDialog.tsx'), 'AnswerDialog')

type Opened = { act: 'accept' | 'decline'; quote: QuoteSubject }

/** What can be done with a quote, with the dialogs that ask. */
export function useQuoteActs(): { acts: QuoteActs; dialogs: ReactNode } {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { what: opened, turn, show: open, props } = useOpened<Opened>()
  const show = (act: Opened['act']) => (quote: QuoteSubject) => open({ act, quote })
  const takeBack = async (id: number) => {
    try {
      await call(invoices.takeAnswerBack, { params: { id } })
      toast.success('The quote is open again')
      for (const each of CHANGED) void refresh(client, each)
    } catch (error) {
      toast.error(sentenceOf(error, 'Failed to open the quote again'))
    }
  }
  const make = useCommand(invoices.makeInvoice, {
    refreshes: CHANGED,
    onSuccess: ({ id }) => void navigate(invoicePath(id)),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to make the invoice')),
  })
  const acts: QuoteActs = {
    accept: show('accept'),
    decline: show('decline'),
    openAgain: ({ id }) => void takeBack(id),
    makeInvoice: ({ id }) => !make.isPending && make.mutate({ params: { id } }),
  }
  return {
    acts,
    dialogs: (
      <Suspense fallback={null}>
        {opened === null ? null : (
          <AnswerDialog key={turn} {...opened} {...props} onUndo={() => void takeBack(opened.quote.id)} />
        )}
      </Suspense>
    ),
  }
}
