import { useQueryClient } from '@tanstack/react-query'
import { type Batch, outreach } from '#contract/outreach/runs.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { keepRun } from './use-current-run.ts'

/** Pauses, resumes and cancels a run, or has its rest written from the template. */
export function useRunCommands(run: Batch | null | undefined) {
  const client = useQueryClient()
  const does = {
    onSuccess: (reply: Batch) => keepRun(client, reply),
    onError: (error: ApiError) => {
      toast.error(sentenceOf(error, 'That did not work. Please try again.'))
      // The run has probably ended meanwhile: show its state.
      void refresh(client, outreach.current)
    },
  }
  const pause = useCommand(outreach.pause, does)
  const resume = useCommand(outreach.resume, does)
  const cancel = useCommand(outreach.cancel, does)
  const withoutModel = useCommand(outreach.withoutModel, does)
  const input = { params: { id: run?.batch_id ?? 0 } }
  return {
    pause: () => pause.mutate(input),
    resume: () => resume.mutate(input),
    withoutModel: (onDone: () => void) => withoutModel.mutate(input, { onSettled: onDone }),
    cancel: (onDone: () => void) => cancel.mutate(input, { onSettled: onDone }),
    holding: pause.isPending || resume.isPending,
    cancelling: cancel.isPending,
    switching: withoutModel.isPending,
  }
}
