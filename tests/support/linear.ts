import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TextMaker } from './hostile-texts.ts'

/** A function that reads a text. */
export type Reader = (text: string) => unknown

const TIMES = 8
/** Each size is compared with the one before: a text that is cut at a limit shows its growth below the limit. */
const SIZES = [8, 64, 512].map((kb) => kb * 1024)
/** Eight times the text may cost so many times as much: linear work, and the garbage that it leaves. */
const MOST = 12
/** Shorter times (milliseconds) cannot be told from the cost of memory that is allocated for the first time. */
const FLOOR_MS = 5
/** Some kernels count a thread's time in ticks of 4 ms: only times of many ticks are measured. */
const MEASURED_MS = 100
/** If a text costs more, the one eight times as long is not tried. */
const HOPELESS_MS = 3000
/** A slow measurement may have been disturbed, so it is repeated. */
const TRIES = 8

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Milliseconds of this thread's processor time, without other work of the machine. */
async function cost(run: Reader, text: string, times = 1): Promise<number> {
  const before = process.threadCpuUsage()
  for (let turn = 0; turn < times; turn += 1) await run(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** What a run costs, in milliseconds: the least of some measurements, where the first is above `enough`. */
export function leastCost(run: () => void, enough: number): number {
  let least = Infinity
  for (
    let tries = 0;
    tries < TRIES && least > enough && !(least < Infinity && least > HOPELESS_MS);
    tries += 1
  ) {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** How often a text must be read for its cost to be measured. */
async function turnsFor(run: Reader, text: string): Promise<number> {
  let turns = TIMES
  while ((await cost(run, text, turns)) < MEASURED_MS) turns *= 2
  return turns
}

/** A text, and the milliseconds that it took once. */
type Timed = { text: string; ms: number }

/** How many times as long a reader takes for eight times the text. */
async function ratioOf(run: Reader, small: Timed, large: Timed): Promise<number> {
  let least = large.ms / Math.max(small.ms, FLOOR_MS)
  if (least <= MOST) return least
  // The same amount of text in both cases, so that the same amount of garbage is collected.
  const turns = await turnsFor(run, small.text)
  for (let tries = 1; tries < TRIES && least > MOST; tries += 1) {
    collectGarbage()
    const each = (await cost(run, small.text, turns)) / turns
    collectGarbage()
    const eight = ((await cost(run, large.text, turns / TIMES)) * TIMES) / turns
    least = Math.min(least, eight / Math.max(each, FLOOR_MS))
  }
  return least
}

/** The worst growth of a reader's cost from one size of a text to eight times as much; Infinity if it hardly ends. */
export async function growth(run: Reader, make: TextMaker): Promise<number> {
  const [least, less, most] = SIZES.map(make) as [string, string, string]
  if ((await cost(run, less)) > HOPELESS_MS) return Infinity
  const longest = { text: most, ms: await cost(run, most) }
  // Fast enough, whatever the shorter ones took.
  if (longest.ms <= MOST * FLOOR_MS) return 1
  // Once more: before, the reader was not compiled yet.
  const middle = { text: less, ms: await cost(run, less) }
  const shortest = { text: least, ms: await cost(run, least) }
  return Math.max(await ratioOf(run, shortest, middle), await ratioOf(run, middle, longest))
}

/** The texts on which readers are slower than linear, as `reader: text: ratio`. */
export async function slowReaders(
  readers: Readonly<Record<string, Reader>>,
  texts: ReadonlyMap<string, TextMaker>,
): Promise<string[]> {
  const slow: string[] = []
  for (const [name, run] of Object.entries(readers))
    for (const [text, make] of texts) {
      const ratio = await growth(run, make)
      if (ratio > MOST) slow.push(`${name}: ${text}: ${ratio.toFixed(1)}`)
    }
  return slow
}
