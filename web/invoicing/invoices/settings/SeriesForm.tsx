import { useId, useState } from 'react'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import { COUNT_MAX, formatNumber, patternFault, periodOf } from '#contract/invoicing/invoice-number.ts'
import { type InvoiceKind, type InvoiceSeries, invoices } from '#contract/invoicing/saved-invoices.ts'
import { formResolver, showFieldErrors } from '#web/platform/api/form.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { useFollowing } from '#web/platform/api/use-following.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useToday } from '../list/use-today.ts'

const WORDS: Record<InvoiceKind, { title: string; one: string }> = {
  invoice: { title: 'Invoices', one: 'invoice' },
  credit_note: { title: 'Credit notes', one: 'credit note' },
  quote: { title: 'Quotes', one: 'quote' },
}
const FIELDS = ['pattern', 'next'] as const
const PATTERN_MAX = 60

/** What stands in the fields; the count too is text while it is typed. */
type Entries = { pattern: string; next: string }

const entriesOf = ({ pattern, next }: InvoiceSeries): Entries => ({ pattern, next: String(next) })

const check = formResolver(invoices.saveSeries.body)
const resolver: Resolver<Entries> = (entries, ...rest) => {
  const next = entries.next.trim()
  // A missing number and one with letters get the contract's sentence.
  const body = { pattern: entries.pattern, next: /^\d+$/.test(next) ? Number(next) : Number.NaN }
  return (check as unknown as Resolver<typeof body>)(body, ...(rest as [never, never])) as never
}

/** How documents of one kind are numbered from now on. */
export function SeriesForm({ saved }: { saved: InvoiceSeries }) {
  const { kind } = saved
  const { title, one } = WORDS[kind]
  const heading = useId()
  const [fault, setFault] = useState<string | null>(null)
  const form = useForm<Entries>({ defaultValues: entriesOf(saved), resolver })
  const { register, formState } = form
  useFollowing(form, entriesOf, saved)
  const save = useCommand(invoices.saveSeries, {
    refreshes: [invoices.series, invoices.nextNumber],
    onSuccess: (all) => {
      const now = all.find((series) => series.kind === kind) ?? saved
      form.reset(entriesOf(now), { keepFieldsRef: true })
      toast.success(`The next ${one} gets ${now.next_number}`)
    },
    onError: (error) => setFault(showFieldErrors(form, error, FIELDS, 'Failed to save the numbering')),
  })
  const submit = form.handleSubmit(({ pattern, next }) => {
    setFault(null)
    // Only what was changed: documents may have been issued since this page was opened.
    const isNew = pattern !== saved.pattern || Number(next) !== saved.next
    save.mutate({ body: { kind, pattern, ...(isNew ? { next: Number(next) } : {}) } })
  })
  return (
    <form
      noValidate
      aria-labelledby={heading}
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-4 py-6 first:pt-0 last:pb-0"
    >
      <h3 id={heading} className="font-semibold">
        {title}
      </h3>
      <div className="grid grid-cols-[minmax(0,1fr)_6.5rem] items-start gap-4 sm:grid-cols-[minmax(0,1fr)_9rem]">
        <Field label="Pattern" error={formState.errors.pattern?.message} required>
          <TextInput
            {...register('pattern')}
            maxLength={PATTERN_MAX}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono"
          />
        </Field>
        <Field label="Next count" error={formState.errors.next?.message} required>
          <TextInput
            {...register('next')}
            inputMode="numeric"
            autoComplete="off"
            maxLength={String(COUNT_MAX).length}
            className="text-right tabular-nums"
          />
        </Field>
      </div>
      <Example form={form} one={one} />
      <Alert>{fault}</Alert>
      <Button
        type="submit"
        busy={save.isPending}
        busyLabel="Saving…"
        disabled={!formState.isDirty}
        className="self-start"
      >
        Save numbering
      </Button>
    </form>
  )
}

/** What the numbers look like, while the pattern is typed. */
function Example({ form, one }: { form: ReturnType<typeof useForm<Entries>>; one: string }) {
  const [pattern, next] = useWatch({ control: form.control, name: FIELDS })
  const today = useToday()
  const count = Number(next)
  const isClear = patternFault(pattern) === null && Number.isInteger(count) && count >= 1 && count < COUNT_MAX
  if (!isClear) return <p className="text-ink-2">The example appears once pattern and count can be read.</p>
  const numberAt = (day: string, at: number) => (
    <bdi className="inline-block max-w-full font-medium whitespace-pre-wrap text-ink tabular-nums wrap-anywhere">
      {formatNumber(pattern.trim(), day, at)}
    </bdi>
  )
  const later = nextPeriod(pattern, today)
  return (
    <p className="text-ink-2">
      The next {one} gets {numberAt(today, count)}, the one after it {numberAt(today, count + 1)}.
      {later === null ? ' The counter never begins again.' : null}
      {later === null ? null : (
        <>
          {' '}
          The first of {later.name} gets {numberAt(later.day, 1)}.
        </>
      )}
    </p>
  )
}

/** When the counter begins at 1 again; null for a pattern that never does. */
function nextPeriod(pattern: string, today: string): { name: string; day: string } | null {
  const period = periodOf(pattern, today)
  if (period === '') return null
  const year = Number(today.slice(0, 4))
  if (period.length === 4) return { name: String(year + 1), day: `${year + 1}-01-01` }
  const month = Number(today.slice(5, 7))
  const day = new Date(Date.UTC(year, month, 1))
  const name = day.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return { name, day: day.toISOString().slice(0, 10) }
}
