import { type FormEvent, useRef, useState } from 'react'
import { ACCEPTED_BY_MAX, DECLINED_REASON_MAX, invoices } from '#contract/invoicing/saved-invoices.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { CHANGED } from '../list/invoice-acts.ts'
import { documentName } from '../list/invoice-text.ts'
import type { QuoteSubject } from './quote-acts.ts'

type AnswerDialogProps = {
  act: 'accept' | 'decline'
  quote: QuoteSubject
  open: boolean
  onClose: () => void
  onUndo: () => void
}

/** Notes what the customer said to a quote: who accepted it, or why it was declined. */
export function AnswerDialog({ act, quote, open, onClose, onUndo }: AnswerDialogProps) {
  const isAccepted = act === 'accept'
  const word = isAccepted ? 'Mark as accepted' : 'Mark as declined'
  const [typed, setTyped] = useState(isAccepted ? quote.customer : '')
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const result = {
    refreshes: CHANGED,
    onSuccess: () => {
      toast.success(`${documentName(quote)} marked as ${isAccepted ? 'accepted' : 'declined'}`, {
        undo: onUndo,
      })
      onClose()
    },
    onError: () => field.current?.focus(),
  }
  const accept = useCommand(invoices.accept, result)
  const decline = useCommand(invoices.decline, result)
  const { error, isPending } = isAccepted ? accept : decline
  const fault = error?.fields?.[isAccepted ? 'name' : 'reason']
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const params = { id: quote.id }
    if (isAccepted) accept.mutate({ params, body: { name: typed } })
    else decline.mutate({ params, body: { reason: typed.replaceAll(/\s+/g, ' ') } })
  }
  const control = {
    ref: field,
    autoComplete: 'off',
    value: typed,
    onChange: (event: { target: { value: string } }) => setTyped(event.target.value),
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={word}
      size="s"
      description={
        isAccepted
          ? `${documentName(quote)}: for an answer that reached you elsewhere, by phone or mail.`
          : `${documentName(quote)} can be opened again later.`
      }
      busy={isPending}
      error={error === null || fault !== undefined ? null : sentenceOf(error, 'Failed to note the answer')}
      onSubmit={submit}
      initialFocus={field}
      submit={word}
    >
      {isAccepted ? (
        <Field label="Accepted by" required error={fault}>
          <TextInput {...control} maxLength={ACCEPTED_BY_MAX} onFocus={(event) => event.target.select()} />
        </Field>
      ) : (
        <Field label="Reason" error={fault} help="Only you see it.">
          <TextArea {...control} rows={3} maxLength={DECLINED_REASON_MAX} />
        </Field>
      )}
    </Dialog>
  )
}
