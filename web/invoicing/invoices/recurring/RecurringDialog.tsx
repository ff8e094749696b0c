import { type FormEvent, useRef, useState } from 'react'
import {
  type Every,
  type Makes,
  recurringInvoices,
  type RecurringInvoice,
  TIMES_MAX,
} from '#contract/invoicing/recurring-invoices.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { changedFields } from '#web/platform/api/changed-fields.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Segmented } from '#web/platform/ui/Segmented.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { customerText, shortDay } from '../list/invoice-text.ts'
import type { Subject } from '../list/invoice-acts.ts'
import { useToday } from '../list/use-today.ts'
import { nextDays, proposedDay } from './next-days.ts'

const SHOWN_DAYS = 3

/** What can be chosen. A day is null as long as the proposal holds. */
type Choice = {
  every: Every
  makes: Makes
  day: string | null
  end: 'never' | 'day' | 'times'
  endsOn: string
  times: string
  content: 'same' | 'last'
}

type FormProps = { open: boolean; onClose: () => void }

/** Has an invoice made anew every month or year. */
export function RepeatDialog({ open, onClose, invoice }: FormProps & { invoice: Subject }) {
  const [key] = useState(() => crypto.randomUUID())
  const [choice, setChoice] = useState<Choice>({
    every: 'month',
    makes: 'draft',
    day: null,
    end: 'never',
    endsOn: '',
    times: '12',
    content: 'same',
  })
  const today = useToday()
  const day = choice.day ?? proposedDay(invoice.issue_date, choice.every, today)
  const end = useCommand(recurringInvoices.setState, {
    refreshes: [recurringInvoices.list],
    onSuccess: () => void toast.success('It is not repeated'),
    onError: (error) => toast.error(sentenceOf(error, 'This can no longer be undone.')),
  })
  const add = useCommand(recurringInvoices.add, {
    refreshes: [recurringInvoices.list],
    onSuccess: ({ id, next_on, every }) => {
      toast.success(`Repeated every ${every} from ${shortDay(next_on)} on`, {
        undo: () => end.mutate({ params: { id }, body: { state: 'ended' } }),
      })
      onClose()
    },
  })
  const { every, makes } = choice
  const body = { invoice_id: invoice.id, every, makes, first_on: day, ...lengthOf(choice) }
  return (
    <RecurringForm
      open={open}
      onClose={onClose}
      title="Repeat this invoice"
      description={`It is made anew for ${customerText(invoice.customer)}, dated that day, at that day’s exchange rate. This invoice stays as it is.`}
      action="Repeat"
      choice={choice}
      onChoice={setChoice}
      day={{ name: 'first_on', label: 'First on', value: day }}
      made={0}
      busy={add.isPending}
      error={add.error}
      failure="Failed to repeat the invoice"
      onSubmit={() => add.mutate({ body, idempotencyKey: `${key}-${JSON.stringify(body)}` })}
    />
  )
}

/** Changes how a recurring invoice goes on. */
export function ChangeDialog({ open, onClose, row }: FormProps & { row: RecurringInvoice }) {
  const [begun] = useState(row)
  const [choice, setChoice] = useState<Choice>({
    every: row.every,
    makes: row.makes,
    day: null,
    end: row.ends_on !== null ? 'day' : row.times !== null ? 'times' : 'never',
    endsOn: row.ends_on ?? '',
    times: String(row.times ?? Math.max(12, row.made + 1)),
    content: 'same',
  })
  const change = useCommand(recurringInvoices.update, {
    refreshes: [recurringInvoices.list],
    onSuccess: () => {
      toast.success('Recurring invoice changed')
      onClose()
    },
  })
  const { every, makes, day, content } = choice
  const body = {
    // What was changed elsewhere meanwhile, and not here, stays.
    ...changedFields({ every, makes, ...lengthOf(choice) }, begun),
    ...(day === null ? {} : { next_on: day }),
    ...(content === 'last' && row.last !== null ? { invoice_id: row.last.id } : {}),
  }
  return (
    <RecurringForm
      open={open}
      onClose={onClose}
      title="Change the recurring invoice"
      description={`For ${customerText(row.customer)}. What it has made already stays as it is.`}
      action="Save"
      choice={choice}
      onChoice={setChoice}
      day={{ name: 'next_on', label: 'Next on', value: day ?? row.next_on }}
      made={row.made}
      last={row.last}
      busy={change.isPending}
      error={change.error}
      failure="Failed to change the recurring invoice"
      onSubmit={() => change.mutate({ params: { id: row.id }, body })}
    />
  )
}

const lengthOf = ({ end, endsOn, times }: Choice) => ({
  ends_on: end === 'day' ? endsOn : null,
  times: end === 'times' ? Number(times) : null,
})

