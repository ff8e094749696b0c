import type { SequenceStep } from '#contract/outreach/sequences.ts'

/** Members that are at the same place: they came here at the same time and are alike in all that matters to their steps. */
export type Group = {
  /** The place of the sequence among those that are foreseen. */
  sequence: number
  steps: readonly SequenceStep[]
  /** Tells these steps from those of another version. */
  version: number
  step: number
  members: number
  /** The local day on which they had their last automatic mail; '': not today. */
  mailedOn: string
  /** What conditions ask about their contacts. */
  status: string
  tags: readonly string[]
}

/** What groups have in common that are as one. */
export const keyOf = ({ sequence, version, step, mailedOn, status, tags }: Group): string =>
  [sequence, version, step, mailedOn, status, ...tags].join('\n')

/** Groups by the time at which they are due; those at one time in the order in which they came. */
export class GroupQueue {
  readonly #groups = new Map<number, Map<string, Group>>()
  /** The times in it, the earliest first. */
  readonly #times: number[] = []

  /** Adds a group; one that is alike and due at the same time takes it in. */
  add(at: Date, group: Group): void {
    const time = at.getTime()
    let there = this.#groups.get(time)
    if (there === undefined) {
      there = new Map()
      this.#groups.set(time, there)
      // Most are later than nearly all others.
      this.#times.splice(this.#times.findLastIndex((other) => other < time) + 1, 0, time)
    }
    const key = keyOf(group)
    const same = there.get(key)
    there.set(key, same === undefined ? group : { ...same, members: same.members + group.members })
  }

  /** When the first groups are due. */
  first(): Date | undefined {
    const [time] = this.#times
    return time === undefined ? undefined : new Date(time)
  }

  /** Takes all groups that are due first if they are due at this time. */
  take(at: Date): Group[] {
    const [time] = this.#times
    if (time !== at.getTime()) return []
    this.#times.shift()
    const groups = [...(this.#groups.get(time)?.values() ?? [])]
    this.#groups.delete(time)
    return groups
  }
}
