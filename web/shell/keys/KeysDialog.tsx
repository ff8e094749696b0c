import { useLocation } from 'react-router'
import { cx } from '#web/platform/ui/cx.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Key } from '#web/platform/ui/Key.tsx'
import { keysAt } from './page-keys.ts'

/** The keyboard shortcuts of the current page, and those that work everywhere. */
export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { pathname } = useLocation()
  const groups = keysAt(pathname)
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" size={groups.length > 2 ? 'l' : 's'}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard */}
      <section aria-label="Keys" tabIndex={0} className={cx(groups.length > 2 && 'gap-x-10 sm:columns-2')}>
        {groups.map(({ title, lines }) => (
          <section key={title} aria-label={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1.5 text-sm font-medium text-ink-2">{title}</h3>
            <dl className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
              {lines.map(({ keys, does }) => (
                <div key={does} className="col-span-2 grid grid-cols-subgrid py-1">
                  <dt>{does}</dt>
                  <dd className="flex gap-1 justify-self-end">
                    {keys.map((key) => (
                      <Key key={key}>{key}</Key>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  )
}
