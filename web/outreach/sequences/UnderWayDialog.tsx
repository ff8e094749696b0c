import { useState } from 'react'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { counted } from '../runs/run-text.ts'

type UnderWay = 'old' | 'new'
type UnderWayDialogProps = {
  open: boolean
  onClose: () => void
  /** How many are under way, and how many of them wait because their email would have a gap. */
  people: number
  withGap: number
  busy: boolean
  error: string | null
  onSave: (underWay: UnderWay) => void
}

/** Asks what becomes of those who are in the middle of the steps that were changed. */
export function UnderWayDialog({ open, onClose, people, withGap, busy, error, onSave }: UnderWayDialogProps) {
  const [choice, setChoice] = useState<UnderWay>(withGap > 0 ? 'new' : 'old')
  const many = counted(people, 'contact')
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Save the changed steps"
      description={`${many} ${people === 1 ? 'is' : 'are'} under way.${gapText(withGap)}`}
      size="s"
      busy={busy}
      error={error}
      onSubmit={() => onSave(choice)}
      submit="Save"
    >
      <fieldset className="flex flex-col gap-3">
        <legend className="sr-only">What becomes of those under way</legend>
        {CHOICES.map(({ value, label, help }) => (
          <label key={value} className="flex items-start gap-2.5 pointer-coarse:min-h-11">
            <input
              type="radio"
              name="under-way"
              value={value}
              checked={choice === value}
              onChange={() => setChoice(value)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              {label}
              <span className="block text-sm text-ink-2">{help}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}

const CHOICES = [
  {
    value: 'old',
    label: 'They finish with the old steps',
    help: 'The new steps hold for everybody who begins from now on.',
  },
  {
    value: 'new',
    label: 'They go on with the new steps',
    help: 'Everybody stays at their step. Who is at a removed one goes on with the next.',
  },
] as const

const gapText = (withGap: number) =>
  withGap === 0
    ? ''
    : ` ${counted(withGap, 'contact')} ${withGap === 1 ? 'waits' : 'wait'} because the email would have a gap. A text without it reaches them only with the new steps.`
