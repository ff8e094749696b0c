import { type Sequence, sequences } from '#contract/outreach/sequences.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { enrolledText, takenBackText } from './sequence-text.ts'

/** A hundred thousand contacts take a while, to put in and to take out. */
export const ENROL_TIMEOUT_MS = 120_000

const REFRESHES = [
  sequences.list,
  sequences.get,
  sequences.members,
  sequences.figures,
  sequences.ofContact,
] as const

type Reply = ReplyOf<typeof sequences.enrol>
type Then = { onWarnings: (reply: Reply) => void; onDone: () => void; onFailed: () => void }

/** Puts contacts into a sequence, says how many, and offers to take exactly these out again; or hands over the warnings to confirm. */
export function useEnrol(
  sequence: Pick<Sequence, 'id' | 'name'> | undefined,
  { onWarnings, onDone, onFailed }: Then,
) {
  const undo = useCommand(sequences.undoEnrol, {
    refreshes: REFRESHES,
    onSuccess: (reply) => void toast.success(takenBackText(reply)),
    onError: (error) => void toast.error(sentenceOf(error, 'Failed to take them out again')),
  })
  return useCommand(sequences.enrol, {
    refreshes: REFRESHES,
    onSuccess: (reply, { params }) => {
      const { enrolment } = reply
      if (reply.warnings.length > 0) return onWarnings(reply)
      toast.success(
        enrolledText(reply, sequence?.name ?? ''),
        enrolment === null || params === undefined
          ? {}
          : { undo: () => undo.mutate({ params, body: { enrolment }, timeoutMs: ENROL_TIMEOUT_MS }) },
      )
      onDone()
    },
    onError: onFailed,
  })
}
