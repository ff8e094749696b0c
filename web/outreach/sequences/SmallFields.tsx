import { type SequenceStep, WAIT_MAX } from '#contract/outreach/sequences.ts'
import { TagsInput } from '#web/crm/contacts/TagsInput.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { NumberInput } from './NumberInput.tsx'

type Step<Kind extends SequenceStep['kind']> = Extract<SequenceStep, { kind: Kind }>
type FieldsProps<Kind extends SequenceStep['kind']> = {
  step: Step<Kind>
  onChange: (step: SequenceStep) => void
  faults: Readonly<Record<string, string>>
}

export function WaitFields({ step, onChange, faults }: FieldsProps<'wait'>) {
  return (
    <div className="grid max-w-100 items-start gap-4 grid-cols-2">
      <Field label="How long" error={faults['amount']} help={`From 1 to ${WAIT_MAX}.`} required>
        <NumberInput value={step.amount} onChange={(amount) => onChange({ ...step, amount })} />
      </Field>
      <Field label="Unit">
        <Select
          value={step.unit}
          onChange={({ target }) => onChange({ ...step, unit: target.value as typeof step.unit })}
          options={[
            { value: 'hours', label: 'Hours' },
            { value: 'days', label: 'Days' },
            { value: 'working_days', label: 'Working days' },
          ]}
        />
      </Field>
    </div>
  )
}

export function TaskFields({ step, onChange, faults }: FieldsProps<'task'>) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
      <Field
        label="What is to be done"
        error={faults['title']}
        help="{{ name }} stands for the contact’s name."
        required
      >
        <TextInput
          value={step.title}
          maxLength={200}
          autoComplete="off"
          onChange={({ target }) => onChange({ ...step, title: target.value })}
        />
      </Field>
      <Field label="Due after days" error={faults['due_in_days']} help="0 is the same day." required>
        <NumberInput value={step.due_in_days} onChange={(days) => onChange({ ...step, due_in_days: days })} />
      </Field>
    </div>
  )
}

export function TagFields({ step, onChange, faults }: FieldsProps<'tag'>) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <Field label="What to do">
        <Select
          value={step.act}
          onChange={({ target }) => onChange({ ...step, act: target.value as typeof step.act })}
          options={[
            { value: 'add', label: 'Add a tag' },
            { value: 'remove', label: 'Remove a tag' },
          ]}
        />
      </Field>
      <TagField value={step.tag} error={faults['tag']} onChange={(tag) => onChange({ ...step, tag })} />
    </div>
  )
}

/** One tag, chosen or new. */
export function TagField(props: {
  value: string
  error?: string | undefined
  onChange: (tag: string) => void
}) {
  const { value, error, onChange } = props
  return (
    <Field label="Tag" error={error} required>
      <TagsInput
        single
        value={value === '' ? [] : [value]}
        onChange={(names) => onChange(names.at(-1) ?? '')}
      />
    </Field>
  )
}
