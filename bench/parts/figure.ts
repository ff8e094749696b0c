/** One line of the table: what bare parts need for a piece of work, what Howl needs, and how the two compare. */
export type Figure = {
  name: string
  baseline: string
  howl: string
  /** What the reach is about: Howl's speed as a part of the baseline's, or its cost as a multiple of it. */
  ratio: number
  reach: { atLeast: number } | { atMost: number }
  unit?: 'ratio' | 'MB' | 'ms' | 's' | 'mails'
  /** What else was seen. */
  notes?: string[]
}

/** A benchmark: some figures from one run on one machine. */
export type Benchmark = { name: string; measure: () => Promise<Figure[]> }

/** True when a figure is within its reach. */
export function isMet({ ratio, reach }: Figure): boolean {
  return 'atLeast' in reach ? ratio >= reach.atLeast : ratio <= reach.atMost
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which `part` (0 to 1) of the values lie; NaN without values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (sorted.length - 1) * part
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

/** Runs both sides in turns, the order changing from round to round, so that a slow moment of the machine hits both. */
export async function inTurns<B, H>(
  rounds: number,
  bare: (round: number) => Promise<B>,
  howl: (round: number) => Promise<H>,
): Promise<{ bare: B[]; howl: H[] }> {
  const results: { bare: B[]; howl: H[] } = { bare: [], howl: [] }
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) results.bare.push(await bare(round))
    results.howl.push(await howl(round))
    if (round % 2 === 1) results.bare.push(await bare(round))
  }
  return results
}

/** "12,345" */
export const whole = (value: number) => Math.round(value).toLocaleString('en')
/** "1.23 ms", "45.6 ms", "1.2 s" */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 1)} ms`
}
