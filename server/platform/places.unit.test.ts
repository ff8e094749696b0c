import { expect, test } from 'vitest'
import { makePlaces } from './places.ts'

const never = new AbortController().signal

test('places are taken in the order of coming, and no more than there are', async () => {
  const places = makePlaces(2)
  const first = await places(never)
  await places(never)
  const came: string[] = []
  const next = ['third', 'fourth'].map(async (name) => {
    const leave = await places(never)
    came.push(name)
    leave()
  })
  await Promise.resolve()
  expect(came).toEqual([])
  first()
  await Promise.all(next)
  expect(came).toEqual(['third', 'fourth'])
})

test('who gives up frees no place of another, and a place that is left at that moment is not lost', async () => {
  const places = makePlaces(1)
  const leave = await places(never)
  const givesUp = new AbortController()
  const gone = places(givesUp.signal)
  const stays = places(never)
  givesUp.abort(new Error('gone'))
  leave()
  await expect(gone).rejects.toThrow('gone')
  const leaveAgain = await stays
  const late = new AbortController()
  const handed = places(late.signal)
  const last = places(never)
  leaveAgain()
  late.abort(new Error('too late'))
  const leaveHanded = await handed
  leaveHanded()
  expect(await last).toBeTypeOf('function')
})

test('those who would be one too many are refused by the caller’s own error', async () => {
  const places = makePlaces(1, (waiting) => {
    if (waiting >= 1) throw new Error('too many')
  })
  await places(never)
  void places(never)
  await expect(places(never)).rejects.toThrow('too many')
})

test('who has given up before asking takes no place and does not wait', async () => {
  const places = makePlaces(1)
  const leave = await places(never)
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(places(gone)).rejects.toThrow('gone')
  leave()
  await expect(places(gone)).rejects.toThrow('gone')
})
