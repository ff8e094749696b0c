import { CONTACT_STATUSES } from '#contract/crm/contacts.ts'
import { INTENTS } from '#contract/mail/email.ts'
import type { SequenceCondition, SequenceStep, StepTarget } from '#contract/outreach/sequences.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { statusWord } from '#web/platform/ui/StatusBadge.tsx'
import type { ConditionStep } from './edit-steps.ts'
import { TagField } from './SmallFields.tsx'
import { INTENT_WORDS, stepText } from './step-text.ts'

type ConditionFieldsProps = {
  step: ConditionStep
  at: number
  steps: readonly SequenceStep[]
  onChange: (step: SequenceStep) => void
  faults: Readonly<Record<string, string>>
}

/** What is asked, and where it goes on for those of whom it is true and for the others. */
export function ConditionFields({ step, at, steps, onChange, faults }: ConditionFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="If">
          <Select
            value={step.if.about}
            onChange={({ target }) =>
              onChange({ ...step, if: FIRST[target.value as SequenceCondition['about']] })
            }
            options={[
              { value: 'replied', label: 'They have replied' },
              { value: 'intent', label: 'Their last reply says' },
              { value: 'status', label: 'Their status is' },
              { value: 'tag', label: 'They have a tag' },
            ]}
          />
        </Field>
        <Detail step={step} onChange={onChange} faults={faults} />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TargetField
          {...{ at, steps }}
          label="If so"
          value={step.met}
          error={faults['met']}
          onChange={(met) => onChange({ ...step, met })}
        />
        <TargetField
          {...{ at, steps }}
          label="Otherwise"
          value={step.otherwise}
          error={faults['otherwise']}
          onChange={(otherwise) => onChange({ ...step, otherwise })}
        />
      </div>
    </div>
  )
}

const FIRST: Record<SequenceCondition['about'], SequenceCondition> = {
  replied: { about: 'replied' },
  intent: { about: 'intent', intent: 'interested' },
  status: { about: 'status', status: 'active' },
  tag: { about: 'tag', tag: '' },
}

function Detail({ step, onChange, faults }: Pick<ConditionFieldsProps, 'step' | 'onChange' | 'faults'>) {
  const { if: condition } = step
  const change = (next: SequenceCondition) => onChange({ ...step, if: next })
  if (condition.about === 'replied') return null
  if (condition.about === 'tag')
    return (
      <TagField
        value={condition.tag}
        error={faults['if.tag']}
        onChange={(tag) => change({ about: 'tag', tag })}
      />
    )
  if (condition.about === 'status')
    return (
      <Field label="Status">
        <Select
          value={condition.status}
          onChange={({ target }) =>
            change({ about: 'status', status: target.value as typeof condition.status })
          }
          options={STATUS_OPTIONS}
        />
      </Field>
    )
  return (
    <Field label="What it says">
      <Select
        value={condition.intent}
        onChange={({ target }) =>
          change({ about: 'intent', intent: target.value as typeof condition.intent })
        }
        options={INTENT_OPTIONS}
      />
    </Field>
  )
}

export const STATUS_OPTIONS = CONTACT_STATUSES.map((value) => ({ value, label: statusWord(value) }))
export const INTENT_OPTIONS = INTENTS.map((value) => ({ value, label: capital(INTENT_WORDS[value]) }))

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type TargetFieldProps = {
  label: string
  at: number
  steps: readonly SequenceStep[]
  value: StepTarget
  error: string | undefined
  onChange: (target: StepTarget) => void
}

function TargetField({ label, at, steps, value, error, onChange }: TargetFieldProps) {
  const later = steps.slice(at + 1)
  const read = (text: string): StepTarget => (text === 'next' || text === 'end' ? text : Number(text))
  return (
    <Field label={label} error={error}>
      <Select
        value={String(value)}
        onChange={({ target }) => onChange(read(target.value))}
        options={[
          { value: 'next', label: 'Go on with the next step' },
          ...later.map((step, index) => ({
            value: String(step.id),
            label: `Go on with step ${at + index + 2}: ${stepText(step)}`,
          })),
          { value: 'end', label: 'It ends here' },
        ]}
      />
    </Field>
  )
}
