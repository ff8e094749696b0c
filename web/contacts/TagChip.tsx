import type { Tag } from '#contract/tags.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { cx } from '#web/ui/cx.ts'

/** A tag in its colour. */
export function TagChip({ tag, className }: { tag: Pick<Tag, 'name' | 'colour'>; className?: string }) {
  return (
    <Badge tone={tag.colour} className={cx('max-w-44 rounded-sm!', className)}>
      <span className="truncate">{tag.name}</span>
    </Badge>
  )
}

/** A contact's tags in a line; what has no room is counted. */
export function TagLine({ tags, atMost = 3 }: { tags: readonly Tag[]; atMost?: number }) {
  if (tags.length === 0) return null
  const rest = tags.slice(atMost)
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-1">
      {tags.slice(0, atMost).map((tag) => (
        <li key={tag.id} className="max-w-full">
          <TagChip tag={tag} className="max-w-full" />
        </li>
      ))}
      {rest.length === 0 ? null : (
        <li className="text-xs leading-5.5 text-ink-2" title={rest.map(({ name }) => name).join(', ')}>
          +{rest.length}
          <span className="sr-only"> more: {rest.map(({ name }) => name).join(', ')}</span>
        </li>
      )}
    </ul>
  )
}
