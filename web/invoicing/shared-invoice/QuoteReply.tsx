import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { ACCEPTED_BY_MAX, DECLINED_REASON_MAX } from '#contract/invoicing/saved-invoices.ts'
import { type SharedInvoice, sharedInvoices } from '#contract/invoicing/shared-invoices.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { canAnswer } from './quote-state.ts'

const FAILED = 'Your answer could not be sent. Please try again.'

/** Where the customer answers a quote; once it is answered, that it has arrived. */
export function QuoteReply({ token, quote }: { token: string; quote: SharedInvoice }) {
  const client = useQueryClient()
  const [isDeclining, setDeclining] = useState(false)
  const [hasAnswered, setAnswered] = useState(false)
  const result = {
    refreshes: [sharedInvoices.show],
    onSuccess: () => setAnswered(true),
    onError: (error: ApiError) => {
      // Somebody else has answered meanwhile, or its last day has passed.
      if (error.status === 409) void refresh(client, sharedInvoices.show)
    },
  }
  const accept = useCommand(sharedInvoices.accept, result)
  const decline = useCommand(sharedInvoices.decline, result)
  if (!canAnswer(quote))
    return hasAnswered ? (
      <output className="block text-ink-2">
        Your answer has arrived. {quote.seller.name} can see it now.
      </output>
    ) : null
  return (
    <Card title={isDeclining ? 'Decline this quote' : 'Accept this quote'}>
      {isDeclining ? (
        <DeclineForm
          error={decline.error}
          busy={decline.isPending}
          onDecline={(reason) => decline.mutate({ params: { token }, body: { reason } })}
          onBack={() => setDeclining(false)}
        />
      ) : (
        <AcceptForm
          error={accept.error}
          busy={accept.isPending}
          onAccept={(name) => accept.mutate({ params: { token }, body: { name } })}
          onDecline={() => setDeclining(true)}
        />
      )}
    </Card>
  )
}

type FormProps = { error: ApiError | null; busy: boolean }

function AcceptForm({
  error,
  busy,
  onAccept,
  onDecline,
}: FormProps & { onAccept: (name: string) => void; onDecline: () => void }) {
  const [name, setName] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [isMissing, setMissing] = useState(false)
  const fault = isMissing ? 'Please enter your name' : error?.fields?.['name']
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim() === '') field.current?.focus()
    else onAccept(name)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Your name"
        required
        error={fault}
        help="It stands for your signature."
        className="max-w-100"
      >
        <TextInput
          ref={field}
          autoComplete="name"
          maxLength={ACCEPTED_BY_MAX}
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setMissing(false)
          }}
        />
      </Field>
      <Refused error={error} isBeside={fault !== undefined} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" type="submit" busy={busy}>
          Accept quote
        </Button>
        <Button onClick={onDecline} disabled={busy}>
          Decline
        </Button>
      </div>
    </form>
  )
}

function DeclineForm({
  error,
  busy,
  onDecline,
  onBack,
}: FormProps & { onDecline: (reason: string) => void; onBack: () => void }) {
  const [reason, setReason] = useState('')
  const fault = error?.fields?.['reason']
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onDecline(reason.replaceAll(/\s+/g, ' '))
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Reason"
        error={fault}
        help="You need not give one. Only the sender of the quote sees it."
        className="max-w-140"
      >
        <TextArea
          rows={3}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that opened it has gone
          autoFocus
          maxLength={DECLINED_REASON_MAX}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <Refused error={error} isBeside={fault !== undefined} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" type="submit" busy={busy}>
          Decline quote
        </Button>
        <Button onClick={onBack} disabled={busy}>
          Back
        </Button>
      </div>
    </form>
  )
}

function Refused({ error, isBeside }: { error: ApiError | null; isBeside: boolean }) {
  return <Alert>{error === null || isBeside ? null : sentenceOf(error, FAILED)}</Alert>
}
