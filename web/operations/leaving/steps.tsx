import { type ReactNode, useId } from 'react'
import {
  CONTACT_METHODS,
  type ContactMethod,
  FEEDBACK_MAX,
  LINE_MAX,
  RATINGS,
  REASONS,
  RESTORE_DAYS,
} from '#contract/operations/leaving.ts'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import type { Missing } from './answers.ts'
import { METHOD_LABELS, RATING_LABELS, REASON_LABELS } from './answer-labels.ts'
import type { Leaving } from './use-leaving.ts'

type StepProps = { leaving: Leaving }

const whyAt = (missing: Missing | null, field: Missing['field']) =>
  missing?.field === field ? missing.why : undefined

export function ReasonStep({ leaving: { answers, answer, missing } }: StepProps) {
  return (
    <div className="flex flex-col gap-4">
      <Choice legend="Reason for leaving" error={whyAt(missing, 'category')}>
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
          {REASONS.map((reason) => (
            <Option
              key={reason}
              name="category"
              checked={answers.category === reason}
              onChoose={() => answer({ category: reason })}
            >
              {REASON_LABELS[reason]}
            </Option>
          ))}
        </div>
      </Choice>
      {answers.category === 'other' ? (
        <Field label="Your reason" required error={whyAt(missing, 'customCategory')}>
          <TextInput
            name="custom_category"
            maxLength={LINE_MAX}
            value={answers.customCategory}
            onChange={(event) => answer({ customCategory: event.target.value })}
          />
        </Field>
      ) : null}
    </div>
  )
}

export function RatingStep({ leaving: { answers, answer, missing } }: StepProps) {
  return (
    <Choice legend="How was Howl for you?" error={whyAt(missing, 'rating')}>
      <div className="grid gap-2 sm:grid-cols-5">
        {RATINGS.map((rating) => (
          <Option
            key={rating}
            name="rating"
            checked={answers.rating === rating}
            onChoose={() => answer({ rating })}
            className="sm:items-start"
          >
            <span className="font-semibold tabular-nums sm:block">{rating}</span>{' '}
            <span className="sm:-ml-6 sm:text-sm sm:whitespace-nowrap">{RATING_LABELS[rating]}</span>
          </Option>
        ))}
      </div>
    </Choice>
  )
}

export function DetailsStep({ leaving: { answers, answer, missing } }: StepProps) {
  return (
    <div className="flex flex-col gap-4">
      <Field label="Details" required help="What made you leave?" error={whyAt(missing, 'details')}>
        <TextArea
          name="details"
          rows={3}
          maxLength={FEEDBACK_MAX}
          value={answers.details}
          onChange={(event) => answer({ details: event.target.value })}
        />
      </Field>
      <Field label="What could be improved?" aside="Optional">
        <TextArea
          name="improvements"
          rows={3}
          maxLength={FEEDBACK_MAX}
          value={answers.improvements}
          onChange={(event) => answer({ improvements: event.target.value })}
        />
      </Field>
      <Field label="Which product do you use instead?" aside="Optional">
        <TextInput
          name="competitor"
          maxLength={LINE_MAX}
          value={answers.competitor}
          onChange={(event) => answer({ competitor: event.target.value })}
        />
      </Field>
    </div>
  )
}

export function ContactStep({ leaving: { answers, answer } }: StepProps) {
  return (
    <div className="flex flex-col gap-4">
      <Checkbox
        name="contact_consent"
        checked={answers.contactConsent}
        onChange={(event) => answer({ contactConsent: event.target.checked })}
        label="You may contact me about my feedback"
      />
      {answers.contactConsent ? (
        <Field label="Contact method" className="sm:max-w-60">
          <Select
            name="contact_method"
            value={answers.contactMethod}
            onChange={(event) => answer({ contactMethod: event.target.value as ContactMethod })}
            options={CONTACT_METHODS.map((value) => ({ value, label: METHOD_LABELS[value] }))}
          />
        </Field>
      ) : null}
      <p className="border-t border-line pt-4">
        <strong className="font-semibold">Submitting deletes your account.</strong> You are signed out, and
        your mail stops at once. Whoever runs this Howl can restore the account for {RESTORE_DAYS} days.
      </p>
    </div>
  )
}

/** A question with one answer out of a few. */
function Choice({
  legend,
  error,
  children,
}: {
  legend: string
  error: string | undefined
  children: ReactNode
}) {
  const noteId = useId()
  return (
    <fieldset aria-describedby={error === undefined ? undefined : noteId} className="flex flex-col gap-1.5">
      <legend className="required-mark mb-1.5 text-sm font-medium">{legend}</legend>
      {children}
      {error === undefined ? null : (
        <p id={noteId} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function Option({
  name,
  checked,
  onChoose,
  className,
  children,
}: {
  name: string
  checked: boolean
  onChoose: () => void
  className?: string
  children: ReactNode
}) {
  return (
    <label
      className={cx(
        'flex min-h-11 items-center gap-2 rounded-md border px-3 py-2 transition-colors',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        checked ? 'border-accent bg-accent-soft' : 'border-line hover:border-control',
        className,
      )}
    >
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onChoose}
        className="size-4 shrink-0 accent-accent"
      />
      <span>{children}</span>
    </label>
  )
}
