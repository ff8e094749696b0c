import type { ReactNode } from 'react'

/** A line of the palette: its content, and what choosing it does. */
export type Item = {
  id: string
  icon: ReactNode
  title: string
  note?: string
  /** The date of the row, shown on the right. */
  when?: string
  /** More words that find it. */
  keywords?: string
  run: () => void
}

export type Group = { name: string; items: readonly Item[] }

/** The pages and actions that contain every typed word in their title or keywords; all of them if nothing is typed. */
export function matching(items: readonly Item[], typed: string): Item[] {
  const typedWords = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return items.filter(({ title, keywords: others = '' }) => {
    const text = ` ${title} ${others}`.toLowerCase()
    // Matches only the beginning of a word: "ad" finds "Add Task", not "Reload".
    return typedWords.every((word) => text.includes(` ${word}`))
  })
}

/** The next or previous line; wraps around at the ends. */
export function stepFrom(items: readonly Item[], id: string | null, by: 1 | -1): Item | undefined {
  const at = items.findIndex((item) => item.id === id)
  if (at === -1) return by === 1 ? items[0] : items.at(-1)
  return items[(at + by + items.length) % items.length]
}

/** The newest rows of several lists; `timeOf` returns a timestamp that sorts as text. */
export function newestOf<T>(
  lists: readonly (readonly T[])[],
  timeOf: (row: T) => string,
  count: number,
): T[] {
  return lists
    .flat()
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
    .slice(0, count)
}

/** Meetings by usefulness: upcoming ones first, the next one on top, then past ones, the latest first. */
export function byNearness<T extends { start_time: string }>(rows: readonly T[], now: Date): T[] {
  const isOver = ({ start_time }: T) => new Date(start_time) < now
  return rows.toSorted((a, b) => {
    if (isOver(a) !== isOver(b)) return isOver(a) ? 1 : -1
    return isOver(a) ? b.start_time.localeCompare(a.start_time) : a.start_time.localeCompare(b.start_time)
  })
}
