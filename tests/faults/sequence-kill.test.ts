import { expect, it } from 'vitest'
import { killInSequence } from './sequence-kill.ts'

it('sends everybody in a sequence one mail when the process is killed at random', async () => {
  const { inRounds, whileSending } = await killInSequence(260, 2, 20_261_126)
  expect(inRounds + whileSending).toBe(2)
})
