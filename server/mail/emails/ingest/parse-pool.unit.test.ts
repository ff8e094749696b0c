import { expect, test } from 'vitest'
import { textOfRow } from './message-rows.ts'
import type { ParseResult, MailToParse } from './parse-batch.ts'
import { makeParsePool } from './parse-pool.ts'

const folder = { role: 'inbox' as const, ownKeys: new Set(['ada@muster.example']) }

function message(text: string): MailToParse {
  const lines = ['From: Bob <bob@far.example>', 'Subject: A message', 'Message-ID: <1@far.example>', '', text]
  const raw = Buffer.from(lines.join('\r\n'))
  const receivedAt = new Date('2026-01-02T03:04:05Z')
  return { raw, arrival: { receivedAt, flags: new Set(['\\Seen']), size: raw.length } }
}

/** Enough messages that the pool uses a thread. */
const messages = (count: number) => Array.from({ length: count }, (_, index) => message(`Number ${index}`))

const textOf = (read: ParseResult | undefined) =>
  read !== undefined && 'mail' in read ? textOfRow(read.row) : read?.fault

const bytesOf = (read: ParseResult | undefined) =>
  read !== undefined && 'mail' in read
    ? [read.row.mail, read.row.body].map((bytes) => Buffer.from(bytes ?? []).toString('hex'))
    : read?.fault

/** A thread that dies of one word and never returns from another. */
const fragile = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    import { parseBatch } from '${new URL('./parse-batch.ts', import.meta.url).href}'
    parentPort.on('message', async (batch) => {
      const text = Buffer.from(batch.bytes).toString()
      if (text.includes('poison')) process.exit(1)
      while (text.includes('labyrinth'));
      parentPort.postMessage(await parseBatch(batch))
    })
    parentPort.postMessage('ready')`)}`,
)

test('messages parsed in a thread come back whole and in order', async () => {
  const pool = makeParsePool({ idleMs: 10 })
  const sent = messages(30)
  const read = await pool.parseMails(sent, folder)
  expect(read.map(textOf)).toEqual(sent.map((_, index) => `Number ${index}`))
  const [first] = read
  expect(first).toMatchObject({
    mail: {
      messageId: '1@far.example',
      correspondentKey: 'bob@far.example',
      occurredAt: new Date('2026-01-02T03:04:05Z'),
    },
  })
  // The same rows as for a message that is parsed in this thread.
  const [here] = await makeParsePool().parseMails(sent.slice(0, 1), folder)
  expect(bytesOf(first)).toEqual(bytesOf(here))
})

test('parts in every transfer encoding are decoded', async () => {
  const pool = makeParsePool({ idleMs: 10 })
  const body = (encoding: string, text: string) =>
    message('').raw.toString().trimEnd() +
    `\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${text}\r\n`
  const raws = [
    body('8bit', 'Grüße,\r\n\r\nBob'),
    body('quoted-printable', 'Gr=C3=BC=C3=9Fe,\r\n\r\nBob'),
    body('base64', Buffer.from('Grüße,\r\n\r\nBob').toString('base64')),
  ]
  const { arrival } = message('')
  const mails = [...raws.map((raw) => ({ raw: Buffer.from(raw), arrival })), ...messages(3)]
  const read = await pool.parseMails(mails, folder)
  expect(read.slice(0, 3).map(textOf)).toEqual(Array(3).fill('Grüße,\n\nBob'))
})

test('a message that kills its thread is a fault, and the others are parsed', async () => {
  const pool = makeParsePool({ idleMs: 10, entry: fragile })
  const read = await pool.parseMails([...messages(6), message('poison'), message('The last')], folder)
  expect(read.map(textOf).slice(4)).toEqual([
    'Number 4',
    'Number 5',
    'This mail cannot be read: its reader ended',
    'The last',
  ])
})

test(
  'a mail that never comes to an end is given up, and the mails beside it are read',
  { timeout: 20_000 },
  async () => {
    const pool = makeParsePool({ idleMs: 10, entry: fragile, deadlineMs: 2000 })
    const read = await pool.parseMails([...messages(6), message('labyrinth')], folder)
    expect(read.map(textOf).slice(5)).toEqual(['Number 5', 'This mail cannot be read: it takes too long'])
  },
)

test('an empty message is a fault', async () => {
  const { arrival } = message('')
  const [read] = await makeParsePool().parseMails([{ raw: Buffer.alloc(0), arrival }], folder)
  expect(textOf(read)).toBe('The mail is empty.')
})

test('if no thread can be started, no message is blamed', async () => {
  const pool = makeParsePool({ entry: new URL('data:text/javascript,throw new Error("broken")') })
  await expect(pool.parseMails(messages(6), folder)).rejects.toThrow('broken')
})
