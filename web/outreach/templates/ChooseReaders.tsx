import { templates } from '#contract/outreach/templates.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'

type ChooseReadersProps = { templateId: number; onStop: () => void }

/** Above the contacts, while somebody chooses whom to write to with a template. */
export function ChooseReaders({ templateId, onStop }: ChooseReadersProps) {
  const { data } = useEndpoint(templates.get, { params: { id: templateId } })
  // One that is no longer there is not worth a word: it cannot be chosen either.
  if (data === undefined) return null
  return (
    <section
      aria-label="Write with a template"
      className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-2.5"
    >
      <p className="min-w-0 wrap-anywhere">
        Select contacts or filter the list, then choose “Write to these”. They get{' '}
        <span className="font-semibold">{data.name}</span>.
      </p>
      <Button size="s" onClick={onStop}>
        Not now
      </Button>
    </section>
  )
}
