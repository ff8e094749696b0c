import { Settings2 } from 'lucide-react'
import { Suspense } from 'react'
import { tags as tagCalls } from '#contract/crm/tags.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { tagKey } from './tag-suggestions.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const TagsDialog = lazyPart(() => import('./TagsDialog.tsx'), 'TagsDialog')

/** Filters the list by one tag, with a way to rename, recolour and delete tags. Shown only if there are tags. */
export function TagFilter({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (name: string) => void
}) {
  const { data: tags = [] } = useEndpoint(tagCalls.list)
  const dialog = useOpened<'tags'>()
  if (tags.length === 0 && value === undefined && dialog.turn === 0) return null
  const chosen =
    value === undefined ? '' : (tags.find(({ name }) => tagKey(name) === tagKey(value))?.name ?? value)
  const isKnown = chosen === '' || tags.some(({ name }) => name === chosen)
  return (
    <span className="inline-flex items-center max-sm:flex-1">
      <Select
        aria-label="Tag"
        className="w-36 max-sm:flex-1"
        value={chosen}
        onChange={(event) => onChange(event.target.value)}
        options={[
          { value: '', label: 'All tags' },
          ...tags.map(({ name }) => ({ value: name, label: name })),
          ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
        ]}
      />
      <IconButton label="Manage tags" icon={<Settings2 aria-hidden />} onClick={() => dialog.show('tags')} />
      <Suspense fallback={null}>
        {dialog.what === null ? null : <TagsDialog key={dialog.turn} {...dialog.props} />}
      </Suspense>
    </span>
  )
}
