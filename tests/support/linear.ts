import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TextMaker } from './hostile-texts.ts'

/** A function that reads a text, or whatever else can be long. */
export type Reader<Input = string> = (input: Input) => unknown
/** Makes an input of about such a size: characters of a text, items of a list. */
type Maker<Input> = (size: number) => Input

const TIMES = 8
/** Eight times the text may cost so many times as much: linear work, and the garbage that it leaves. */
const MOST = 12
/** Shorter times (milliseconds) cannot be told from the cost of memory that is allocated for the first time. */
const FLOOR_MS = 5
/** Some kernels count a thread's time in ticks of 4 ms: only times of many ticks are measured. */
const MEASURED_MS = 100
/** A slow measurement may have been disturbed, so it is repeated. */
const TRIES = 8

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Three sizes, each eight times the one before: what is cut at a limit shows its growth below the limit. */
export function sizesUpTo(most: number): number[] {
  return [TIMES * TIMES, TIMES, 1].map((part) => Math.floor(most / part))
}

const SIZES = sizesUpTo(512 * 1024)

/** Milliseconds of this thread's processor time, without other work of the machine. */
async function cost<Input>(run: Reader<Input>, input: Input, times = 1): Promise<number> {
  const before = process.threadCpuUsage()
  for (let turn = 0; turn < times; turn += 1) await run(input)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** How many times as long a reader takes for eight times as much, both so often that the same garbage is collected. */
async function ratioOf<Input>(run: Reader<Input>, small: Input, large: Input, floor: number) {
  let turns = TIMES
  while ((await cost(run, small, turns)) < MEASURED_MS) turns *= 2
  collectGarbage()
  const each = (await cost(run, small, turns)) / turns
  collectGarbage()
  const eight = ((await cost(run, large, turns / TIMES)) * TIMES) / turns
  return eight / Math.max(each, floor)
}

const bare = (size: number) => `[${'"a b",'.repeat(size / 6)}""]`
/** How many times as long linear work takes for eight times as much, on this machine at this moment: a bare baseline. */
const bareRatio = () => ratioOf<string>((text) => JSON.parse(text), bare(SIZES[1]!), bare(SIZES[2]!), 0)

/**
 * The worst growth of a reader's cost from one size to eight times as much. What the machine does to any linear work is taken off.
 * A size is not tried where the one before grew too fast: it might never end.
 */
export async function growth<Input>(run: Reader<Input>, make: Maker<Input>, sizes = SIZES): Promise<number> {
  let worst = 1
  for (let at = 1; at < sizes.length && worst <= MOST; at += 1) {
    const large = make(sizes[at]!)
    const once = await cost(run, large)
    // Fast enough, whatever the smaller one takes.
    if (once <= MOST * FLOOR_MS) continue
    const small = make(sizes[at - 1]!)
    let least = once / Math.max(await cost(run, small), FLOOR_MS)
    for (let tries = 1; tries < TRIES && least > MOST; tries += 1) {
      const machine = Math.max(1, (await bareRatio()) / TIMES)
      least = Math.min(least, (await ratioOf(run, small, large, FLOOR_MS)) / machine)
    }
    worst = Math.max(worst, least)
  }
  return worst
}

/** Whether a cost grows faster than it may. */
export const isTooFast = (ratio: number) => ratio > MOST

/** The texts on which readers are slower than linear, as `reader: text: ratio`. */
export async function slowReaders(
  readers: Readonly<Record<string, Reader>>,
  texts: ReadonlyMap<string, TextMaker>,
  sizes = SIZES,
): Promise<string[]> {
  const slow: string[] = []
  for (const [name, run] of Object.entries(readers))
    for (const [text, make] of texts) {
      const ratio = await growth(run, make, sizes)
      if (isTooFast(ratio)) slow.push(`${name}: ${text}: ${ratio.toFixed(1)}`)
    }
  return slow
}
