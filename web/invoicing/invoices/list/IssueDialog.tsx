import { useState } from 'react'
import { KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { money } from '#contract/invoicing/money.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { longName } from './invoice-text.ts'
import { CHANGED, type Subject } from './invoice-acts.ts'

type IssueDialogProps = {
  open: boolean
  onClose: () => void
  invoice: Subject
  /** Opens the mail with what was issued. */
  onSend: (issued: Subject) => void
}

/** Asks before a draft gets its number and is locked; it may be sent in the same breath. */
export function IssueDialog({ open, onClose, invoice, onSend }: IssueDialogProps) {
  const { id, kind, currency, customer, issue_date: day, sums } = invoice
  const noun = KIND_WORDS[kind].name.toLowerCase()
  const query = { kind, ...(day === '' ? {} : { issue_date: day }) }
  const next = useEndpoint(invoices.nextNumber, { query, staleTime: 0 })
  const [willSend, setWillSend] = useState(false)
  const issue = useCommand(invoices.issue, {
    refreshes: CHANGED,
    onSuccess: (issued) => {
      toast.success(`${longName(issued)} issued`)
      if (willSend) onSend(issued)
      else onClose()
    },
  })
  const run = (andSend: boolean) => {
    if (issue.isPending) return
    setWillSend(andSend)
    issue.mutate({ params: { id } })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Issue this ${noun}?`}
      size="s"
      busy={issue.isPending}
      error={issue.error === null ? null : missing(issue.error)}
      footer={
        <>
          <Button onClick={onClose} disabled={issue.isPending}>
            Cancel
          </Button>
          <Button busy={issue.isPending && willSend} disabled={issue.isPending} onClick={() => run(true)}>
            Issue and send
          </Button>
          <Button
            variant="primary"
            busy={issue.isPending && !willSend}
            disabled={issue.isPending}
            onClick={() => run(false)}
          >
            Issue
          </Button>
        </>
      }
      description={
        <>
          {money(sums.total, currency)}
          {customer === '' ? '' : ` ${kind === 'invoice' ? 'from' : 'to'} ${customer}`}. It gets{' '}
          {next.data === undefined ? 'the next number' : `the number ${next.data.number}`} unless you typed
          one of your own. After that it can no longer be changed
          {kind === 'invoice' ? ', only taken back by a credit note' : ''}.
        </>
      }
    />
  )
}

/** Everything that is missing, not only the first of it. */
function missing(error: ApiError): string {
  const all = Object.values(error.fields ?? {})
  return all.length === 0 ? sentenceOf(error, 'Failed to issue it') : `${[...new Set(all)].join('. ')}.`
}
