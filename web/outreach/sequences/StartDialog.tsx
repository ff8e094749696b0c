import { type Sequence, sequences } from '#contract/outreach/sequences.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { counted } from '../runs/run-text.ts'
import { CheckList, Forecast, useCheck } from './Outlook.tsx'
import { hoursText, stopsText } from './step-text.ts'

type StartDialogProps = { open: boolean; onClose: () => void; sequence: Sequence; onStarted: () => void }

/** What is going to happen, before a sequence begins or goes on. */
export function StartDialog({ open, onClose, sequence, onStarted }: StartDialogProps) {
  const check = useCheck(sequence)
  const start = useCommand(sequences.start, {
    refreshes: [sequences.get, sequences.list, sequences.members, sequences.figures],
    onSuccess: () => {
      toast.success(isNew ? 'The sequence is running' : 'The sequence goes on')
      onStarted()
    },
  })
  const { active } = sequence.members
  const isNew = sequence.state === 'draft'
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`${isNew ? 'Start' : 'Go on with'} “${sequence.name}”`}
      description={
        active === 0
          ? 'Nobody is in it yet. You can add contacts at any time.'
          : `It ${isNew ? 'begins' : 'goes on'} with ${counted(active, 'contact')}.`
      }
      busy={start.isPending}
      error={
        start.error === null
          ? null
          : sentenceOf(start.error, isNew ? 'Failed to start the sequence' : 'Failed to let it go on')
      }
      footer={
        <>
          <Button onClick={onClose} disabled={start.isPending}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={start.isPending}
            disabled={check.data?.ready !== true}
            onClick={() => start.mutate({ params: { id: sequence.id } })}
          >
            {isNew ? 'Start' : 'Go on'}
          </Button>
        </>
      }
      startsInField={false}
    >
      <div className="flex flex-col gap-5">
        <CheckList sequence={sequence} />
        <Forecast sequence={sequence} />
        <p className="text-sm text-ink-2">
          Emails leave {lowered(hoursText(sequence.hours))}. {stopsText(sequence.stops)} stops it for a
          contact.
        </p>
      </div>
    </Dialog>
  )
}

const lowered = (text: string) => (text.startsWith('Every') ? text.replace('Every', 'every') : text)
