import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { emails } from '#contract/mail/emails.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { fullTime } from '#web/platform/dates/mail-age.ts'

type Source = ReplyOf<typeof emails.replyPreview>['sources'][number]

/** What the lines of a proposed text were taken from, for those who want to check it. */
export function BasedOn({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null
  return (
    <details className="rounded-md border border-line px-3 py-2 text-sm">
      <summary className="w-fit cursor-pointer font-medium text-ink-2 hover:text-ink">
        What this is based on
      </summary>
      <ul className="mt-2 flex flex-col gap-3">
        {sources.map((source, index) => (
          // The list never changes its order, and lines may repeat.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flex min-w-0 flex-col gap-0.5 wrap-anywhere">
            {source.line === source.quote ? null : <p className="font-medium">{source.line}</p>}
            <p className="text-ink-2">
              <Origin source={source} />
            </p>
            <blockquote className="border-l-2 border-line pl-2.5 whitespace-pre-wrap">
              {source.quote}
            </blockquote>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Origin({ source: { kind, writer, written_at: at } }: { source: Source }) {
  const timeZone = useTimeZone()
  if (kind === 'time') return <>A free time in your calendar ({timeZone})</>
  if (kind === 'profile') return <>Your profile</>
  const who = writer === '' ? 'The email' : writer === 'You' ? 'Your email' : `Email from ${writer}`
  return <>{at === null ? who : `${who}, ${fullTime(new Date(at), timeZone)}`}</>
}
