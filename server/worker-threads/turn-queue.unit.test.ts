import { setImmediate as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type Admitted, makeTurnQueue, QueueRefused } from './turn-queue.ts'

const ALL = { running: Infinity, waiting: Infinity, waitMs: Infinity }

/** Has entries wait, and admits them one after the other as a single thread would. */
function lineUp(limits = ALL) {
  const queue = makeTurnQueue<string>(limits)
  const admitted: { name: string; leave: () => void }[] = []
  const enter = (name: string, owner: number, isBackground = false, signal?: AbortSignal) => {
    const place = queue.enter({ owner, isBackground, signal })
    const known = place.then(({ leave }: Admitted<string>) => admitted.push({ name, leave }))
    known.catch(() => {})
    return known
  }
  const admit = async (): Promise<string | null> => {
    const next = queue.next()
    next?.('thread')
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
