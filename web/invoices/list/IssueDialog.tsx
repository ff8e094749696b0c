import { money } from '#contract/money.ts'
import { invoices } from '#contract/saved-invoices.ts'
import { type ApiError, sentenceOf } from '#web/api/errors.ts'
import { useCommand, useEndpoint } from '#web/api/queries.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { longName } from './invoice-text.ts'
import { CHANGED, type Subject } from './invoice-acts.ts'

type IssueDialogProps = { open: boolean; onClose: () => void; invoice: Subject }

/** Asks before a draft gets its number and is locked. */
export function IssueDialog({ open, onClose, invoice }: IssueDialogProps) {
  const { id, kind, currency, customer, issue_date: day, sums } = invoice
  const noun = kind === 'invoice' ? 'invoice' : 'credit note'
  const query = { kind, ...(day === '' ? {} : { issue_date: day }) }
  const next = useEndpoint(invoices.nextNumber, { query, staleTime: 0 })
  const issue = useCommand(invoices.issue, {
    refreshes: CHANGED,
    onSuccess: (issued) => {
      toast.success(`${longName(issued)} issued`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Issue this ${noun}?`}
      action="Issue"
      busy={issue.isPending}
      error={issue.error === null ? null : missing(issue.error)}
      onConfirm={() => issue.mutate({ params: { id } })}
    >
      {money(sums.total, currency)}
      {customer === '' ? '' : ` ${kind === 'invoice' ? 'from' : 'to'} ${customer}`}. It gets{' '}
      {next.data === undefined ? 'the next number' : `the number ${next.data.number}`} unless you typed one of
      your own. After that it can no longer be changed
      {kind === 'invoice' ? ', only taken back by a credit note' : ''}.
    </ConfirmDialog>
  )
}

/** Everything that is missing, not only the first of it. */
function missing(error: ApiError): string {
  const all = Object.values(error.fields ?? {})
  return all.length === 0
    ? sentenceOf(error, 'Failed to issue the invoice')
    : `${[...new Set(all)].join('. ')}.`
}
