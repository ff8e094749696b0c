import fc from 'fast-check'
import { sql } from 'kysely'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contacts, IMPORT_MAX_BYTES } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { events, type LiveEvent } from '#contract/platform/events.ts'
import { profile } from '#contract/accounts/profile.ts'
import { call } from '../../../tests/support/client.ts'
import { csvOf, exportCsv, importCsv } from '../../../tests/support/csv.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { countContacts } from '../contacts/contacts.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app.end())

const importInto = (user: TestUser, content: string | Buffer, name?: string) =>
  importCsv(app.url, user.token, content, name)

const all = async (user: TestUser) =>
  (await call(app.url, contacts.list, { token: user.token })).body.toReversed()

describe('the import', () => {
  it('adds, updates and refuses, and reports what and why', async () => {
    const user = await signUp(app.url)
    await call(app.url, contacts.add, {
      token: user.token,
      body: { name: 'Old Name', email: 'Known@x.example', company: 'Kept Ltd', phone: '1', status: 'active' },
    })
    const answer = await importInto(
      user,
      [
        'Full Name;E-Mail;Company;Phone;Notes;Status',
        'New One;new@x.example;New Ltd;2;"two\nlines; ""quoted""";inactive',
        'Known;KNOWN@x.example;;3;;',
        ';jane.van-doe+news@x.example;;;;',
        'No Address;;;;;',
        '',
        ';;;;;',
        'Wrong;not an address;;;;',
        '"Open;open@x.example;;;;',
        'Twice;twice@x.example;First;;;',
        'Twice;TWICE@x.example;Second;;;',
        `Long;long@x.example;;${'1'.repeat(61)};;`,
        'Google;"a@x.example ::: b@x.example";;;;odd',
        "'=1+1;<formula@x.example>;'t Hooft;'+49 30;''quoted;",
      ].join('\r\n'),
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      created: 5,
      updated: 1,
      skipped: 5,
      message: 'Imported 5, updated 1, skipped 5',
      refused: [
        { line: 6, email: '', reason: 'There is no email address in this line' },
        { line: 9, email: 'not an address', reason: 'This is not a valid email address' },
        { line: 10, email: '"Open;open@x.example;;;;', reason: 'The quotes in this line do not close' },
        {
          line: 11,
          email: 'twice@x.example',
          reason: 'The same address is in line 12 again; that line was used',
        },
        { line: 13, email: 'long@x.example', reason: 'The phone is longer than 60 characters' },
      ],
    })
    expect(
      (await all(user)).map(({ name, email, company, phone, notes, status }) => [
        name,
        email,
        company,
        phone,
        notes,
        status,
      ]),
    ).toEqual([
      ['Known', 'Known@x.example', 'Kept Ltd', '3', '', 'active'],
      ['New One', 'new@x.example', 'New Ltd', '2', 'two\nlines; "quoted"', 'inactive'],
      ['Jane Van Doe', 'jane.van-doe+news@x.example', '', '', '', 'prospect'],
      ['Twice', 'TWICE@x.example', 'Second', '', '', 'prospect'],
      ['Google', 'a@x.example', '', '', '', 'prospect'],
      ['=1+1', 'formula@x.example', "'t Hooft", '+49 30', "'quoted", 'prospect'],
    ])
  })

  it.each([
    ['contacts.txt', 'Email\na@x.example\n', 'Please choose a .csv file'],
    ['contacts.csv', '', 'This file is empty.'],
    [
      'contacts.csv',
      'Name,Phone\nA,1\n',
      'This file has no email column. Please name one of its columns “Email”.',
    ],
    [
      'contacts.csv',
      'PK\u0003\u0004…',
      'This is not a CSV file. Please save your contacts as CSV and try again.',
    ],
    ['contacts.csv', '\n\n\n', 'This file has no email column. Please name one of its columns “Email”.'],
  ])('refuses %s of %j with a sentence', async (name, content, detail) => {
    const answer = await importInto(await signUp(app.url), content, name)
    expect([answer.status, answer.error.detail, answer.error.code]).toEqual([400, detail, 'INVALID_INPUT'])
  })

  it('accepts a header without contacts, and .CSV in any case', async () => {
    expect((await importInto(await signUp(app.url), 'Email\n', 'A.CSV')).body.message).toBe(
      'Imported 0, updated 0, skipped 0',
    )
  })

  it('requires a form with a file', async () => {
    const { token } = await signUp(app.url)
    const send = (body: FormData | string, headers: Record<string, string> = {}) =>
      fetch(app.url + pathOf(contacts.import), {
        method: 'POST',
        body,
        headers: { Authorization: `Bearer ${token}`, ...headers },
      })
    expect((await send('{}', { 'Content-Type': 'application/json' })).status).toBe(415)
    const form = new FormData()
    form.append('other', 'x')
    expect((await send(form)).status).toBe(400)
    expect((await send('--x\r\nnothing', { 'Content-Type': 'multipart/form-data; boundary=x' })).status).toBe(
      400,
    )
    const anonymous = await fetch(app.url + pathOf(contacts.import), { method: 'POST', body: form })
    expect(anonymous.status).toBe(401)
  })

  it('lists the first thousand refused lines and counts them all', async () => {
    const { body } = await importInto(
      await signUp(app.url),
      `Email\n${'wrong\n'.repeat(1500)}${'a@x.example\n'.repeat(11)}`,
    )
    expect([body.created, body.skipped, body.refused.length, body.refused[0]?.line]).toEqual([
      1, 1510, 1000, 2,
    ])
  })

  it('affects one user only', async () => {
    const [ada, eve] = [await signUp(app.url), await signUp(app.url)]
    await importInto(ada, 'Name,Email\nAda’s,shared@x.example\n')
    await importInto(eve, 'Name,Email\nEve’s,shared@x.example\n')
    expect((await all(ada)).map((contact) => contact.name)).toEqual(['Ada’s'])
    expect((await all(eve)).map((contact) => contact.name)).toEqual(['Eve’s'])
  })

  it('can run twice at once without duplicates', async () => {
    const user = await signUp(app.url)
    const answers = await Promise.all([importInto(user, csvOf(2000)), importInto(user, csvOf(2000))])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    expect(answers.map(({ body }) => body.created).sort()).toEqual([0, 2000])
    expect(await countContacts(app.context.db, user.id)).toBe(2000)
  })

  it('reads 100,000 rows, reports its progress, and updates them the second time', async () => {
    const user = await signUp(app.url)
    const stream = await listen(user)
    const file = csvOf(100_000)
    const answer = await importInto(user, file)
    expect(answer.body).toMatchObject({ created: 100_000, updated: 0, skipped: 0, refused: [] })
    const told = await stream.until((event) => event.topic === 'import' && event.done === true)
    const progress = told.filter((event) => event.topic === 'import')
    expect(progress.length).toBeGreaterThan(1)
    const bytes = progress.map((event) => event.bytes ?? 0)
    expect(bytes).toEqual([...bytes].sort((one, other) => one - other))
    expect(progress.at(-1)).toMatchObject({
      bytes: Buffer.byteLength(file),
      total_bytes: Buffer.byteLength(file),
      rows: 100_001,
    })
    expect((await importInto(user, file)).body).toMatchObject({ created: 0, updated: 100_000 })
    const page = await call(app.url, contacts.list, { token: user.token, query: { page: 2, page_size: 10 } })
    expect([page.headers.get('x-total-count'), page.body[0]?.name]).toEqual(['100000', 'Person 99989'])
  })
})

