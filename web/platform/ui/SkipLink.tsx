/** The first Tab stop: skips the navigation. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-ink px-3 py-2 text-paper focus:translate-y-0"
    >
      Skip to content
    </a>
  )
}
