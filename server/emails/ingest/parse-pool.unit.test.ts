import { expect, test } from 'vitest'
import { textOfRow } from './message-rows.ts'
import type { MailRead, MailToRead } from './parse-batch.ts'
import { makeParsePool } from './parse-pool.ts'

const folder = { role: 'inbox' as const, ownKeys: new Set(['ada@muster.example']) }

function letter(words: string): MailToRead {
  const lines = ['From: Bob <bob@far.example>', 'Subject: A letter', 'Message-ID: <1@far.example>', '', words]
  const raw = Buffer.from(lines.join('\r\n'))
  const receivedAt = new Date('2026-01-02T03:04:05Z')
  return { raw, arrival: { receivedAt, flags: new Set(['\\Seen']), size: raw.length } }
}

/** As many letters as no pool reads on the spot. */
const letters = (count: number) => Array.from({ length: count }, (_, index) => letter(`Number ${index}`))

const wordsOf = (read: MailRead | undefined) =>
  read !== undefined && 'mail' in read ? textOfRow(read.row) : read?.fault

const bytesOf = (read: MailRead | undefined) =>
  read !== undefined && 'mail' in read
    ? [read.row.mail, read.row.body].map((bytes) => Buffer.from(bytes ?? []).toString('hex'))
    : read?.fault

/** A thread that dies of one word, and never comes to an end over another. */
const fragile = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    import { readAll } from '${new URL('./parse-batch.ts', import.meta.url).href}'
    parentPort.on('message', async (batch) => {
      const words = Buffer.from(batch.bytes).toString()
      if (words.includes('poison')) process.exit(1)
      while (words.includes('labyrinth'));
      parentPort.postMessage(await readAll(batch))
    })
    parentPort.postMessage('ready')`)}`,
)

test('mails read in another thread come back whole and in order', async () => {
  const pool = makeParsePool({ idleMs: 10 })
  const sent = letters(30)
  const read = await pool.readMails(sent, folder)
  expect(read.map(wordsOf)).toEqual(sent.map((_, index) => `Number ${index}`))
  const [first] = read
  expect(first).toMatchObject({
    mail: {
      messageId: '1@far.example',
      correspondentKey: 'bob@far.example',
      occurredAt: new Date('2026-01-02T03:04:05Z'),
    },
  })
  // The same rows as for a mail that is read here.
  const [here] = await makeParsePool().readMails(sent.slice(0, 1), folder)
  expect(bytesOf(first)).toEqual(bytesOf(here))
})

test('parts in every transfer encoding come through', async () => {
  const pool = makeParsePool({ idleMs: 10 })
  const body = (encoding: string, words: string) =>
    letter('').raw.toString().trimEnd() +
    `\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${words}\r\n`
  const raws = [
    body('8bit', 'Grüße,\r\n\r\nBob'),
    body('quoted-printable', 'Gr=C3=BC=C3=9Fe,\r\n\r\nBob'),
    body('base64', Buffer.from('Grüße,\r\n\r\nBob').toString('base64')),
  ]
  const { arrival } = letter('')
  const mails = [...raws.map((raw) => ({ raw: Buffer.from(raw), arrival })), ...letters(3)]
  const read = await pool.readMails(mails, folder)
  expect(read.slice(0, 3).map(wordsOf)).toEqual(Array(3).fill('Grüße,\n\nBob'))
})

test('a mail that its thread dies of is a fault, and the mails beside it are read', async () => {
  const pool = makeParsePool({ idleMs: 10, entry: fragile })
  const read = await pool.readMails([...letters(6), letter('poison'), letter('The last')], folder)
  expect(read.map(wordsOf).slice(4)).toEqual([
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
    const read = await pool.readMails([...letters(6), letter('labyrinth')], folder)
    expect(read.map(wordsOf).slice(5)).toEqual(['Number 5', 'This mail cannot be read: it takes too long'])
  },
)

test('a mail without anything in it is a fault', async () => {
  const { arrival } = letter('')
  const [read] = await makeParsePool().readMails([{ raw: Buffer.alloc(0), arrival }], folder)
  expect(wordsOf(read)).toBe('The mail is empty.')
})

test('where no thread can be started nothing is a fault of the mails', async () => {
  const pool = makeParsePool({ entry: new URL('data:text/javascript,throw new Error("broken")') })
  await expect(pool.readMails(letters(6), folder)).rejects.toThrow('broken')
})
