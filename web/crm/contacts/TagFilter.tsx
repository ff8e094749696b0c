import { Settings2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { tags as tagCalls } from '#contract/crm/tags.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { tagKey } from './tag-suggestions.ts'

const TagsDialog = lazy(() => import('./TagsDialog.tsx').then((part) => ({ default: part.TagsDialog })))

/** Filters the list by one tag, with a way to rename, recolour and delete tags. Shown only if there are tags. */
export function TagFilter({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (name: string) => void
}) {
  const { data: tags = [] } = useEndpoint(tagCalls.list)
  const [dialog, setDialog] = useState({ open: false, turn: 0 })
  if (tags.length === 0 && value === undefined && dialog.turn === 0) return null
  const chosen =
    value === undefined ? '' : (tags.find(({ name }) => tagKey(name) === tagKey(value))?.name ?? value)
  const isKnown = chosen === '' || tags.some(({ name }) => name === chosen)
  const close = () => setDialog({ ...dialog, open: false })
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
      <IconButton
        label="Manage tags"
        icon={<Settings2 aria-hidden />}
        onClick={() => setDialog({ open: true, turn: dialog.turn + 1 })}
      />
      <Suspense fallback={null}>
        {dialog.turn === 0 ? null : <TagsDialog key={dialog.turn} open={dialog.open} onClose={close} />}
      </Suspense>
    </span>
  )
}
