import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type SequenceStep, STEPS_MAX } from '#contract/outreach/sequences.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { Menu } from '#web/platform/ui/Menu.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import {
  freshId,
  insertStep,
  layOut,
  moveStep,
  newStep,
  removeStep,
  replaceStep,
  type StepKind,
} from './edit-steps.ts'
import { StepCard } from './StepCard.tsx'
import { STEP_KINDS } from './step-kinds.tsx'
import { stepText } from './step-text.ts'

type StepListProps = {
  steps: readonly SequenceStep[]
  onChange: (change: (steps: readonly SequenceStep[]) => SequenceStep[]) => void
  /** The step whose fields are shown. */
  openId: number | null
  onOpen: (id: number | null) => void
  /** What is wrong, by the path of the field: `steps.2.tag`. */
  faults: Readonly<Record<string, string>>
  templateNames: ReadonlyMap<number, string>
}

/** The steps to edit, from top to bottom, with a way to add one between any two. */
export function StepList({ steps, onChange, openId, onOpen, faults, templateNames }: StepListProps) {
  const list = useRef<HTMLOListElement>(null)
  const [focused, setFocused] = useState<{ id: number } | null>(null)
  const laid = layOut(steps)
  const isFull = steps.length >= STEPS_MAX
  // A step that was moved keeps the focus, and a new one gets it.
  useEffect(() => {
    if (focused !== null) list.current?.querySelector<HTMLElement>(`[data-step="${focused.id}"]`)?.focus()
  }, [focused])
  const add = (at: number, kind: StepKind) => {
    const step = newStep(kind, freshId(steps))
    onChange((now) => insertStep(now, at, step))
    onOpen(step.id)
    setFocused({ id: step.id })
  }
  const move = (id: number, by: -1 | 1) => {
    onChange((now) => moveStep(now, id, by))
    setFocused({ id })
  }
  const remove = (step: SequenceStep, at: number) => {
    const before = steps
    onChange((now) => removeStep(now, step.id))
    const near = steps[at + 1] ?? steps[at - 1]
    if (near !== undefined) setFocused({ id: near.id })
    toast.success('Step removed', { undo: () => onChange(() => [...before]) })
  }
  return (
    <div>
      <ol ref={list} aria-label="Steps">
        {steps.map((step, at) => (
          <li key={step.id} style={{ marginInlineStart: `${Math.min(laid[at]?.depth ?? 0, 2) * 1.25}rem` }}>
            {at === 0 ? null : (
              <AddStep
                label={`Add a step before step ${at + 1}`}
                isFull={isFull}
                onAdd={(kind) => add(at, kind)}
              />
            )}
            <StepCard
              step={step}
              at={at}
              steps={steps}
              title={stepText(step, templateName(step, templateNames))}
              isReached={laid[at]?.isReached ?? true}
              isOpen={openId === step.id}
              onOpen={(isOpen) => onOpen(isOpen ? step.id : null)}
              onChange={(next) => onChange((now) => replaceStep(now, next))}
              onMove={(by) => move(step.id, by)}
              onRemove={() => remove(step, at)}
              faults={faultsOf(faults, at)}
            />
          </li>
        ))}
      </ol>
      <div className={cx('flex', steps.length === 0 ? '' : 'pt-3')}>
        {isFull ? (
          <p className="text-sm text-ink-2">A sequence can have up to {STEPS_MAX} steps.</p>
        ) : (
          <Menu
            label="Add a step"
            align="start"
            trigger={
              <>
                <Plus aria-hidden className="size-4" />
                Add a step
              </>
            }
            entries={entriesOf((kind) => add(steps.length, kind))}
            className={buttonClass('quiet')}
          />
        )}
      </div>
    </div>
  )
}

const templateName = (step: SequenceStep, names: ReadonlyMap<number, string>) =>
  step.kind === 'mail' && step.template_id !== null ? names.get(step.template_id) : undefined

const entriesOf = (onAdd: (kind: StepKind) => void) =>
  STEP_KINDS.map(({ kind, label, icon: Icon }) => ({
    kind: 'action' as const,
    label,
    icon: <Icon aria-hidden />,
    onSelect: () => onAdd(kind),
  }))

type AddStepProps = { label: string; isFull: boolean; onAdd: (kind: StepKind) => void }

/** A small plus on the line between two steps. */
function AddStep({ label, isFull, onAdd }: AddStepProps) {
  return (
    <div className="flex h-8 items-center pl-5.5">
      <span aria-hidden className="h-full w-px bg-line" />
      {isFull ? null : (
        <Menu
          label={label}
          align="start"
          trigger={<Plus aria-hidden className="size-3.5" />}
          entries={entriesOf(onAdd)}
          className="-ml-3 grid size-6 place-items-center rounded-full border border-line bg-surface text-ink-2 transition-colors hover:border-control hover:text-ink"
        />
      )}
    </div>
  )
}

/** The faults of one step, by the path within it. */
function faultsOf(faults: Readonly<Record<string, string>>, at: number): Record<string, string> {
  const start = `steps.${at}.`
  return Object.fromEntries(
    Object.entries(faults).flatMap(([path, why]) =>
      path.startsWith(start) ? [[path.slice(start.length), why]] : [],
    ),
  )
}
