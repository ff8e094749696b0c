import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { CHANGED } from '../list/invoice-acts.ts'
import { invoicePath } from '../list/invoice-text.ts'
import type { QuoteActs, QuoteSubject } from './quote-acts.ts'

const AnswerDialog = lazy(() => import('./AnswerDialog.tsx').then((part) => ({ default: part.AnswerDialog })))

type Opened = { act: 'accept' | 'decline'; quote: QuoteSubject; isOpen: boolean; turn: number }

/** What can be done with a quote, with the dialogs that ask. */
export function useQuoteActs(): { acts: QuoteActs; dialogs: ReactNode } {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened | null>(null)
  const show = (act: Opened['act']) => (quote: QuoteSubject) =>
    setOpened({ act, quote, isOpen: true, turn: (opened?.turn ?? 0) + 1 })
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
          <AnswerDialog
            key={opened.turn}
            act={opened.act}
            quote={opened.quote}
            open={opened.isOpen}
            onClose={() => setOpened({ ...opened, isOpen: false })}
            onUndo={() => void takeBack(opened.quote.id)}
          />
        )}
      </Suspense>
    ),
  }
}
