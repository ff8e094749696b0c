import { Plus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { assistant, type Proposal } from '#contract/assistant/assistant.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { changesOf, type EditField, fieldsOf, type Item, itemsIn } from './proposal-fields.ts'

type ProposalFormProps = {
  proposal: Proposal
  onClose: () => void
  /** A new proposal has taken the place of this one. */
  onEdited: (made: Proposal) => void
}

/** Edits what may be edited of a proposal. Saving makes a new one, which is still to be approved. */
export function ProposalForm({ proposal, onClose, onEdited }: ProposalFormProps) {
  const timeZone = useTimeZone()
  const [fields] = useState(() => fieldsOf(proposal, timeZone))
  const [typed, setTyped] = useState<Record<string, string>>({})
  const form = useRef<HTMLFormElement>(null)
  const edit = useCommand(assistant.edit, { onSuccess: onEdited })
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), [])
  const wrong = edit.error?.fields ?? {}
  const shownElsewhere = fields.some(({ name }) => name in wrong)
  const save = () => {
    const changes = changesOf(fields, typed, timeZone)
    if (Object.keys(changes).length === 0) onClose()
    else edit.mutate({ params: { id: proposal.id }, body: { changes } })
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc in any field gives up
    <form
      ref={form}
      noValidate
      aria-label="Edit proposal"
      className="flex flex-col gap-3 px-4 py-3.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!edit.isPending) save()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        {fields.map((field) => {
          const value = typed[field.name] ?? field.start
          const onChange = (text: string) => setTyped({ ...typed, [field.name]: text })
          return field.kind === 'items' ? (
            <Items
              key={field.name}
              label={field.label}
              items={itemsIn(value)}
              onChange={(items) => onChange(JSON.stringify(items))}
            />
          ) : (
            <Field
              key={field.name}
              label={field.label}
              error={wrong[field.name]}
              className={field.kind === 'line' || field.kind === 'text' ? 'sm:col-span-2' : ''}
            >
              <Control field={field} value={value} onChange={onChange} />
            </Field>
          )
        })}
      </div>
      {edit.error === null || shownElsewhere ? null : (
        <Alert>{sentenceOf(edit.error, 'This could not be changed. Please try again.')}</Alert>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={edit.isPending}>
          Save changes
        </Button>
        <Button onClick={onClose} disabled={edit.isPending}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

const INPUT_TYPES = { line: 'text', day: 'date', time: 'datetime-local', number: 'number' } as const

function Control({
  field,
  value,
  onChange,
}: {
  field: EditField
  value: string
  onChange: (text: string) => void
}) {
  const control = { value, onChange: (event: { target: { value: string } }) => onChange(event.target.value) }
  if (field.kind === 'text') return <TextArea {...control} />
  if (field.kind === 'choice') {
    const none = value === '' ? [{ value: '', label: 'As it is' }] : []
    const options = field.options.map((each) => ({
      value: each,
      label: each.charAt(0).toUpperCase() + each.slice(1),
    }))
    return <Select {...control} options={[...none, ...options]} />
  }
  if (field.kind === 'items') return null
  return <TextInput {...control} type={INPUT_TYPES[field.kind]} autoComplete="off" />
}

const NEW_ITEM: Item = { description: '', quantity: '1', unit_price: '' }

function Items({
  label,
  items,
  onChange,
}: {
  label: string
  items: Item[]
  onChange: (items: Item[]) => void
}) {
  const set = (at: number, changes: Partial<Item>) =>
    onChange(items.map((item, index) => (index === at ? { ...item, ...changes } : item)))
  return (
    <fieldset className="flex flex-col gap-2 sm:col-span-2">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {items.map((item, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no number of their own
        <div key={at} className="grid grid-cols-[minmax(0,1fr)_4rem_6rem_auto] gap-2">
          <TextInput
            aria-label={`Description of line ${at + 1}`}
            placeholder="Description"
            value={item.description}
            onChange={(event) => set(at, { description: event.target.value })}
          />
          <TextInput
            aria-label={`Quantity of line ${at + 1}`}
            inputMode="decimal"
            value={item.quantity}
            onChange={(event) => set(at, { quantity: event.target.value })}
          />
          <TextInput
            aria-label={`Unit price of line ${at + 1}`}
            inputMode="decimal"
            placeholder="Price"
            value={item.unit_price}
            onChange={(event) => set(at, { unit_price: event.target.value })}
          />
          <IconButton
            label={`Remove line ${at + 1}`}
            icon={<X />}
            disabled={items.length === 1}
            onClick={() => onChange(items.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button
        size="s"
        variant="plain"
        icon={<Plus aria-hidden className="size-3.5" />}
        className="self-start"
        onClick={() => onChange([...items, NEW_ITEM])}
      >
        Add line
      </Button>
    </fieldset>
  )
}
