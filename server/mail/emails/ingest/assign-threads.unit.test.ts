import { describe, expect, test } from 'vitest'
import { findThreads, type KnownThreads, type Threadless } from './assign-threads.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

const mail = (id: number, day: number, over: Partial<Threadless> = {}): Threadless => ({
  id,
  threadId: null,
  messageId: `m${id}`,
  follows: [],
  correspondentKey: 'bob@far.example',
  subject: `Subject ${id}`,
  bySubject: true,
  occurredAt: new Date(START + day * DAY),
  ...over,
})
const known = (over: Partial<KnownThreads> = {}): KnownThreads => ({
  byMessageId: new Map(),
  ofAnswers: new Map(),
  bySubject: new Map(),
  ...over,
})
const threads = (mails: Threadless[], facts = known()) =>
  mails.map(({ id }) => findThreads(mails, facts).threadOf.get(id))

describe('findThreads', () => {
  test('a message that follows nothing starts its own conversation', () => {
    expect(threads([mail(10, 0), mail(11, 1)])).toEqual([10, 11])
  })

  test('answers join what they answer, in any order', () => {
    const chain = [mail(12, 2, { follows: ['m11', 'm10'] }), mail(10, 0), mail(11, 1, { follows: ['m10'] })]
    expect(new Set(threads(chain)).size).toBe(1)
    expect(
      threads([mail(20, 0, { follows: ['stored'] })], known({ byMessageId: new Map([['stored', 7]]) })),
    ).toEqual([7])
  })

  test('a message that comes after its answers joins and merges them', () => {
    const facts = known({ ofAnswers: new Map([['m30', [21, 25]]]) })
    expect(findThreads([mail(30, 0)], facts)).toEqual({ threadOf: new Map([[30, 21]]), merged: [[25, 21]] })
  })

  test('a message with its own conversation joins its parent once its references are known', () => {
    const { threadOf, merged } = findThreads(
      [mail(40, 0, { threadId: 40, follows: ['stored'] })],
      known({ byMessageId: new Map([['stored', 7]]) }),
    )
    expect([threadOf.get(40), merged]).toEqual([7, [[40, 7]]])
  })

  test('without references, personal mail is threaded by subject and person, within 90 days', () => {
    const facts = known({
      bySubject: new Map([
        ['bob@far.example', [{ subject: 'Plans', threadId: 3, occurredAt: new Date(START) }]],
      ]),
    })
    expect(threads([mail(50, 10, { subject: 'AW: plans' })], facts)).toEqual([3])
    expect(threads([mail(50, 91, { subject: 'Re: Plans' })], facts)).toEqual([50])
    expect(
      threads([mail(50, 10, { subject: 'Re: Plans', correspondentKey: 'eve@far.example' })], facts),
    ).toEqual([50])
    expect(threads([mail(50, 10, { subject: 'Plans', bySubject: false })], facts)).toEqual([50])
    expect(threads([mail(50, 0, { subject: 'Re:' }), mail(51, 1, { subject: '' })])).toEqual([50, 51])
  })
})
