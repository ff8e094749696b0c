import { Trash2 } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { decimalsOf, money } from '#contract/invoicing/money.ts'
import { type Invoice, invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { CHANGED } from '../list/invoice-acts.ts'
import { shortDay, typedAmount } from '../list/invoice-text.ts'

/** What was paid of an issued invoice. */
export function InvoicePayments({ invoice }: { invoice: Invoice }) {
  const { currency, id, payments } = invoice
  const client = useQueryClient()
  const remove = useCommand(invoices.removePayment, {
    refreshes: CHANGED,
    onError: (error) => toast.error(sentenceOf(error, 'Failed to remove the payment')),
  })
  const again = async (body: { amount: string; paid_on: string; note: string }) => {
    try {
      await call(invoices.addPayment, { params: { id }, body, idempotencyKey: crypto.randomUUID() })
      for (const each of CHANGED) void refresh(client, each)
    } catch (error) {
      toast.error(sentenceOf(error, 'This can no longer be undone.'))
    }
  }
  const take = (payment: Invoice['payments'][number]) => {
    const { amount, paid_on, note } = payment
    const typed = { amount: typedAmount(amount, decimalsOf(currency)), paid_on, note }
    remove.mutate(
      { params: { id, payment_id: payment.id } },
      { onSuccess: () => void toast.success('Payment removed', { undo: () => void again(typed) }) },
    )
  }
  return (
    <Card title="Payments">
      {payments.length === 0 ? (
        <p className="text-ink-2">No payments yet.</p>
      ) : (
        <ul aria-label="Payments" className="-my-1">
          {payments.map((payment) => (
            <li
              key={payment.id}
              className="flex items-start justify-between gap-2 border-b border-line py-2 last:border-0"
            >
              <div className="min-w-0">
                <p className="tabular-nums">
                  <span className="font-medium">{money(payment.amount, currency)}</span>{' '}
                  <span className="text-ink-2">on {shortDay(payment.paid_on)}</span>
                </p>
                {payment.note === '' ? null : (
                  <p className="text-sm wrap-anywhere text-ink-2">{payment.note}</p>
                )}
              </div>
              <IconButton
                size="s"
                danger
                label={`Remove payment of ${money(payment.amount, currency)}`}
                icon={<Trash2 />}
                busy={remove.isPending}
                onClick={() => take(payment)}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
