import type { ReactNode } from 'react'

/** One line of the palette: what it is, and what choosing it does. */
export type Item = {
  id: string
  icon: ReactNode
  title: string
  note?: string
  /** When it was or will be, at the right. */
  when?: string
  /** Other words that lead to it. */
  keywords?: string
  run: () => void
}

export type Group = { name: string; items: readonly Item[] }

/** Of what is always there, what holds every typed word in its title or its other words; all of it for no word. */
export function matching(items: readonly Item[], typed: string): Item[] {
  const typedWords = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return items.filter(({ title, keywords: others = '' }) => {
    const text = ` ${title} ${others}`.toLowerCase()
    // A word begins where it is looked for: "ad" finds "Add Task", not "Reload".
    return typedWords.every((word) => text.includes(` ${word}`))
  })
}

/** The line before or after another, round and round. */
export function stepFrom(items: readonly Item[], id: string | null, by: 1 | -1): Item | undefined {
  const at = items.findIndex((item) => item.id === id)
  if (at === -1) return by === 1 ? items[0] : items.at(-1)
  return items[(at + by + items.length) % items.length]
}

/** Those of several lists that are newest, by a text that sorts as time does. */
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

/** Meetings in the order of use: the next one first, then those to come, then the latest that are over. */
export function byNearness<T extends { start_time: string }>(rows: readonly T[], now: Date): T[] {
  const isOver = ({ start_time }: T) => new Date(start_time) < now
  return rows.toSorted((a, b) => {
    if (isOver(a) !== isOver(b)) return isOver(a) ? 1 : -1
    return isOver(a) ? b.start_time.localeCompare(a.start_time) : a.start_time.localeCompare(b.start_time)
  })
}
