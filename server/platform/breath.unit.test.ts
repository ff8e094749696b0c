import { afterEach, expect, it, vi } from 'vitest'
import { makeBreath } from './breath.ts'

afterEach(() => vi.restoreAllMocks())

it('lets other work run when 10 ms have passed, and not before', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const breath = makeBreath()
  const others: string[] = []
  setImmediate(() => others.push('a request'))
  clock.mockReturnValue(1009)
  await breath()
  expect(others).toEqual([])
  clock.mockReturnValue(1010)
  await breath()
  expect(others).toEqual(['a request'])
})
