import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TextMaker } from './hostile-texts.ts'

/** Something that is done with a text. */
export type Reader = (text: string) => unknown

const TIMES = 8
/** Each is tried against the one before: what is cut at a limit shows its growth below it. */
const SIZES = [8, 64, 512].map((kb) => kb * 1024)
/** Eight times the text may cost so many times as much: linear work, and the garbage that it leaves. */
const MOST = 12
/** What costs less (milliseconds) is not told from the cost of memory that is asked for the first time. */
const FLOOR_MS = 5
/** Some kernels count a thread's time in ticks of 4 ms: only what takes many of them is measured. */
const MEASURED_MS = 100
/** A text that costs more is not tried eight times as long. */
const HOPELESS_MS = 3000
/** What was too slow once may have been disturbed. */
const TRIES = 8

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Milliseconds of this thread's processor time; what else the machine does is not in them. */
async function cost(run: Reader, text: string, times = 1): Promise<number> {
  const before = process.threadCpuUsage()
  for (let turn = 0; turn < times; turn += 1) await run(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** How often a text must be read for its cost to be measured. */
async function turnsFor(run: Reader, text: string): Promise<number> {
  let turns = TIMES
  while ((await cost(run, text, turns)) < MEASURED_MS) turns *= 2
  return turns
}

/** How many times as long a reader takes for eight times the text. */
async function ratioOf(run: Reader, small: string, large: string): Promise<number> {
  const [once, all] = [await cost(run, small), await cost(run, large)]
  let least = all / Math.max(once, FLOOR_MS)
  if (least <= MOST) return least
  // As much text in one case as in the other: as much garbage is collected.
  const turns = await turnsFor(run, small)
  for (let tries = 1; tries < TRIES && least > MOST; tries += 1) {
    collectGarbage()
    const each = (await cost(run, small, turns)) / turns
    collectGarbage()
    const eight = ((await cost(run, large, turns / TIMES)) * TIMES) / turns
    least = Math.min(least, eight / each)
  }
  return least
}

/** The worst growth of a reader's cost from one size of a text to eight times as much; Infinity where it ends hardly. */
export async function growth(run: Reader, make: TextMaker): Promise<number> {
  const [least, less, most] = SIZES.map(make) as [string, string, string]
  if ((await cost(run, less)) > HOPELESS_MS) return Infinity
  // Whatever the shorter ones took: it is not too much.
  if ((await cost(run, most)) <= MOST * FLOOR_MS) return 1
  return Math.max(await ratioOf(run, least, less), await ratioOf(run, less, most))
}

/** The texts over which readers take more than their share, as `reader: text: ratio`. */
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
