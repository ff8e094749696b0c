import { Save } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { InvoiceDraft } from '#contract/invoices.ts'
import { invoices } from '#contract/saved-invoices.ts'
import { sentenceOf } from '#web/api/errors.ts'
import { useCommand } from '#web/api/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'
import { invoicePath } from './list/invoice-text.ts'

/** Keeps what was written as a draft on the server, and opens it there. */
export function SaveInvoice({ draft }: { draft: InvoiceDraft }) {
  const navigate = useNavigate()
  // The same invoice saved twice by a double click is one draft.
  const [key] = useState(() => crypto.randomUUID())
  const save = useCommand(invoices.add, {
    refreshes: [invoices.list, invoices.totals],
    onSuccess: ({ id }) => {
      toast.success('Draft saved')
      void navigate(invoicePath(id))
    },
    onError: (error) => toast.error(sentenceOf(error, 'Failed to save the invoice')),
  })
  return (
    <Button
      icon={<Save aria-hidden className="size-4" />}
      busy={save.isPending}
      onClick={() => save.mutate({ body: draft, idempotencyKey: key })}
    >
      Save draft
    </Button>
  )
}
