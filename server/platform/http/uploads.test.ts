import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { connect as dial, type Socket } from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { type Endpoint, pathOf } from '#contract/platform/endpoint.ts'
import { emails } from '#contract/mail/emails.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { uploadAs } from '../../../tests/support/writing.ts'
import { runSql } from '../database/transaction.ts'
import { Refusal } from '../errors.ts'
import { withRoom } from './upload-room.ts'
import { forgetLapsedRoom } from './uploads-store.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app.end())

const DOORS: readonly [string, Endpoint][] = [
  ['a mail', emails.upload],
  ['an import with a preview', contactImports.upload],
  ['an import in one call', contacts.import],
]
const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname,email\r\n'
const CUT_SHORT = {
  detail: 'The upload did not arrive whole. Please try again.',
  code: 'INVALID_INPUT',
}

/** Sends a form as it is; `length` is what its Content-Length says. */
function post(door: Endpoint, form: string | Buffer, length = form.length, headers: readonly string[] = []) {
  const { hostname, port } = new URL(app.url)
  const socket = dial(Number(port), hostname)
  const head = [
    `POST ${pathOf(door)} HTTP/1.1`,
    'Host: howl.example',
    `Authorization: Bearer ${user.token}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${length}`,
    'Connection: close',
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(form)
  return { socket, answered: answerOn(socket) }
}

async function answerOn(socket: Socket): Promise<{ status: number; body: unknown }> {
  let text = ''
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) text += String(chunk)
  } catch {
    return { status: 0, body: null }
  }
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1] ?? 0), body: body === '' ? null : JSON.parse(body) }
}

/** Every file that uploads have left below the data folder. */
async function files(): Promise<string[]> {
  const entries = await readdir(app.dataDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

const reserved = async (): Promise<number> => {
  const { rows } = await runSql(app.context.db, 'SELECT count(*) AS n FROM upload_reservations', [])
  return (rows as { n: number }[])[0]?.n ?? 0
}

describe.each(DOORS)('an upload for %s', (_, door) => {
  test('that ends before its closing boundary is refused with a sentence and leaves nothing behind', async () => {
    user = await signUp(app.url)
    const before = await files()
    const form = PART + 'Ann,ann@far.example\r\n'.repeat(200)
    const answers = await Promise.all(Array.from({ length: 25 }, () => post(door, form).answered))
    expect(answers).toEqual(Array.from({ length: 25 }, () => ({ status: 400, body: CUT_SHORT })))
    expect(await files()).toEqual(before)
    expect(await reserved()).toBe(0)
  })

  test('whose caller hangs up leaves nothing behind', async () => {
    user = await signUp(app.url)
    const before = await files()
    const { socket, answered } = post(door, PART, 100_000)
    await expect.poll(reserved).toBe(1)
    socket.destroy()
    await answered
    await expect.poll(reserved).toBe(0)
    await expect.poll(files).toEqual(before)
  })

  test('that is compressed is refused', async () => {
    user = await signUp(app.url)
    const packed = gzipSync(`${PART}Ann,ann@far.example\r\n--b--\r\n`)
    const { status, body } = await post(door, packed, packed.length, ['Content-Encoding: gzip']).answered
    expect([status, body]).toEqual([
      415,
      { detail: 'Please send this without compressing it.', code: 'UNSUPPORTED_TYPE' },
    ])
  })

  test('that is refused before it is read still gets its answer', async () => {
    user = await signUp(app.url)
    const form = PART.replace('a.csv', 'a.exe') + 'x'.repeat(3 * 1024 * 1024)
    const { status } = await post(door, `${form}\r\n--b--\r\n`).answered
    expect(status).toBe(door === emails.upload ? 200 : 400)
  })
})

const MEGABYTE = 1024 * 1024

describe('space for files', () => {
  const GIGABYTE = 1024 * MEGABYTE
  const reserve = (bytes: number, lapsesAt: Date) =>
    runSql(
      app.context.db,
      `INSERT INTO upload_reservations (user_id, kind, bytes, lapses_at)
       SELECT $1, kind, $2, $3 FROM unnest('{attachment,contact import}'::text[]) AS kind`,
      [user.id, bytes, lapsesAt],
    )

  test('cannot be exceeded by simultaneous uploads, and each releases its own', async () => {
    user = await signUp(app.url)
    const room = {
      userId: user.id,
      kind: 'attachment' as const,
      bytes: 10 * MEGABYTE,
      maxBytes: 50 * MEGABYTE,
      // Alone they leave room for two of the twenty.
      taken: async () => 25 * MEGABYTE,
      refuse: () => new Refusal(413, 'There is no room.'),
    }
    const arrived = Promise.withResolvers<void>()
    let refused = 0
    const uploads = Array.from({ length: 20 }, (_, place) =>
      withRoom(app.context, room, async () => {
        await arrived.promise
        if (place % 2 === 0) throw new Error('cut')
        return 'kept'
      }).catch((error: Error) => {
        if (error instanceof Refusal) refused += 1
        return error.message
      }),
    )
    await expect.poll(() => refused).toBe(18)
    expect(await reserved()).toBe(2)
    arrived.resolve()
    await Promise.all(uploads)
    expect(await reserved()).toBe(0)
  })

  test.each(DOORS)(
    'is reserved before the bytes of %s come; that of a killed process expires',
    async (_, door) => {
      user = await signUp(app.url)
      await reserve(GIGABYTE - 10_000, new Date(app.clock.now().getTime() + 60_000))
      const form = `${PART}Ann,ann@far.example\r\n`
      const end = '\r\n--b--\r\n'
      const small = await post(door, form + end).answered
      expect(small.status).toBe(200)
      const large = await post(door, form + ' '.repeat(20_000) + end).answered
      expect(large).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } })
      app.clock.forward(61_000)
      expect((await post(door, form + ' '.repeat(20_000) + end).answered).status).toBe(200)
      await forgetLapsedRoom(app.context.db, app.clock.now())
      expect(await reserved()).toBe(0)
    },
  )
})

