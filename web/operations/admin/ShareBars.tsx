/** Shares of a whole: each with its word, its figure and a bar. */
export function ShareBars({
  label,
  rows,
}: {
  label: string
  rows: readonly { name: string; count: number }[]
}) {
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <ul aria-label={label} className="flex flex-col gap-3">
      {rows.map(({ name, count }) => {
        const percent = total === 0 ? 0 : Math.round((count / total) * 100)
        return (
          <li key={name} className="flex flex-col gap-1">
            <span className="flex items-baseline justify-between gap-3">
              <span>{name}</span>
              <span className="text-ink-2 tabular-nums">
                {count.toLocaleString('en')} · {percent}%
              </span>
            </span>
            <svg
              aria-hidden
              viewBox="0 0 100 2"
              preserveAspectRatio="none"
              className="h-1.5 w-full rounded-full"
            >
              <rect width="100" height="2" className="fill-sunken" />
              <rect width={percent} height="2" className="fill-accent" />
            </svg>
          </li>
        )
      })}
    </ul>
  )
}
