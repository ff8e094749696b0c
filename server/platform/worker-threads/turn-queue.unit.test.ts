import { setImmediate as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type Admitted, makeTurnQueue, QueueRefused } from './turn-queue.ts'

const ALL = { running: Infinity, waiting: Infinity, waitMs: Infinity }

/** Has entries wait, and admits them one after the other as a single thread would. */
function lineUp(limits = ALL) {
  const queue = makeTurnQueue<string>(limits)
  const admitted: { name: string; leave: () => void }[] = []
  const enter = (name: string, owner: number, isBackground = false, signal?: AbortSignal, cost?: number) => {
    const place = queue.enter({ owner, isBackground, signal, cost })
    const known = place.then(({ leave }: Admitted<string>) => admitted.push({ name, leave }))
    known.catch(() => {})
    return known
  }
  const admit = async (): Promise<string | null> => {
    const next = queue.next()
    next?.admit('thread')
    await pause()
    return next === undefined ? null : (admitted.at(-1)?.name ?? null)
  }
  return { enter, admit, admitted }
}

test('whoever comes while the first of many is at work is next', async () => {
  const { enter, admit, admitted } = lineUp()
  for (const name of ['a1', 'a2', 'a3']) void enter(name, 1)
  const order = [await admit()]
  void enter('b1', 2)
  for (let more = 0; more < 3; more++) {
    admitted.at(-1)?.leave()
    order.push(await admit())
  }
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3'])
  expect(await admit()).toBeNull()
})

test('twelve owners who ask for much do not keep waiting one who asks for little', async () => {
  const { enter, admit, admitted } = lineUp({ ...ALL, running: 1 })
  const costly = (owner: number) => void enter(`owner ${owner}`, owner, false, undefined, 50)
  for (let owner = 1; owner <= 12; owner++) for (let more = 0; more < 3; more++) costly(owner)
  void enter('honest, while nobody has had a turn', 20)
  expect(await admit()).toBe('honest, while nobody has had a turn')
  for (let turn = 0; turn < 14; turn++) {
    await admit()
    admitted.at(-1)?.leave()
  }
  void enter('honest, after a round', 21)
  void enter('honest, for the second time', 20)
  admitted[0]?.leave()
  expect([await admit(), await admit()]).toEqual(['honest, after a round', 'honest, for the second time'])
})

test('while long work is held back, the next short one of its owner goes on, at the cost of both', async () => {
  const queue = makeTurnQueue<string>(ALL)
  const admitted: string[] = []
  const enter = (name: string, owner: number, isLong: boolean, cost: number) =>
    void queue.enter({ owner, isLong, cost }).then(() => admitted.push(name))
  const admit = async (mayBeLong: boolean) => {
    queue.next(mayBeLong)?.admit('thread')
    await pause()
  }
  enter('long', 1, true, 50)
  await admit(true)
  enter('another long', 1, true, 50)
  enter('short', 1, false, 10)
  enter('short of another', 2, false, 10)
  for (const mayBeLong of [false, false, false, true]) await admit(mayBeLong)
  expect(admitted).toEqual(['long', 'short of another', 'short', 'another long'])
})

test('what was done long ago no longer counts', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const { enter, admit, admitted } = lineUp()
    const turn = async (owner: number, cost: number) => {
      void enter(`owner ${owner}`, owner, false, undefined, cost)
      await admit()
      admitted.at(-1)?.leave()
    }
    await turn(1, 1000)
    vi.advanceTimersByTime(5 * 60_000)
    await turn(2, 10)
    void enter('recent', 2)
    void enter('long ago', 1)
    expect(await admit()).toBe('long ago')
  } finally {
    vi.useRealTimers()
  }
})

test('one owner leaves a place for the others; what is in the background comes last', async () => {
  const { enter, admit } = lineUp({ ...ALL, running: 1 })
  void enter('in the background', 3, true)
  void enter('a1', 1)
  void enter('a2', 1)
  void enter('b1', 2)
  expect([await admit(), await admit(), await admit(), await admit()]).toEqual([
    'a1',
    'b1',
    'in the background',
    null,
  ])
})

test('who gives up, waits too long or has too much waiting is out; the background waits on', async () => {
  vi.useFakeTimers()
  try {
    const { enter, admit } = lineUp({ running: 1, waiting: 2, waitMs: 1000 })
    const caller = new AbortController()
    const given = enter('a1', 1, false, caller.signal)
    const late = enter('a2', 1)
    await expect(enter('a3', 1)).rejects.toThrow(QueueRefused)
    for (const name of ['c1', 'c2', 'c3']) void enter(name, 3, true)
    caller.abort(new Error('hung up'))
    await expect(given).rejects.toThrow('hung up')
    await expect(enter('a4', 1, false, caller.signal)).rejects.toThrow('hung up')
    vi.advanceTimersByTime(1000)
    await expect(late).rejects.toThrow(QueueRefused)
    expect([await admit(), await admit()]).toEqual(['c1', null])
  } finally {
    vi.useRealTimers()
  }
})
