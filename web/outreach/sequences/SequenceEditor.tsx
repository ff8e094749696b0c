import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type Sequence, SEQUENCE_NAME_MAX, sequences } from '#contract/outreach/sequences.ts'
import { templates } from '#contract/outreach/templates.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { outreachPaths } from '../runs/outreach-tabs.ts'
import { useLeaveGuard } from '../runs/use-leave-guard.tsx'
import { countWithGap } from './edit-steps.ts'
import { CheckList, Forecast } from './Outlook.tsx'
import { sequencePath } from './sequence-path.ts'
import { BeginCard, HoursCard, StopsCard } from './SettingsCards.tsx'
import { StartDialog } from './StartDialog.tsx'
import { StepList } from './StepList.tsx'
import { UnderWayDialog } from './UnderWayDialog.tsx'
import { useSequenceDraft } from './use-sequence-draft.ts'

type Opened = 'start' | 'delete' | 'underWay'

/** Writes a sequence: a draft, or one that runs already. */
export function SequenceEditor({ sequence }: { sequence: Sequence }) {
  const navigate = useNavigate()
  const isDraft = sequence.state === 'draft'
  const writing = useSequenceDraft(sequence)
  const { draft, change, faults, fault, isDirty, isSaving } = writing
  const { data: own = [] } = useEndpoint(templates.list)
  const { data: figures } = useEndpoint(sequences.figures, {
    params: { id: sequence.id },
    enabled: !isDraft,
  })
  const [openId, setOpenId] = useState<number | null>(null)
  const { what: dialog, show, props } = useOpened<Opened>()
  const guard = useLeaveGuard(isDirty)
  const steps = useRef<HTMLDivElement>(null)
  const remove = useCommand(sequences.remove, {
    refreshes: [sequences.list],
    onSuccess: () => {
      toast.success('Sequence deleted')
      guard.allow()
      void navigate(outreachPaths.sequences, { replace: true })
    },
  })

  const save = async (underWay?: 'old' | 'new') => {
    const saved = await writing.save(underWay)
    if (saved === null) return null
    toast.success('Sequence saved')
    if (!isDraft) {
      guard.allow()
      void navigate(sequencePath(sequence.id))
    }
    return saved
  }
  const onSave = () => {
    const asks = !isDraft && writing.hasNewSteps && sequence.members.active + sequence.members.paused > 0
    if (asks) show('underWay')
    else void save()
  }
  const onStart = async () => {
    if (isDirty && (await writing.save()) === null) return
    show('start')
  }
  const showStep = (id: number) => {
    setOpenId(id)
    const step = steps.current?.querySelector<HTMLElement>(`[data-step="${id}"]`)
    step?.focus({ preventScroll: true })
    step?.scrollIntoView({ block: 'center' })
  }

  return (
    <div className="flex flex-col gap-4 pt-3">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-3">
        <Field label="Name" error={faults['name']} className="min-w-0 grow basis-64 sm:max-w-100">
          <TextInput
            value={draft.name}
            maxLength={SEQUENCE_NAME_MAX}
            autoComplete="off"
            onChange={({ target }) => change({ name: target.value })}
          />
        </Field>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          {isDraft ? (
            <Button variant="plain" onClick={() => show('delete')}>
              Delete
            </Button>
          ) : (
            <Link to={sequencePath(sequence.id)} className={buttonClass()}>
              Cancel
            </Link>
          )}
          <Button
            variant={isDraft ? 'quiet' : 'primary'}
            busy={isSaving}
            disabled={!isDirty}
            onClick={onSave}
          >
            Save
          </Button>
          {isDraft ? (
            <Button variant="primary" disabled={isSaving} onClick={() => void onStart()}>
              Start…
            </Button>
          ) : null}
        </div>
      </div>
      <Alert>{fault}</Alert>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div ref={steps} className="min-w-0">
          {draft.steps.length === 0 ? (
            <p className="pb-3 text-ink-2">
              It has no steps yet. Most begin with an email, then wait a few days.
            </p>
          ) : null}
          <StepList
            steps={draft.steps}
            onChange={(edit) => change((now) => ({ steps: edit(now.steps) }))}
            openId={openId}
            onOpen={setOpenId}
            faults={faults}
            templateNames={new Map(own.map(({ id, name }) => [id, name]))}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <BeginCard draft={draft} change={change} faults={faults} />
          <HoursCard draft={draft} change={change} faults={faults} />
          <StopsCard draft={draft} change={change} />
          {isDraft ? (
            <Card title="Before you start">
              {isDirty ? (
                <p className="text-ink-2">Save it to see what is missing, and how long it takes.</p>
              ) : (
                <div className="flex flex-col gap-4">
                  <CheckList sequence={sequence} onStep={showStep} />
                  <Forecast sequence={sequence} />
                </div>
              )}
            </Card>
          ) : null}
        </div>
      </div>
      {guard.dialog}
      {dialog === 'start' ? (
        <StartDialog
          {...props}
          sequence={sequence}
          onStarted={() => {
            guard.allow()
            props.onClose()
          }}
        />
      ) : null}
      {dialog === 'underWay' ? (
        <UnderWayDialog
          {...props}
          people={sequence.members.active + sequence.members.paused}
          withGap={countWithGap(figures)}
          busy={isSaving}
          error={fault}
          onSave={(underWay) => void save(underWay)}
        />
      ) : null}
      <ConfirmDialog
        open={dialog === 'delete' && props.open}
        onClose={props.onClose}
        title={`Delete “${sequence.name}”?`}
        action="Delete"
        danger
        busy={remove.isPending}
        error={remove.error === null ? null : sentenceOf(remove.error, 'Failed to delete the sequence')}
        onConfirm={() => remove.mutate({ params: { id: sequence.id } })}
      >
        Its steps and texts are lost. Nothing of it has been sent.
      </ConfirmDialog>
    </div>
  )
}
