import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Selection } from '#contract/crm/contacts.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { Doubtful, Sequence, sequences } from '#contract/outreach/sequences.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { counted } from '../runs/run-text.ts'
import { doubtText } from './sequence-text.ts'
import { ENROL_TIMEOUT_MS, useEnrol } from './use-enrol.ts'

/** Whom to put into which sequence. */
type Wish = { sequence: Pick<Sequence, 'id' | 'name'>; selection: Selection }
/** What was wished, and what stands against it. */
type Asked = Wish & Pick<ReplyOf<typeof sequences.enrol>, 'doubts' | 'others'>

type EnrolDialogProps = {
  open: boolean
  onClose: () => void
  /** They are in that sequence now. */
  onDone: (sequenceId: number) => void
  title: string
  description?: string
  /** Null while it is not known, or there is nobody. */
  wish: Wish | null
  action: string
  isCounting?: boolean
  /** In place of the button that adds them. */
  instead?: ReactNode
  children: ReactNode
}

/** Puts contacts into a sequence. Before somebody who has replied, is to be met or has an unpaid invoice is put in, it asks once. */
export function EnrolDialog({
  wish,
  onDone,
  action,
  isCounting = false,
  instead,
  children,
  ...props
}: EnrolDialogProps) {
  // From the call on it is about what was asked, whatever changes on the page.
  const [asked, setAsked] = useState<Asked | null>(null)
  const now = asked ?? (wish === null ? null : { ...wish, doubts: [], others: 0 })
  const enrol = useEnrol(now?.sequence, {
    onDoubts: ({ doubts, others }) => setAsked(now === null ? null : { ...now, doubts, others }),
    onDone: () => {
      if (now !== null) onDone(now.sequence.id)
    },
    onFailed: () => setAsked(null),
  })
  const add = (doubtful: Doubtful) => {
    if (now === null) return
    setAsked(now)
    enrol.mutate({
      params: { id: now.sequence.id },
      body: { ...now.selection, doubtful },
      timeoutMs: ENROL_TIMEOUT_MS,
    })
  }
  const cancel = (
    <Button onClick={props.onClose} disabled={enrol.isPending}>
      Cancel
    </Button>
  )
  const isAdding = enrol.isPending && enrol.variables?.body?.doubtful === 'add'
  const common = {
    size: 's',
    busy: enrol.isPending,
    error: enrol.error === null ? null : sentenceOf(enrol.error, 'Failed to add the contacts'),
  } as const
  return asked === null || asked.doubts.length === 0 ? (
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
              disabled={wish === null}
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
      {...questionAbout(asked)}
      onSubmit={() => add(asked.others === 0 ? 'add' : 'leave_out')}
      footer={
        <>
          {cancel}
          {asked.others === 0 ? null : (
            <Button onClick={() => add('add')} busy={isAdding}>
              Add them too
            </Button>
          )}
          <Button
            key="answer"
            type="submit"
            variant="primary"
            busy={enrol.isPending && (asked.others === 0 || !isAdding)}
          >
            {asked.others === 0 ? 'Add them anyway' : 'Leave them out'}
          </Button>
        </>
      }
    >
      <Doubts doubts={asked.doubts} />
    </Dialog>
  )
}

function questionAbout({ doubts, others, sequence }: Asked): { title: string; description: string } {
  const inDoubt = doubts.reduce((sum, { contacts }) => sum + contacts, 0)
  const may = `Automatic emails from “${sequence.name}” may be wrong for them.`
  const rest = `${counted(others, 'other contact')} will be added either way.`
  return {
    title: `Add ${counted(inDoubt, 'contact')} you are in touch with?`,
    description: others === 0 ? may : `${may} ${rest}`,
  }
}

/** Takes the focus, so that the question is read out, and no second press of Enter answers it. */
function Doubts({ doubts }: Pick<Asked, 'doubts'>) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => list.current?.focus(), [])
  return (
    <ul ref={list} tabIndex={-1} className="flex list-disc flex-col gap-1.5 pl-5 wrap-anywhere outline-none">
      {doubts.map((each) => (
        <li key={each.doubt}>{doubtText(each)}</li>
      ))}
    </ul>
  )
}
