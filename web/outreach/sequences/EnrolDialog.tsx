import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Selection } from '#contract/crm/contacts.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { OnWarning, Sequence, sequences } from '#contract/outreach/sequences.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { counted } from '../runs/run-text.ts'
import { warningText } from './sequence-text.ts'
import { ENROL_TIMEOUT_MS, useEnrol } from './use-enrol.ts'

/** Whom to enrol in which sequence. */
type Enrolment = { sequence: Pick<Sequence, 'id' | 'name'>; selection: Selection }
/** What was submitted, and the warnings about it. */
type Submitted = Enrolment & Pick<ReplyOf<typeof sequences.enrol>, 'warnings' | 'others'>

type EnrolDialogProps = {
  open: boolean
  onClose: () => void
  /** The contacts are in that sequence now. */
  onDone: (sequenceId: number) => void
  title: string
  description?: string
  /** Null while it is not known, or there is nobody. */
  enrolment: Enrolment | null
  action: string
  isCounting?: boolean
  /** In place of the button that adds them. */
  instead?: ReactNode
  children: ReactNode
}

/** Enrols contacts in a sequence. Asks once before it enrols those who have replied, have an upcoming meeting or an unpaid invoice. */
export function EnrolDialog({
  enrolment,
  onDone,
  action,
  isCounting = false,
  instead,
  children,
  ...props
}: EnrolDialogProps) {
  // Kept from the call on: the answer must be about what was submitted, whatever changes on the page.
  const [submitted, setSubmitted] = useState<Submitted | null>(null)
  const now = submitted ?? (enrolment === null ? null : { ...enrolment, warnings: [], others: 0 })
  const enrol = useEnrol(now?.sequence, {
    onWarnings: ({ warnings, others }) => setSubmitted(now === null ? null : { ...now, warnings, others }),
    onDone: () => {
      if (now !== null) onDone(now.sequence.id)
    },
    onFailed: () => setSubmitted(null),
  })
  const add = (on_warning: OnWarning) => {
    if (now === null) return
    setSubmitted(now)
    enrol.mutate({
      params: { id: now.sequence.id },
      body: { ...now.selection, on_warning },
      timeoutMs: ENROL_TIMEOUT_MS,
    })
  }
  const cancel = (
    <Button onClick={props.onClose} disabled={enrol.isPending}>
      Cancel
    </Button>
  )
  const isAdding = enrol.isPending && enrol.variables?.body?.on_warning === 'add'
  const common = {
    size: 's',
    busy: enrol.isPending,
    error: enrol.error === null ? null : sentenceOf(enrol.error, 'Failed to add the contacts'),
  } as const
  return submitted === null || submitted.warnings.length === 0 ? (
    <Dialog
      {...props}
      {...common}
      onSubmit={() => add('ask')}
      footer={
        <>
          {cancel}
          {instead ?? (
            <Button
              key="ask"
              type="submit"
              variant="primary"
              busy={enrol.isPending || isCounting}
              disabled={enrolment === null}
            >
              {action}
            </Button>
          )}
        </>
      }
    >
      {children}
    </Dialog>
  ) : (
    <Dialog
      {...props}
      {...common}
      {...questionAbout(submitted)}
      onSubmit={() => add(submitted.others === 0 ? 'add' : 'skip')}
      footer={
        <>
          {cancel}
          {submitted.others === 0 ? null : (
            <Button onClick={() => add('add')} busy={isAdding}>
              Add them too
            </Button>
          )}
          <Button
            key="answer"
            type="submit"
            variant="primary"
            busy={enrol.isPending && (submitted.others === 0 || !isAdding)}
          >
            {submitted.others === 0 ? 'Add them anyway' : 'Skip them'}
          </Button>
        </>
      }
    >
      <Warnings warnings={submitted.warnings} />
    </Dialog>
  )
}

function questionAbout({ warnings, others, sequence }: Submitted): { title: string; description: string } {
  const warned = warnings.reduce((sum, { contacts }) => sum + contacts, 0)
  const may = `Automatic emails from “${sequence.name}” may be wrong for them.`
  const rest = `${counted(others, 'other contact')} will be added either way.`
  return {
    title: `Add ${counted(warned, 'contact')} you’re in touch with?`,
    description: others === 0 ? may : `${may} ${rest}`,
  }
}

/** Takes the focus, so that the question is read out, and no second press of Enter answers it. */
function Warnings({ warnings }: Pick<Submitted, 'warnings'>) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => list.current?.focus(), [])
  return (
    <ul ref={list} tabIndex={-1} className="flex list-disc flex-col gap-1.5 pl-5 wrap-anywhere outline-none">
      {warnings.map((each) => (
        <li key={each.reason}>{warningText(each)}</li>
      ))}
    </ul>
  )
}
