import { ArrowLeft } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type Sequence, sequences } from '#contract/outreach/sequences.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { StoppedAccount } from '#web/outreach/automatic-mail/StoppedAccounts.tsx'
import { useStoppedAccount } from '#web/outreach/automatic-mail/use-stopped-account.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { DetailPage } from '#web/platform/ui/DetailPage.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { outreachPaths } from '../runs/outreach-tabs.ts'
import { AddPeople } from './AddPeople.tsx'
import { Members } from './Members.tsx'
import { SequenceEditor } from './SequenceEditor.tsx'
import { editPath } from './sequence-path.ts'
import { STATE_WORDS } from './sequence-text.ts'
import { StartDialog } from './StartDialog.tsx'
import { StepFigures } from './StepFigures.tsx'

/** The page of one sequence: a draft is written here; one that runs shows how it stands. */
export function SequencePage({ isEdited = false }: { isEdited?: boolean }) {
  return (
    <DetailPage
      endpoint={sequences.get}
      failed="Failed to load the sequence"
      missing={<Missing />}
      waiting={<Skeleton className="h-80 w-full rounded-lg" />}
    >
      {(sequence) => <Whole key={sequence.id} sequence={sequence} isEdited={isEdited} />}
    </DetailPage>
  )
}

function Whole({ sequence, isEdited }: { sequence: Sequence; isEdited: boolean }) {
  useDocumentTitle(sequence.name)
  const [step, setStep] = useState<number | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const { word, tone } = STATE_WORDS[sequence.state]
  const isDraft = sequence.state === 'draft'
  const isWritten = isDraft || (isEdited && sequence.state !== 'ended')
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <BackLink />
        {isWritten ? <Badge tone={tone}>{word}</Badge> : null}
      </div>
      <header
        className={cx(
          'flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pt-1.5 pb-4',
          // Its name stands in a field below.
          isWritten && 'sr-only',
        )}
      >
        <div className="flex min-w-0 items-center gap-3">
          <h2 className="min-w-0 font-display text-lg font-medium tracking-tight wrap-anywhere">
            {sequence.name}
          </h2>
          {isWritten ? null : <Badge tone={tone}>{word}</Badge>}
        </div>
        {isWritten ? null : <Acts sequence={sequence} />}
      </header>
      {sequence.state === 'running' ? <Stopped mailboxId={sequence.mailbox_id} /> : null}
      {isWritten ? (
        // A sequence that was started meanwhile is another thing to edit.
        <SequenceEditor key={isDraft ? 'draft' : 'running'} sequence={sequence} />
      ) : (
        <StepFigures
          sequence={sequence}
          onShow={(id) => {
            setStep(id)
            list.current?.scrollIntoView({ block: 'start' })
          }}
        />
      )}
      {isWritten && !isDraft ? null : (
        <div ref={list} className="scroll-mt-16 pt-5">
          <Members sequence={sequence} add={<AddPeople sequence={sequence} />} step={step} onStep={setStep} />
        </div>
      )}
    </>
  )
}

/** Says that the sequence stands still with its account, if it does. */
function Stopped({ mailboxId }: { mailboxId: number | null }) {
  const account = useStoppedAccount()(mailboxId)
  if (account === undefined) return null
  return (
    <div className="pb-4">
      <StoppedAccount
        account={account}
        headline={`This sequence stands still, like all automatic emails from ${account.address}.`}
      />
    </div>
  )
}

const REFRESHES = [sequences.get, sequences.list, sequences.members, sequences.figures]

/** What can be done with a sequence that has begun. */
function Acts({ sequence }: { sequence: Sequence }) {
  const { id, name, state } = sequence
  const navigate = useNavigate()
  const { what: dialog, show, props } = useOpened<'end' | 'delete' | 'start'>()
  const close = props.onClose
  const failed = (sentence: string) => (error: unknown) => void toast.error(sentenceOf(error, sentence))
  const goOn = useCommand(sequences.start, {
    refreshes: REFRESHES,
    onSuccess: () => void toast.success('The sequence goes on'),
    onError: failed('Failed to let it go on'),
  })
  const pause = useCommand(sequences.pause, {
    refreshes: REFRESHES,
    onSuccess: () => void toast.success('Sequence paused', { undo: () => goOn.mutate({ params: { id } }) }),
    onError: failed('Failed to pause the sequence'),
  })
  const end = useCommand(sequences.end, {
    refreshes: REFRESHES,
    onSuccess: () => {
      toast.success('Sequence ended')
      close()
    },
  })
  const remove = useCommand(sequences.remove, {
    refreshes: [sequences.list],
    onSuccess: () => {
      toast.success('Sequence deleted')
      void navigate(outreachPaths.sequences, { replace: true })
    },
  })
  if (state === 'ended')
    return (
      <>
        <Button onClick={() => show('delete')}>Delete</Button>
        <ConfirmDialog
          open={dialog === 'delete' && props.open}
          onClose={close}
          title={`Delete “${name}”?`}
          action="Delete"
          danger
          busy={remove.isPending}
          error={remove.error === null ? null : sentenceOf(remove.error, 'Failed to delete the sequence')}
          onConfirm={() => remove.mutate({ params: { id } })}
        >
          Its steps and figures are lost. The emails stay where they are.
        </ConfirmDialog>
      </>
    )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button variant="plain" onClick={() => show('end')}>
        End
      </Button>
      <Link to={editPath(id)} className={buttonClass()}>
        Edit
      </Link>
      {state === 'running' ? (
        <Button busy={pause.isPending} onClick={() => pause.mutate({ params: { id } })}>
          Pause
        </Button>
      ) : (
        <Button variant="primary" onClick={() => show('start')}>
          Go on…
        </Button>
      )}
      {dialog === 'start' ? <StartDialog {...props} sequence={sequence} onStarted={close} /> : null}
      <ConfirmDialog
        open={dialog === 'end' && props.open}
        onClose={close}
        title={`End “${name}”?`}
        action="End sequence"
        danger
        busy={end.isPending}
        error={end.error === null ? null : sentenceOf(end.error, 'Failed to end the sequence')}
        onConfirm={() => end.mutate({ params: { id } })}
      >
        It stops for everybody, and emails that have not left are taken back. It cannot be started again; its
        figures stay.
      </ConfirmDialog>
    </div>
  )
}

function BackLink() {
  return (
    <Link
      to={outreachPaths.sequences}
      className="inline-flex items-center gap-1 rounded-sm text-sm text-ink-2 hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-3.5" />
      All sequences
    </Link>
  )
}

function Missing() {
  useDocumentTitle('Sequence')
  return (
    <Card>
      <EmptyState
        title="This sequence does not exist."
        action={
          <Link to={outreachPaths.sequences} className={buttonClass()}>
            Back to Sequences
          </Link>
        }
      />
    </Card>
  )
}