type RecurringFormProps = FormProps & {
  title: string
  description: string
  action: string
  choice: Choice
  onChoice: (choice: Choice) => void
  day: { name: string; label: string; value: string }
  made: number
  last?: RecurringInvoice['last']
  busy: boolean
  error: ApiError | null
  failure: string
  onSubmit: () => void
}

function RecurringForm(props: RecurringFormProps) {
  const { choice, onChoice, day, made, last = null, error, onSubmit } = props
  const first = useRef<HTMLInputElement>(null)
  const today = useToday()
  const faults = error?.fields ?? {}
  const set = (changes: Partial<Choice>) => onChoice({ ...choice, ...changes })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={props.title}
      description={props.description}
      busy={props.busy}
      error={error === null ? null : refusal(error, day.name, props.failure)}
      onSubmit={submit}
      initialFocus={first}
      submit={props.action}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="flex flex-col gap-1.5">
          <span aria-hidden className="text-sm font-medium">
            How often
          </span>
          <Segmented
            label="How often"
            value={choice.every}
            onChange={(every) => set({ every })}
            options={[
              { value: 'month', label: 'Every month' },
              { value: 'year', label: 'Every year' },
            ]}
          />
        </div>
        <Field label={day.label} required error={faults[day.name]}>
          <TextInput
            ref={first}
            type="date"
            min={today}
            value={day.value}
            onChange={({ target }) => set({ day: target.value })}
          />
        </Field>
        <Field label="Ends">
          <Select
            value={choice.end}
            onChange={({ target }) => set({ end: target.value as Choice['end'] })}
            options={[
              { value: 'never', label: 'When I end it' },
              { value: 'day', label: 'On a day' },
              { value: 'times', label: 'After a number of invoices' },
            ]}
          />
        </Field>
        {choice.end === 'day' ? (
          <Field label="Last day" required error={faults['ends_on']}>
            <TextInput
              type="date"
              min={day.value}
              value={choice.endsOn}
              onChange={({ target }) => set({ endsOn: target.value })}
            />
          </Field>
        ) : choice.end === 'times' ? (
          <Field
            label="Invoices in all"
            required
            error={faults['times']}
            help={made === 0 ? undefined : `${made} made so far`}
          >
            <TextInput
              inputMode="numeric"
              autoComplete="off"
              maxLength={String(TIMES_MAX).length}
              value={choice.times}
              onChange={({ target }) => set({ times: target.value })}
            />
          </Field>
        ) : (
          <span className="max-sm:hidden" />
        )}
        <Field
          label="What is made"
          help={choice.makes === 'issued' ? 'It is not sent by email by itself: you send it.' : undefined}
        >
          <Select
            value={choice.makes}
            onChange={({ target }) => set({ makes: target.value as Makes })}
            options={[
              { value: 'draft', label: 'A draft to look at' },
              { value: 'issued', label: 'An issued invoice' },
            ]}
          />
        </Field>
        {last === null ? null : (
          <Field label="What it contains">
            <Select
              value={choice.content}
              onChange={({ target }) => set({ content: target.value as Choice['content'] })}
              options={[
                { value: 'same', label: 'The same as so far' },
                {
                  value: 'last',
                  label: `As in ${last.number || `the draft of ${shortDay(last.issue_date)}`}`,
                },
              ]}
            />
          </Field>
        )}
        <p aria-live="polite" className="text-sm text-ink-2 sm:col-span-2">
          {upcoming(choice, day.value, made)}
        </p>
      </div>
    </Dialog>
  )
}

/** What is wrong beside no field of its own: also what is missing in the invoice itself. */
function refusal(error: ApiError, dayField: string, failure: string): string | null {
  const shown = new Set([dayField, 'ends_on', 'times'])
  const others = Object.entries(error.fields ?? {}).filter(([name]) => !shown.has(name))
  if (others.length > 0) return `${[...new Set(others.map(([, why]) => why))].join('. ')}.`
  return Object.keys(error.fields ?? {}).length > 0 ? null : sentenceOf(error, failure)
}

/** The days of the next invoices, so that nobody has to guess what happens after a 31st. */
function upcoming({ every, end, endsOn, times }: Choice, first: string, made: number): string {
  if (first === '' || (end === 'day' && endsOn === '') || (end === 'times' && !/^\d+$/.test(times))) return ''
  const left = end === 'times' ? Math.max(0, Number(times) - made) : null
  const asked = { first, every, endsOn: end === 'day' ? endsOn : null, left }
  const days = nextDays(asked, SHOWN_DAYS + 1)
  if (days.length === 0) return 'No invoice is made.'
  const named = days.slice(0, SHOWN_DAYS).map(shortDay).join(' · ')
  return days.length > SHOWN_DAYS ? `${named} · and so on` : named
}
