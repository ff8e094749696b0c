import { expect, test } from 'vitest'
import { type MailReader, makeMailTaskRunner, MailTaskFailed } from './run-mail-task.ts'

const ADA = { userId: 1 }
const BEA = { userId: 2 }
const SMALL = 'A few words.'
/** More than is worked on where it is. */
const large = (words: string) => words.padEnd(50_000, ' and more')

const worker = (body: string) => new URL(`data:text/javascript,${encodeURIComponent(body)}`)
const broken = worker('throw new Error("broken")')
/** A thread that dies of one word, and never comes to an end over another. */
const fragile = worker(`
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ args: [text] }) => {
    if (text.startsWith('poison')) process.exit(1)
    while (text.includes('labyrinth'));
    parentPort.postMessage({ value: text.slice(0, 5) })
  })
  parentPort.postMessage('ready')`)

test('a little work is done where it is, without a thread', async () => {
  expect(await makeMailTaskRunner({ entry: broken })(ADA, 'newWords', SMALL)).toBe(SMALL)
})

test('a little are 12,000 characters, of all that is given together', async () => {
  const there = worker(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', () => parentPort.postMessage({ value: 'there' }))
    parentPort.postMessage('ready')`)
  const work = makeMailTaskRunner({ idleMs: 10, entry: there })
  const text = 'x'.repeat(12_000)
  expect(await work({ userId: 1 }, 'newWords', text)).toBe(text)
  expect(await work({ userId: 1 }, 'newWords', `${text}x`)).toBe('there')
  expect(await work({ userId: 1 }, 'sanitizeForFrame', text, false, new Map([['a', 'x']]))).toBe('there')
  expect(await work({ userId: 1 }, 'html', Buffer.from(`${text}x`))).toBe('there')
})

test('much work is done in a thread, with the same outcome', async () => {
  const work = makeMailTaskRunner({ idleMs: 10 })
  const html = `<p>${large('Hello')}</p><script>alert(1)</script>`
  expect(await work(ADA, 'sanitizeMailHtml', html)).toEqual({
    html: `<p>${large('Hello')}</p>`,
    remote: 0,
    isWhole: true,
  })
  const images = new Map([['a', 'data:image/png;base64,AA==']])
  expect(await work(ADA, 'sanitizeForFrame', `${html}<img src="cid:a">`, false, images)).toContain(
    images.get('a'),
  )
})

test('a mail that its thread dies of fails alone', async () => {
  const work = makeMailTaskRunner({ idleMs: 10, threads: 1, entry: fragile })
  const [dead, alive] = await Promise.allSettled([
    work(ADA, 'newWords', large('poison')),
    work(ADA, 'newWords', large('Hello')),
  ])
  expect(dead).toMatchObject({ status: 'rejected', reason: expect.any(MailTaskFailed) })
  expect(alive).toEqual({ status: 'fulfilled', value: 'Hello' })
})

test(
  'a mail that never comes to an end is given up, and the next one is read',
  { timeout: 20_000 },
  async () => {
    const work = makeMailTaskRunner({ idleMs: 10, threads: 1, entry: fragile, deadlineMs: 2000 })
    await expect(work(ADA, 'newWords', large('labyrinth'))).rejects.toThrow(
      'This email could not be read in full.',
    )
    expect(await work(ADA, 'newWords', large('Hello'))).toBe('Hello')
  },
)

test('what the work itself throws comes back as a refusal', async () => {
  const nothing = new Uint8Array(50_000).fill(0x0a)
  await expect(makeMailTaskRunner({ idleMs: 10 })(ADA, 'html', nothing)).rejects.toThrow(MailTaskFailed)
})

/** Answers every text with its first word. */
const echo = worker(`
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ args: [text] }) => parentPort.postMessage({ value: text.split(' ')[0] }))
  parentPort.postMessage('ready')`)

test('who has many mails read lets others go first after one of them', async () => {
  const work = makeMailTaskRunner({ idleMs: 10, threads: 1, entry: echo })
  const done: unknown[] = []
  const read = async (reader: MailReader, name: string) =>
    done.push(await work(reader, 'newWords', large(`${name} `)))
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => read(ADA, name)),
    read({ ...ADA, isBackground: true }, 'indexed'),
    ...['b1', 'b2'].map((name) => read(BEA, name)),
  ])
  expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4', 'indexed'])
})

test('of one user so many mails wait, and no more; the others are taken', async () => {
  const perOwner = { running: 1, waiting: 2, waitMs: 60_000 }
  const work = makeMailTaskRunner({ idleMs: 10, threads: 2, entry: echo, perOwner })
  const read = (reader: MailReader, name: string) => work(reader, 'newWords', large(`${name} `))
  const settled = await Promise.allSettled([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => read(ADA, name)),
    read(BEA, 'b1'),
  ])
  expect(settled.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'refused'))).toEqual([
    'a1',
    'a2',
    'a3',
    'refused',
    'b1',
  ])
  expect(settled[3]).toMatchObject({
    reason: {
      status: 429,
      code: 'TOO_MANY_REQUESTS',
      message: 'Other emails of yours are still being read. Please try again in a moment.',
      retryAfterSeconds: 5,
    },
  })
})

test('what nobody waits for any more is not begun, and nothing waits for ever', async () => {
  const perOwner = { running: 1, waiting: 30, waitMs: 500 }
  const work = makeMailTaskRunner({ idleMs: 10, threads: 1, entry: fragile, deadlineMs: 2000, perOwner })
  const caller = new AbortController()
  const first = work(ADA, 'newWords', large('labyrinth'))
  const [given, late] = [
    work({ ...ADA, signal: caller.signal }, 'newWords', large('poison')),
    work(ADA, 'newWords', large('Hello')),
  ]
  caller.abort(new Error('hung up'))
  await expect(given).rejects.toThrow('hung up')
  await expect(late).rejects.toMatchObject({ status: 429 })
  await expect(first).rejects.toThrow(MailTaskFailed)
  expect(await work(ADA, 'newWords', large('Hello'))).toBe('Hello')
})
