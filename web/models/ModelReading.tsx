import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { writing, type WritingSettings } from '#contract/mail/writing.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { Switch } from '#web/platform/ui/Switch.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** What the AI model may read by itself. Both are off at first. */
export function ModelReading() {
  const query = useEndpoint(writing.settings)
  return (
    <Card title="What the AI Model May Read">
      <Loaded
        query={query}
        failed="Failed to load these settings"
        waiting={<Skeleton className="h-28 w-full" />}
      >
        {(saved) => <Switches saved={saved} />}
      </Loaded>
    </Card>
  )
}

function Switches({ saved }: { saved: WritingSettings }) {
  const client = useQueryClient()
  const notice = useId()
  const save = useCommand(writing.saveSettings, {
    onSuccess: () => toast.success('Setting saved'),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to save the setting')),
  })
  // The switch shows what was clicked until the server's answer stands.
  const wanted = save.isPending ? save.variables?.body : undefined
  const change = (body: { learns_tone?: boolean; reads_replies?: boolean }) =>
    save.mutate({ body }, { onSettled: () => refresh(client, writing.settings) })
  return (
    <div className="flex flex-col items-start gap-4">
      <Switch
        label="Write in my tone"
        help="For each reply and follow-up, the AI model is shown up to 20 emails that you wrote yourself in the last half year, without quotes, addresses and names of recipients."
        checked={wanted?.learns_tone ?? saved.learns_tone}
        disabled={save.isPending}
        aria-describedby={notice}
        onChange={(event) => change({ learns_tone: event.target.checked })}
      />
      <Switch
        label="Let the AI model read replies that the rules do not understand"
        help="It reads what the reply wants, at most 50 times a day. Anyone who says no gets no more automatic emails. This uses none of your AI requests."
        checked={wanted?.reads_replies ?? saved.reads_replies}
        disabled={save.isPending}
        aria-describedby={notice}
        onChange={(event) => change({ reads_replies: event.target.checked })}
      />
      <p id={notice} className="text-sm text-ink-2">
        {saved.model_available
          ? 'The emails go to the server of the AI model, and nowhere else.'
          : 'No AI model is set up, so nothing is read. Your choice is saved and used once there is one.'}
      </p>
    </div>
  )
}
