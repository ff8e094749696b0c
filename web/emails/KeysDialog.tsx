import { Dialog } from '#web/ui/Dialog.tsx'
import { Key } from './Key.tsx'

type KeyLine = { keys: readonly string[]; does: string }

/** Every key of the page (`mail-keys.ts`, `use-mail-keys.ts`). */
const KEY_LIST: readonly { title: string; lines: readonly KeyLine[] }[] = [
  {
    title: 'Move around',
    lines: [
      { keys: ['j'], does: 'Next email' },
      { keys: ['k'], does: 'Previous email' },
      { keys: ['o', 'Enter'], does: 'Open' },
      { keys: ['Esc'], does: 'Clear the selection, or close' },
      { keys: ['/'], does: 'Search' },
      { keys: ['?'], does: 'Show this list' },
    ],
  },
  {
    title: 'Act',
    lines: [
      { keys: ['x'], does: 'Select' },
      { keys: ['e'], does: 'Archive, or unarchive' },
      { keys: ['#'], does: 'Move to trash; in Trash: delete permanently' },
      { keys: ['y'], does: 'Restore from Trash' },
      { keys: ['!'], does: 'Report spam; in Spam: not spam' },
      { keys: ['u'], does: 'Mark as read or unread' },
      { keys: ['s'], does: 'Star' },
      { keys: ['z'], does: 'Undo' },
    ],
  },
  {
    title: 'Write',
    lines: [
      { keys: ['c'], does: 'Compose' },
      { keys: ['r'], does: 'Reply' },
      { keys: ['a'], does: 'Reply all' },
      { keys: ['f'], does: 'Forward' },
    ],
  },
  {
    title: 'Go to',
    lines: [
      { keys: ['g', 'i'], does: 'Inbox' },
      { keys: ['g', 's'], does: 'Sent' },
      { keys: ['g', 'd'], does: 'Drafts' },
      { keys: ['g', 'l'], does: 'Scheduled' },
      { keys: ['g', 'a'], does: 'Archived' },
      { keys: ['g', 'p'], does: 'Spam' },
      { keys: ['g', 't'], does: 'Trash' },
    ],
  },
]

/** What the keyboard can do here. */
export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" size="l">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- on a phone the keyboard must be able to scroll it */}
      <section aria-label="Keys" tabIndex={0} className="grid gap-x-10 gap-y-5 pb-2 sm:grid-cols-2">
        {KEY_LIST.map(({ title, lines }) => (
          <section key={title} aria-label={title}>
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
