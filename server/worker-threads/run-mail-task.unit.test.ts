import { expect, test } from 'vitest'
import { makeMailWork, WorkFailed } from './run-mail-task.ts'

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
  expect(await makeMailWork({ entry: broken })('newWords', SMALL)).toBe(SMALL)
})

test('a little are 12,000 characters, of all that is given together', async () => {
  const there = worker(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', () => parentPort.postMessage({ value: 'there' }))
    parentPort.postMessage('ready')`)
  const work = makeMailWork({ idleMs: 10, entry: there })
  const text = 'x'.repeat(12_000)
  expect(await work('newWords', text)).toBe(text)
  expect(await work('newWords', `${text}x`)).toBe('there')
  expect(await work('sanitizeForFrame', text, false, new Map([['a', 'x']]))).toBe('there')
  expect(await work('html', Buffer.from(`${text}x`))).toBe('there')
})

test('much work is done in a thread, with the same outcome', async () => {
  const work = makeMailWork({ idleMs: 10 })
  const html = `<p>${large('Hello')}</p><script>alert(1)</script>`
  expect(await work('sanitizeMailHtml', html)).toEqual({ html: `<p>${large('Hello')}</p>`, remote: 0 })
  const images = new Map([['a', 'data:image/png;base64,AA==']])
  expect(await work('sanitizeForFrame', `${html}<img src="cid:a">`, false, images)).toContain(images.get('a'))
})

test('a mail that its thread dies of fails alone', async () => {
  const work = makeMailWork({ idleMs: 10, threads: 1, entry: fragile })
  const [dead, alive] = await Promise.allSettled([
    work('newWords', large('poison')),
    work('newWords', large('Hello')),
  ])
  expect(dead).toMatchObject({ status: 'rejected', reason: expect.any(WorkFailed) })
  expect(alive).toEqual({ status: 'fulfilled', value: 'Hello' })
})

test(
  'a mail that never comes to an end is given up, and the next one is read',
  { timeout: 20_000 },
  async () => {
    const work = makeMailWork({ idleMs: 10, threads: 1, entry: fragile, deadlineMs: 2000 })
    await expect(work('newWords', large('labyrinth'))).rejects.toThrow(
      'This email could not be read in full.',
    )
    expect(await work('newWords', large('Hello'))).toBe('Hello')
  },
)

test('what the work itself throws comes back as a refusal', async () => {
  const nothing = new Uint8Array(50_000).fill(0x0a)
  await expect(makeMailWork({ idleMs: 10 })('html', nothing)).rejects.toThrow(WorkFailed)
})