test('files that wait for a mail leave no room beyond a gigabyte; those of a mail take none of it', async () => {
  user = await signUp(app.url)
  await runSql(
    app.context.db,
    `INSERT INTO uploads (user_id, name, type, size, blob_key, created_at)
     VALUES ($1, 'a.txt', 'text/plain', $2, 'uploads/waiting', $3)`,
    [user.id, 1024 * MEGABYTE - 10_000, app.clock.now()],
  )
  expect((await uploadAs(app, user, 'small.txt', 'x')).status).toBe(200)
  const large = 'x'.repeat(20_000)
  const sent = post(emails.upload, `${PART}${large}\r\n--b--\r\n`)
  expect(await sent.answered).toEqual({
    status: 413,
    body: {
      detail: 'You have uploaded too many files that no email uses. Please send or discard some drafts.',
      code: 'TOO_LARGE',
    },
  })
  await runSql(app.context.db, 'UPDATE uploads SET is_used = true WHERE user_id = $1', [user.id])
  expect((await uploadAs(app, user, 'large.txt', large)).status).toBe(200)
})

test('what a killed process has left of an upload is thrown away by the worker, by itself', async () => {
  const folder = path.join(app.dataDir, 'blobs/uploads/half')
  const [half, fresh] = ['.0a1b-2c.part', '.0a1b-2d.part'] as const
  await mkdir(folder, { recursive: true })
  for (const name of [half, fresh]) await writeFile(path.join(folder, name), 'half')
  const yesterday = new Date(Date.now() - 86_400_000)
  await utimes(path.join(folder, half), yesterday, yesterday)
  const worker = await startTestApp({
    database: { url: app.databaseUrl },
    environment: { DATA_DIR: app.dataDir },
    roles: ['worker'],
  })
  try {
    await expect.poll(() => readdir(folder)).toEqual([fresh])
  } finally {
    await worker.end()
    await rm(folder, { recursive: true })
  }
})

test('a full disk is said in a sentence, whoever finds it full', async () => {
  user = await signUp(app.url)
  const { put } = app.context.blobs
  app.context.blobs.put = () =>
    Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' }))
  const full = {
    status: 503,
    detail: expect.stringMatching(/^There is no room left on the server/) as string,
  }
  expect(await uploadAs(app, user, 'a.txt', 'a')).toMatchObject(full)
  app.context.blobs.put = put
  expect((await uploadAs(app, user, 'a.txt', 'a')).status).toBe(200)

  await runSql(
    app.context.db,
    `CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`,
    [],
  )
  await runSql(
    app.context.db,
    'CREATE TRIGGER is_full BEFORE INSERT ON contacts EXECUTE FUNCTION is_full()',
    [],
  )
  const answer = await fetch(app.url + pathOf(contacts.add), {
    method: 'POST',
    headers: { Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ann', email: 'ann@far.example' }),
  })
  await runSql(app.context.db, 'DROP TRIGGER is_full ON contacts', [])
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ detail: full.detail, code: 'UNAVAILABLE' })
})
