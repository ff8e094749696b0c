import { useState } from 'react'
import { admin } from '#contract/operations/admin.ts'
import {
  APPEAL_ANSWER_MAX,
  type AppealDecision,
  type Ban,
  BAN_REASON_LABELS,
  bans,
  MISSING_ANSWER,
} from '#contract/operations/bans.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminCommand } from '../admin-calls.ts'

const FAILED = 'The answer could not be sent. Please try again.'

type AnswerDialogProps = { open: boolean; onClose: () => void; ban: Ban }

/** Shows an appeal, and answers it by lifting or keeping the ban. */
export function AnswerDialog({ open, onClose, ban }: AnswerDialogProps) {
  const [answer, setAnswer] = useState('')
  const [wrong, setWrong] = useState<string | undefined>()
  const { mutate, isPending, error, variables } = useAdminCommand(bans.answer, {
    refreshes: [bans.list, admin.users, admin.stats],
    onSuccess: ({ appeal_decision: decision }) => {
      toast.success(decision === 'lift' ? 'Answer sent, the ban is lifted' : 'Answer sent, the ban stays')
      onClose()
    },
  })
  const decide = (decision: AppealDecision) => {
    if (isPending) return
    if (answer.trim() === '') return setWrong(MISSING_ANSWER)
    setWrong(undefined)
    mutate({ params: { id: ban.id }, body: { decision, answer } })
  }
  const deciding = isPending ? variables?.body?.decision : undefined
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Answer Appeal"
      description={`${ban.user_email} gets your answer by mail.`}
      busy={isPending}
      error={error === null ? null : sentenceOf(error, FAILED)}
      footer={
        <>
          <Button onClick={onClose} disabled={isPending}>
            Cancel
          </Button>
          <Button onClick={() => decide('keep')} busy={deciding === 'keep'} disabled={deciding === 'lift'}>
            Keep ban
          </Button>
          <Button
            variant="primary"
            onClick={() => decide('lift')}
            busy={deciding === 'lift'}
            disabled={deciding === 'keep'}
          >
            Lift ban
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Said title={`Banned: ${BAN_REASON_LABELS[ban.reason]}`}>{ban.description}</Said>
        <Said title="Appeal">{ban.appeal_message ?? ''}</Said>
        <Field label="Answer" error={wrong} required>
          <TextArea
            value={answer}
            maxLength={APPEAL_ANSWER_MAX}
            rows={4}
            onChange={(event) => setAnswer(event.target.value)}
          />
        </Field>
      </div>
    </Dialog>
  )
}

function Said({ title, children }: { title: string; children: string }) {
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-sm font-medium">{title}</h3>
      <p className="max-h-60 overflow-y-auto border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-line">
        {children}
      </p>
    </div>
  )
}
