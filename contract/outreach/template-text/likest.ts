/** Longer words are no slip of the finger. */
const WORD_MAX = 40
const SLIPS_MAX = 3

/** The word that was probably meant; null if none is near. */
export function likest(typed: string, words: readonly string[]): string | null {
  if (typed.length > WORD_MAX) return null
  const name = typed.toLowerCase().replaceAll('-', '_')
  const near = words
    .map((word) => ({ word, slips: slipsBetween(name, word) }))
    .filter(({ slips }) => slips <= SLIPS_MAX)
    .toSorted((one, other) => one.slips - other.slips)
  return near[0]?.word ?? null
}

/** How many letters must be added, left out or changed (Levenshtein). */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of one.split('').entries()) {
    const next = [at + 1]
    for (const [to, target] of other.split('').entries())
      next.push(
        Math.min((row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1, (row[to] ?? 0) + (letter === target ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
