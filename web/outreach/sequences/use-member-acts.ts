import type { BodyInput } from '#contract/platform/endpoint.ts'
import { type SequenceMember, sequences } from '#contract/outreach/sequences.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { counted } from '../runs/run-text.ts'

export type MemberAct = BodyInput<typeof sequences.act>['act']

const LABELS: Record<MemberAct, string> = {
  pause: 'Pause',
  go_on: 'Go on',
  next: 'Move to the next step',
  take_out: 'Take out',
  undo_take_out: 'Put back in',
}

/** What can be done with a member now. */
export function actsFor({ state, reason, contact_id: contact }: SequenceMember) {
  const acts: MemberAct[] =
    state === 'active'
      ? ['pause', 'next', 'take_out']
      : state === 'paused'
        ? ['go_on', 'next', 'take_out']
        : state === 'stopped' && reason === 'taken_out' && contact !== null
          ? ['undo_take_out']
          : []
  return acts.map((act) => ({ act, label: LABELS[act] }))
}

const SAID: Record<MemberAct, (many: string) => string> = {
  pause: (many) => `${many} paused`,
  go_on: (many) => `${many} under way again`,
  next: (many) => `${many} moved to the next step`,
  take_out: (many) => `${many} taken out`,
  undo_take_out: (many) => `${many} put back in`,
}

const UNDONE_BY: Partial<Record<MemberAct, MemberAct>> = {
  pause: 'go_on',
  go_on: 'pause',
  take_out: 'undo_take_out',
}

/** Acts on members, says what was done, and offers to undo it. */
export function useMemberActs(id: number) {
  const command = useCommand(sequences.act, {
    refreshes: [sequences.members, sequences.get, sequences.list, sequences.figures, sequences.ofContact],
    onSuccess: ({ changed }, { body }) => {
      if (body === undefined) return
      const undo = UNDONE_BY[body.act]
      toast.success(
        SAID[body.act](counted(changed, 'contact')),
        undo === undefined || changed === 0 ? {} : { undo: () => act(undo, body.ids.map(Number)) },
      )
    },
    onError: (error) => void toast.error(sentenceOf(error, 'Failed to do that')),
  })
  const act = (which: MemberAct, ids: number[]) =>
    command.mutate({ params: { id }, body: { ids, act: which } })
  return { act, isActing: command.isPending }
}