describe('an aborted upload', () => {
  it.each(['before all of it is sent', 'while it is worked on'])(
    'leaves nothing behind: %s',
    async (when) => {
      const user = await signUp(app.url)
      const file = csvOf(60_000)
      const form = `--cut\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${file}\r\n--cut--\r\n`
      const request = http.request(app.url + pathOf(contacts.import), {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${user.token}`,
          'Content-Type': 'multipart/form-data; boundary=cut',
          'Content-Length': Buffer.byteLength(form),
        },
      })
      request.on('error', () => {})
      const closed = new Promise((resolve) => request.on('close', resolve))
      const holdMerge = sql`SELECT pg_advisory_xact_lock(hashtextextended('contacts import', ${user.id}))`
      const stream = await listen(user)
      await app.context.db.transaction().execute(async (tx) => {
        await holdMerge.execute(tx)
        if (when.startsWith('before')) {
          await new Promise((resolve) => request.write(form.slice(0, 2_000_000), resolve))
        } else {
          request.end(form)
          await stream.until((event) => event.topic === 'import')
        }
        request.destroy()
        await closed
      })
      // Only when nothing is left can the next import of the same contacts count all of them as new.
      expect((await importInto(user, file)).body).toMatchObject({ created: 60_000, updated: 0 })
      expect(await readdir(path.join(app.dataDir, 'uploads'))).toEqual([])
    },
  )

  it('is refused beyond the limit, with or without a declared size', async () => {
    const user = await signUp(app.url)
    const post = (headers: Record<string, string | number>) =>
      http.request(app.url + pathOf(contacts.import), {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${user.token}`,
          'Content-Type': 'multipart/form-data; boundary=x',
          ...headers,
        },
      })
    const said = post({ 'Content-Length': IMPORT_MAX_BYTES * 2 })
    said.write('--x\r\n')
    expect(await answerTo(said)).toEqual([
      413,
      'This file is larger than 200 MB. Please split it into smaller files.',
    ])
    said.destroy()

    const unsaid = post({ 'Transfer-Encoding': 'chunked' })
    const answer = answerTo(unsaid)
    unsaid.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nEmail\n')
    const megabyte = Buffer.alloc(1024 * 1024, 'a@x.example\n')
    for (let sent = 0; sent <= IMPORT_MAX_BYTES; sent += megabyte.length) {
      if (!unsaid.write(megabyte)) await once(unsaid, 'drain')
    }
    unsaid.end('\r\n--x--\r\n')
    expect((await answer)[0]).toBe(413)
    expect(await countContacts(app.context.db, user.id)).toBe(0)
  })
})

