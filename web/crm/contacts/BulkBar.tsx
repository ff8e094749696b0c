import { Ban, Download, ListPlus, MailCheck, Send, Tag, Tags, Trash2, X } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { CHOSEN_MAX } from '#contract/crm/contacts.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import type { BulkAction } from './BulkDialog.tsx'
import type { ContactSelection } from './use-contact-selection.ts'

type BulkBarProps = {
  selection: ContactSelection
  /** How many contacts match the filter; null while unknown. */
  total: number | null
  onAction: (action: BulkAction) => void
  onExport: () => void
  onWrite: () => void
  onSequence: () => void
}

/** The bulk actions for the selected contacts. The bar stays in view while the list scrolls. */
export function BulkBar({ selection, total, onAction, onExport, onWrite, onSequence }: BulkBarProps) {
  const clear = useEffectEvent(selection.clear)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere = document.querySelector('[role=dialog],[role=menu]') !== null
      if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) clear()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const { count, isAll } = selection
  const offersAll = !isAll && total !== null && total > count
  const actionButton = (kind: BulkAction, label: string, icon: typeof Tag, danger = false) => {
    const Icon = icon
    return (
      <IconButton label={label} icon={<Icon aria-hidden />} danger={danger} onClick={() => onAction(kind)} />
    )
  }
  return (
    <div className="pointer-events-none sticky bottom-3 z-20 flex justify-center px-2 py-2 max-md:bottom-18">
      <div
        role="toolbar"
        aria-label="Selected contacts"
        className="pointer-events-auto flex max-w-full flex-wrap items-center justify-center gap-x-1 rounded-lg border border-line bg-surface py-1 pr-1 pl-3 shadow-float"
      >
        <p aria-live="polite" className="pr-1 font-medium whitespace-nowrap tabular-nums">
          {isAll ? `All ${count.toLocaleString('en')}` : count.toLocaleString('en')} selected
        </p>
        {offersAll ? (
          <Button variant="plain" size="s" className="text-accent!" onClick={() => selection.all(total)}>
            Select all {total.toLocaleString('en')}
          </Button>
        ) : null}
        <span aria-hidden className="mx-1 h-5 w-px bg-line max-sm:hidden" />
        <Button size="s" icon={<Send aria-hidden className="size-4" />} onClick={onWrite}>
          Write to these
        </Button>
        <div className="flex items-center">
          {actionButton('tag', 'Add tag', Tag)}
          {actionButton('untag', 'Remove tag', Tags)}
          <IconButton
            label={
              isAll || count <= CHOSEN_MAX
                ? 'Export selected'
                : `Export up to ${CHOSEN_MAX} contacts selected one by one`
            }
            icon={<Download aria-hidden />}
            disabled={!isAll && count > CHOSEN_MAX}
            onClick={onExport}
          />
          <IconButton label="Add to a sequence" icon={<ListPlus aria-hidden />} onClick={onSequence} />
          {actionButton('stop', 'Stop mailing', Ban)}
          {actionButton('lift', 'Allow mailing', MailCheck)}
          {actionButton('delete', 'Delete selected', Trash2, true)}
          <span aria-hidden className="mx-1 h-5 w-px bg-line" />
          <IconButton
            label="Clear selection"
            data-tip="Clear selection (Esc)"
            icon={<X aria-hidden />}
            onClick={selection.clear}
          />
        </div>
      </div>
    </div>
  )
}
