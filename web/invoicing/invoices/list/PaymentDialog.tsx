import { type FormEvent, useRef, useState } from 'react'
import { decimalsOf, money } from '#contract/invoicing/money.ts'
import { invoices, PAYMENT_NOTE_MAX } from '#contract/invoicing/saved-invoices.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { documentName, typedAmount } from './invoice-text.ts'
import { CHANGED, type Subject } from './invoice-acts.ts'
import { useToday } from './use-today.ts'

type PaymentDialogProps = { open: boolean; onClose: () => void; invoice: Subject }

/** Records a payment: by default all that is left, received today. */
export function PaymentDialog({ open, onClose, invoice }: PaymentDialogProps) {
  const { id, currency, sums } = invoice
  const client = useQueryClient()
  const today = useToday()
  // One payment, however often its button is pressed.
  const [key] = useState(() => crypto.randomUUID())
  const [typed, setTyped] = useState({
    amount: typedAmount(sums.due, decimalsOf(currency)),
    paid_on: today,
    note: '',
  })
  const amount = useRef<HTMLInputElement>(null)
  const undo = async (payment: number) => {
    try {
      await call(invoices.removePayment, { params: { id, payment_id: payment } })
      toast.success('Payment removed')
      for (const each of CHANGED) void refresh(client, each)
    } catch (error) {
      toast.error(sentenceOf(error, 'This can no longer be undone.'))
    }
  }
  const pay = useCommand(invoices.addPayment, {
    refreshes: CHANGED,
    onSuccess: ({ payments }) => {
      // Numbers only grow: the newest is the one that was just recorded.
      const newest = Math.max(...payments.map((payment) => payment.id))
      toast.success('Payment recorded', { undo: () => void undo(newest) })
      onClose()
    },
    onError: () => amount.current?.focus(),
  })
  const { error } = pay
  const faults = error?.fields ?? {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // What was changed after a refusal is another payment.
    pay.mutate({ params: { id }, body: typed, idempotencyKey: `${key}-${typed.amount}-${typed.paid_on}` })
  }
  const set = (name: keyof typeof typed) => (event: { target: { value: string } }) =>
    setTyped({ ...typed, [name]: event.target.value })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Record payment"
      size="s"
      description={`${documentName(invoice)}: ${money(sums.due, currency)} is left to pay.`}
      busy={pay.isPending}
      error={
        error === null || Object.keys(faults).length > 0
          ? null
          : sentenceOf(error, 'Failed to record the payment')
      }
      onSubmit={submit}
      initialFocus={amount}
      submit="Record payment"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={`Amount (${currency})`} required error={faults['amount']}>
          <TextInput
            ref={amount}
            inputMode="decimal"
            autoComplete="off"
            maxLength={30}
            value={typed.amount}
            onChange={set('amount')}
            className="text-right tabular-nums"
          />
        </Field>
        <Field label="Date" required error={faults['paid_on']}>
          <TextInput type="date" max={today} value={typed.paid_on} onChange={set('paid_on')} />
        </Field>
        <Field label="Note" error={faults['note']} className="sm:col-span-2">
          <TextInput maxLength={PAYMENT_NOTE_MAX} value={typed.note} onChange={set('note')} />
        </Field>
      </div>
    </Dialog>
  )
}
