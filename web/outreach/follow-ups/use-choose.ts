import { followUps } from '#contract/outreach/follow-ups.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'

type Choice = 'skip' | 'never' | 'usual'

const DONE: Record<Choice, (name: string) => string> = {
  skip: (name) => `The next follow-up to ${name} is skipped`,
  never: (name) => `${name} gets no follow-ups`,
  usual: (name) => `${name} is followed up again`,
}

/** Decides for one contact; its name is told in the message that it is done. */
export function useChoose() {
  const change = useCommand(followUps.choose, {
    refreshes: [followUps.get, followUps.counts, followUps.upcoming, followUps.leftOut],
    onError: (error) => toast.error(sentenceOf(error, 'Failed to change the follow-ups')),
  })
  const choose = (contact: { contact_id: number; name: string; email: string }, choice: Choice) =>
    change.mutate(
      { params: { id: contact.contact_id }, body: { choice } },
      { onSuccess: () => toast.success(DONE[choice](contact.name || contact.email)) },
    )
  return { choose, busyWith: change.isPending ? (change.variables.params?.id ?? null) : null }
}
