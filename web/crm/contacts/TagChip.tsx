import type { Tag } from '#contract/crm/tags.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { cx } from '#web/platform/ui/cx.ts'

/** A tag in its colour. */
export function TagChip({ tag, className }: { tag: Pick<Tag, 'name' | 'colour'>; className?: string }) {
  return (
    <Badge tone={tag.colour} className={cx('max-w-44 rounded-sm!', className)}>
      <span className="truncate">{tag.name}</span>
    </Badge>
  )
}

/** A contact's tags in one line; tags that do not fit are counted. */
export function TagLine(props: { tags: readonly Tag[]; atMost?: number; oneLine?: boolean }) {
  const { tags, atMost = 3, oneLine = false } = props
  if (tags.length === 0) return null
  const rest = tags.slice(atMost)
  return (
    <ul aria-label="Tags" className={cx('flex gap-1', oneLine ? 'max-w-1/2 min-w-0 shrink-0' : 'flex-wrap')}>
      {tags.slice(0, atMost).map((tag) => (
        <li key={tag.id} className={oneLine ? 'min-w-0' : 'max-w-full'}>
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
