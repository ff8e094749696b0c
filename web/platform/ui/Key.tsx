/** A key of the keyboard. */
export function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-block min-w-5 rounded-sm border border-line bg-paper px-1 text-center font-sans text-xs text-ink-2">
      {children}
    </kbd>
  )
}
