import { ArrowDown, ArrowUp, ChevronDown, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useId } from 'react'
import { firstMails } from '#contract/outreach/sequence-steps.ts'
import type { SequenceStep } from '#contract/outreach/sequences.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { ConditionFields } from './ConditionFields.tsx'
import { MailFields } from './MailFields.tsx'
import { StepIcon } from './step-kinds.tsx'
import { TagFields, TaskFields, WaitFields } from './SmallFields.tsx'
import { targetText } from './step-text.ts'

type StepCardProps = {
  step: SequenceStep
  at: number
  steps: readonly SequenceStep[]
  title: string
  /** False if no way through the steps leads here. */
  isReached: boolean
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onChange: (step: SequenceStep) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  faults: Readonly<Record<string, string>>
}

/** One step: what it does in words; opened, its fields. Alt and an arrow key move it. */
export function StepCard(props: StepCardProps) {
  const { step, at, steps, title, isReached, isOpen, onOpen, onMove, onRemove, faults } = props
  const body = useId()
  const isWrong = Object.keys(faults).length > 0
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <section
      aria-label={`Step ${at + 1}`}
      className={cx('rounded-lg border bg-surface', isWrong ? 'border-danger' : 'border-line')}
    >
      <div className="flex items-center gap-1 pr-2">
        <button
          type="button"
          data-step={step.id}
          aria-expanded={isOpen}
          aria-controls={body}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onClick={() => onOpen(!isOpen)}
          onKeyDown={onKeyDown}
          className="flex min-h-12 min-w-0 grow items-center gap-3 rounded-lg py-2 pl-3.5 text-left"
        >
          <span className="w-4 shrink-0 text-right text-sm text-ink-2 tabular-nums">{at + 1}</span>
          <StepIcon kind={step.kind} />
          <span className="min-w-0 grow">
            <span className="block font-medium wrap-anywhere">{title}</span>
            {step.kind === 'condition' ? (
              <span className="block text-sm text-ink-2">
                If so, {targetText(steps, at, step.met)}. Otherwise, {targetText(steps, at, step.otherwise)}.
              </span>
            ) : null}
            {isReached ? null : (
              <span className="block text-sm text-danger">Nobody comes here: no step leads to it.</span>
            )}
          </span>
          <ChevronDown
            aria-hidden
            className={cx('size-4 shrink-0 text-ink-2 transition-transform', isOpen && 'rotate-180')}
          />
        </button>
        <span className="flex shrink-0 items-center max-sm:hidden">
          <Moves {...{ at, count: steps.length, onMove, onRemove }} />
        </span>
      </div>
      <div id={body} hidden={!isOpen} className="border-t border-line px-4 pt-3.5 pb-4">
        {isOpen ? (
          <>
            <Fields {...props} />
            <div className="-mb-1.5 flex justify-end pt-2 sm:hidden">
              <Moves {...{ at, count: steps.length, onMove, onRemove }} />
            </div>
          </>
        ) : null}
      </div>
    </section>
  )
}

type MovesProps = { at: number; count: number; onMove: (by: -1 | 1) => void; onRemove: () => void }

function Moves({ at, count, onMove, onRemove }: MovesProps) {
  return (
    <>
      <IconButton
        label={`Move step ${at + 1} up`}
        size="s"
        icon={<ArrowUp />}
        disabled={at === 0}
        onClick={() => onMove(-1)}
      />
      <IconButton
        label={`Move step ${at + 1} down`}
        size="s"
        icon={<ArrowDown />}
        disabled={at === count - 1}
        onClick={() => onMove(1)}
      />
      <IconButton label={`Remove step ${at + 1}`} size="s" icon={<Trash2 />} danger onClick={onRemove} />
    </>
  )
}

function Fields({ step, at, steps, onChange, faults }: StepCardProps) {
  const hasMailBefore = steps.slice(0, at).some(({ kind }) => kind === 'mail')
  const mayBeFirst = firstMails(steps).has(at)
  if (step.kind === 'mail') return <MailFields {...{ step, hasMailBefore, mayBeFirst, onChange, faults }} />
  if (step.kind === 'wait') return <WaitFields step={step} onChange={onChange} faults={faults} />
  if (step.kind === 'task') return <TaskFields step={step} onChange={onChange} faults={faults} />
  if (step.kind === 'tag') return <TagFields step={step} onChange={onChange} faults={faults} />
  return <ConditionFields step={step} at={at} steps={steps} onChange={onChange} faults={faults} />
}
