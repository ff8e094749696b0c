import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type BriefFields, briefFields } from '#contract/outreach/briefs.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '#web/platform/api/call.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { useSettled } from '#web/platform/ui/use-settled.ts'

/** How the first mail would sound with what stands in the form. */
export function Example({ entries }: { entries: BriefFields }) {
  const settled = useSettled(JSON.stringify(entries))
  const read = briefFields.safeParse(JSON.parse(settled))
  const { data, error } = useQuery({
    queryKey: [`${outreach.example.method} ${outreach.example.path}`, settled],
    queryFn: ({ signal }) => call(outreach.example, { body: read.data as BriefFields, signal }),
    enabled: read.success,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const isEmpty = entries.offer.trim() === ''
  return (
    <Card title="How the first email would sound">
      {isEmpty || data === undefined ? (
        <p className="text-ink-2">
          {error === null || isEmpty
            ? 'Say what you offer, and the email appears here while you type.'
            : 'The example cannot be shown at the moment.'}
        </p>
      ) : (
        <>
          <p className="text-sm text-ink-2">To {data.name}</p>
          <p className="mt-2 font-medium wrap-anywhere">{data.subject}</p>
          <p dir="auto" className="mt-2 leading-relaxed wrap-anywhere whitespace-pre-wrap">
            {data.text.trimEnd()}
          </p>
        </>
      )}
      <p className="mt-4 border-t border-line pt-3 text-sm text-ink-2">
        Your words stand as you write them. Where a language model is set up, it writes a new email for each
        contact from them, and your signature is added below.
      </p>
    </Card>
  )
}
