import { showKeys } from '#web/platform/show-keys.ts'
import { Key } from '#web/platform/ui/Key.tsx'

/** The reading pane while no mail is open, with the most useful shortcuts. */
export function NothingOpen() {
  return (
    <div className="hidden place-items-center border-l border-line bg-surface p-6 text-center text-ink-2 lg:grid">
      <div>
        <p>Choose an email to read it here.</p>
        <p className="mt-2 text-sm">
          <Key>j</Key> <Key>k</Key> go through the list, <Key>Enter</Key> opens, <Key>e</Key> archives.
        </p>
        <button type="button" onClick={showKeys} className="mt-2 text-sm text-link">
          All keyboard shortcuts
        </button>
      </div>
    </div>
  )
}
