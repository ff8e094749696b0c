import { Save } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { WrittenKind } from '#contract/invoicing/invoice-kinds.ts'
import type { InvoiceDraft } from '#contract/invoicing/invoices.ts'
import { type Invoice, invoices } from '#contract/invoicing/saved-invoices.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { invoicePath } from './list/invoice-text.ts'
import type { SavedDraft } from './saved-draft.ts'

type SaveInvoiceProps = {
  kind: WrittenKind
  draft: InvoiceDraft
  saved: SavedDraft | null
  onSaved: () => void
}

/** Keeps what was written as a draft on the server, and opens it there. */
export function SaveInvoice({ kind, draft, saved, onSaved }: SaveInvoiceProps) {
  const navigate = useNavigate()
  // The same invoice saved twice by a double click is one draft.
  const [key] = useState(() => crypto.randomUUID())
  const result = {
    refreshes: [invoices.list, invoices.totals, invoices.get],
    onSuccess: () => {
      // It has a place of its own now: the form is free for the next one.
      if (saved === null) onSaved()
      toast.success('Draft saved')
    },
    onError: (error: ApiError) => void toast.error(sentenceOf(error, `Failed to save the ${kind}`)),
  }
  const add = useCommand(invoices.add, result)
  const update = useCommand(invoices.update, result)
  // Only while this page is open: who has gone elsewhere stays there.
  const opens = { onSuccess: ({ id }: Invoice) => void navigate(invoicePath(id)) }
  const save = () => {
    if (saved === null) add.mutate({ body: { ...draft, kind }, idempotencyKey: key }, opens)
    else update.mutate({ params: { id: saved.id }, body: { ...draft, version: saved.version } }, opens)
  }
  return (
    <Button
      icon={<Save aria-hidden className="size-4" />}
      busy={add.isPending || update.isPending}
      onClick={save}
    >
      Save draft
    </Button>
  )
}
