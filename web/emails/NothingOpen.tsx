/** The reading pane before a mail is chosen: quiet, with the keys that lead on. */
export function NothingOpen() {
  return (
    <div className="hidden place-items-center border-l border-line bg-surface p-6 text-center text-ink-2 lg:grid">
      <div>
        <p>Choose an email to read it here.</p>
        <p className="mt-2 text-sm">
          <Key>j</Key> <Key>k</Key> go through the list, <Key>Enter</Key> opens, <Key>/</Key> searches.
        </p>
      </div>
    </div>
  )
}

function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-block min-w-5 rounded-sm border border-line bg-paper px-1 text-center font-sans text-xs">
      {children}
    </kbd>
  )
}
