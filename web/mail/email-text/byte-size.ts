const UNITS = ['B', 'kB', 'MB', 'GB'] as const
const STEP = 1000

/** "840 B", "12 kB", "3.4 MB": in powers of 1000, as file managers do. */
export function byteSize(bytes: number): string {
  let amount = bytes
  let unit = 0
  for (; amount >= STEP && unit < UNITS.length - 1; unit += 1) amount /= STEP
  const digits = unit > 1 && amount < 10 ? 1 : 0
  return `${amount.toFixed(digits)} ${UNITS[unit]}`
}
