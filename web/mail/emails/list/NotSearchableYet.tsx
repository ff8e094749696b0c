import { notSearchableText } from '#web/mail/email-text/not-searchable.ts'
import { Spinner } from '#web/platform/ui/Spinner.tsx'

/** A note above the results: how many mails the search could not cover yet. Nothing if it covered all. */
export function NotSearchableYet({ count }: { count: number | undefined }) {
  const message = notSearchableText(count)
  if (message === null) return null
  return (
    <p className="flex items-center gap-2 border-b border-line bg-sunken px-4 py-2 text-sm text-ink-2">
      <Spinner className="size-3.5 shrink-0" />
      <span>{message} The results will update by themselves.</span>
    </p>
  )
}
