import { leaving } from '#contract/leaving.ts'
import { mailboxes } from '#contract/mailboxes.ts'
import { sentenceOf } from '#web/api/errors.ts'
import { useCommand, useEndpoint } from '#web/api/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'

/** Below the navigation of every page: mail is paused after the account was restored, and how to resume it. */
export function MailPause() {
  const { data: pause } = useEndpoint(leaving.mailPause, { staleTime: Infinity })
  const resume = useCommand(leaving.resumeMail, {
    refreshes: [leaving.mailPause, mailboxes.get],
    onSuccess: () => toast.success('Your mail is sent and read again'),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to resume mail. Please try again.')),
  })
  if (pause === undefined || pause.paused_at === null) return null
  return (
    <section aria-label="Mail paused" className="border-t border-line bg-amber-soft">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 text-sm md:px-6">
        <p className="min-w-0 flex-1 basis-60">
          <span className="font-medium">Your mail is paused.</span> Your account was restored. Nothing is sent
          or read until you resume it.{waitingText(pause.waiting)}
        </p>
        <Button size="s" busy={resume.isPending} onClick={() => resume.mutate({})}>
          Resume mail
        </Button>
      </div>
    </section>
  )
}

function waitingText(waiting: number): string {
  if (waiting === 0) return ''
  return waiting === 1 ? ' 1 email leaves then.' : ` ${waiting.toLocaleString('en')} emails leave then.`
}