describe('the export', () => {
  it('is a CSV file with a date in its name, a byte order mark and the columns in order', async () => {
    const user = await signUp(app.url)
    await importInto(
      user,
      'Name,Email,Phone,Notes\nJörg,j@x.example,\'+49 30,"a, b\nc"\nOther,o@y.example,,\n',
    )
    const { bytes, text, headers } = await exportCsv(app.url, user.token)
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(headers.get('content-type')).toContain('text/csv')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(text).toBe(
      'Name,Email,Company,Position,Phone,Status,Notes,Tags,Activity,Last Contact\r\n' +
        `Jörg,j@x.example,,,'+49 30,prospect,"a, b\nc",,new,\r\nOther,o@y.example,,,,prospect,,,new,\r\n`,
    )
    expect((await exportCsv(app.url, user.token, { email_domain: 'y.example' })).text).not.toContain('Jörg')
  })

  it('survives a round trip: export, import, export', async () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc
        .array(
          fc.constantFrom(
            "'",
            '=',
            '+',
            '-',
            '@',
            '＝',
            '＋',
            '－',
            '＠',
            '\t',
            '\r',
            '\n',
            '"',
            ',',
            ';',
            ' ',
            'a',
            '\uFEFF',
            'sep=',
            '\0',
          ),
          { maxLength: 8 },
        )
        .map((parts) => parts.join('')),
    )
    const texts = fc.sample(nasty, { numRuns: 6000, seed: 7 })
    const names = [
      ...new Set(texts.slice(0, 60).map((text) => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '').trim())),
    ]
    const tagNames = names.filter((name) => name !== '')
    const ada = await signUp(app.url)
    const add = async (n: number) => {
      const [notes = '', ...lines] = texts.slice(n * 6, n * 6 + 5)
      // Only names and the like that the form accepts: one line.
      const [name = '', company = '', position = '', phone = ''] = lines.map((text) =>
        text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ''),
      )
      const tags = n % 3 === 0 ? [tagNames[n % tagNames.length], tagNames[(n * 7) % tagNames.length]] : []
      const body = {
        name: `${name}x`,
        email: `n${n}@x.example`,
        company,
        position,
        notes,
        phone,
        tags,
      } as never
      const added = await call(app.url, contacts.add, { token: ada.token, body })
      expect([200, 400]).toContain(added.status)
    }
    for (let n = 0; n < 1000; n += 10)
      await Promise.all(Array.from({ length: 10 }, (_, more) => add(n + more)))
    expect(await countContacts(app.context.db, ada.id)).toBeGreaterThan(950)
    const first = await exportCsv(app.url, ada.token)
    const eve = await signUp(app.url)
    const { body } = await importInto(eve, first.bytes)
    expect([body.created, body.skipped]).toEqual([await countContacts(app.context.db, ada.id), 0])
    expect((await exportCsv(app.url, eve.token)).text).toBe(first.text)
    const again = await importInto(ada, first.bytes)
    expect(again.body).toMatchObject({ created: 0, skipped: 0 })
    expect((await exportCsv(app.url, ada.token)).text).toBe(first.text)
  })

  it('survives a round trip even if the user’s country has changed', async () => {
    const user = await signUp(app.url)
    await importInto(user, 'Name,Email,Phone\nAda,ada@x.example,030 901820\nBen,ben@x.example,\n')
    const cy = { name: 'Cy', email: 'cy@x.example', phone: '030 901821 ::: 030 901822' } as never
    await call(app.url, contacts.add, { token: user.token, body: cy })
    const { bytes, text } = await exportCsv(app.url, user.token)
    expect(text).toContain('Ada,ada@x.example,,,030 901820,')
    await call(app.url, profile.update, { token: user.token, body: { country: 'DE' } })
    await importInto(user, bytes)
    expect((await exportCsv(app.url, user.token)).text).toBe(text)
  })

  it('contains those that match a filter', async () => {
    const user = await signUp(app.url)
    await importInto(
      user,
      'Name,Email,Tags\nAda,ada@x.example,VIP\nBen,ben@x.example,"Leeds, vip"\nCy,cy@y.example,\n',
    )
    const { text } = await exportCsv(app.url, user.token, { tag: 'vip' })
    expect(text.trim().split('\r\n').slice(1)).toEqual([
      'Ada,ada@x.example,,,,prospect,,VIP,new,',
      'Ben,ben@x.example,,,,prospect,,"Leeds, VIP",new,',
    ])
  })
})

function answerTo(request: http.ClientRequest): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () =>
        resolve([response.statusCode, (JSON.parse(text) as { detail: string }).detail]),
      )
    })
  })
}

/** The user's live events, as a tab receives them. */
async function listen(user: TestUser) {
  const response = await fetch(app.url + pathOf(events.stream), {
    headers: { Authorization: `Bearer ${user.token}` },
  })
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  const heard: LiveEvent[] = []
  let rest = ''
  return {
    /** All events up to the first for which `holds` is true. */
    until: async (holds: (event: LiveEvent) => boolean): Promise<LiveEvent[]> => {
      while (!heard.some(holds)) {
        const { value, done } = await reader.read()
        if (done) throw new Error('The stream has ended')
        const lines = (rest + value).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines)
          if (line.startsWith('data: ')) heard.push(JSON.parse(line.slice(6)) as LiveEvent)
      }
      return heard
    },
  }
}
