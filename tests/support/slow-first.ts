import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What is slow, the slowest first: by project, or by the folder of its files. */
const SLOW = [
  ({ project }) => project.name === 'outside',
  ({ moduleId }) => moduleId.includes('/tests/faults/'),
] satisfies ((spec: TestSpecification) => boolean)[]

/** No slow file is left for the end, when nothing else would run beside it; a fresh clone knows no durations. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (spec: TestSpecification) => {
      const at = SLOW.findIndex((isSlow) => isSlow(spec))
      return at < 0 ? SLOW.length : at
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
