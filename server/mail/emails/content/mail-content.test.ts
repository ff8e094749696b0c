import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import type * as parse from '../../../formats/mail-text/parse.ts'
import type * as replies from '../../../formats/mail-text/replies/replies.ts'
import type * as sanitize from '../../../formats/mail-text/sanitize.ts'
import type * as searchWords from '../../../formats/mail-text/search-index.ts'
import { primaryMailbox } from '../../mailboxes/mailboxes.ts'
import type * as mailWork from '../../../formats/mail-tasks/run-mail-task.ts'
import { ingestRaw } from '../ingest/ingest-raw.ts'
import { indexSomeEmails } from '../list/index-emails.ts'

/** Marks a mail that the parser never finishes. */
const LABYRINTH = 'labyrinth'

// Files share what a worker has loaded: here the app is loaded anew, with what this file puts in, and again after it.
vi.hoisted(() => vi.resetModules())
vi.mock('../../../formats/mail-tasks/run-mail-task.ts', async (original) => {
  const real = await original<typeof mailWork>()
  const isHard = (given: unknown): boolean =>
    given instanceof Uint8Array
      ? Buffer.from(given).includes(LABYRINTH)
      : (JSON.stringify(given) ?? '').includes(LABYRINTH)
  const runMailTask = async (reader: mailWork.MailReader, name: 'newWords', ...args: [string]) => {
    if (args.some(isHard)) throw new real.MailTaskFailed(new Error('it takes too long'))
    return real.runMailTask(reader, name, ...args)
  }
  return { ...real, runMailTask }
})

/** What is gone through in this thread, where every other call waits for it: characters or bytes by what is done. */
const here = vi.hoisted(() => {
  const done: [what: string, size: number][] = []
  /** The same functions; whatever calls them is noted. Threads load modules of their own. */
  const noted = <Functions extends object>(functions: Functions): Functions => {
    const noting = Object.entries(functions).map(([what, work]: [string, unknown]) => [
      what,
      typeof work !== 'function'
        ? work
        : (...args: unknown[]): unknown => {
            const size = Math.max(0, ...args.map((given) => sizeOf(given)))
            done.push([what, size])
            return (work as (...args: unknown[]) => unknown)(...args)
          },
    ])
    return Object.fromEntries(noting) as Functions
  }
  const sizeOf = (given: unknown): number =>
    typeof given === 'string' || given instanceof Uint8Array
      ? given.length
      : (JSON.stringify(given) ?? '').length
  return { done, noted }
})
vi.mock('../../../formats/mail-text/parse.ts', async (original) => here.noted(await original<typeof parse>()))
vi.mock('../../../formats/mail-text/replies/replies.ts', async (original) =>
  here.noted(await original<typeof replies>()),
)
vi.mock('../../../formats/mail-text/sanitize.ts', async (original) =>
  here.noted(await original<typeof sanitize>()),
)
vi.mock('../../../formats/mail-text/search-index.ts', async (original) =>
  here.noted(await original<typeof searchWords>()),
)

/** Characters whose most hostile ones hold nobody up for more than 20 ms: `server/formats/mail-text/linear.test.ts` has them. */
const SMALL = 12_000

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  ada = await signUp(app.url)
  await call(app.url, mailboxSetup.practice, { token: ada.token })
})

afterAll(async () => {
  await app?.end()
  vi.resetModules()
})

/** Delivers a mail to the user. @returns its id */
async function arrive(subject: string, type: string, words: string): Promise<number> {
  const { context } = app
  const mailbox = await primaryMailbox(context.db, ada.id)
  const raw = Buffer.from(
    `From: Bea <bea@far.example>\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@far.example>\r\nContent-Type: ${type}\r\n\r\n${words}\r\n`,
  )
  await inTransaction(context.db, (tx) =>
    ingestRaw(context, tx, { userId: ada.id, mailboxId: mailbox?.id ?? 0, raw, receivedAt: app.clock.now() }),
  )
  const list = await call(app.url, emails.list, { token: ada.token })
  return list.body.find((mail) => mail.subject === subject)?.id ?? 0
}

const open = (id: number) => call(app.url, emails.get, { token: ada.token, params: { id } })
const fetchRaw = (path: string) =>
  fetch(path.startsWith('http') ? path : `${app.url}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${ada.token}` },
  })

test('a mail that cannot be parsed in time opens as plain text, and its source is complete', async () => {
  const id = await arrive('hard', 'text/html', `<p>Words in a ${LABYRINTH}</p>`)
  const { status, body } = await open(id)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    shown_in_full: false,
    content: `Words in a ${LABYRINTH}`,
    html: null,
    html_url: null,
    invitation: null,
  })
  expect(await (await fetchRaw(`/emails/${id}/source`)).text()).toContain(`<p>Words in a ${LABYRINTH}</p>`)
})

test('other mails open as usual', async () => {
  const id = await arrive('easy', 'text/html', '<p>Words</p>')
  const { body } = await open(id)
  expect(body).toMatchObject({ shown_in_full: true, content: 'Words', html: '<p>Words</p>\n' })
})

test('an attachment that cannot be extracted in time is refused in a sentence', async () => {
  const id = await arrive(
    'files',
    'multipart/mixed; boundary=b',
    `--b\r\nContent-Type: text/plain\r\n\r\nWords\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\n\r\n${LABYRINTH}\r\n--b--`,
  )
  const answer = await fetchRaw(`/emails/${id}/attachments/0`)
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({
    detail: 'This email could not be read in full. Its source has all of it.',
  })
})

test('a mail whose text cannot be indexed in time is found by its subject', async () => {
  const id = await arrive('unwordable', 'text/plain', LABYRINTH)
  await indexSomeEmails(app.context, ada.id)
  const found = await call(app.url, emails.list, { token: ada.token, query: { search: 'unwordable' } })
  expect(found.body.map((mail) => mail.id)).toEqual([id])
})

/** Does all that is done with a mail's words while somebody waits. */
async function readAll(id: number): Promise<void> {
  const { body } = await open(id)
  expect(body).toMatchObject({ shown_in_full: true })
  const frame = await fetchRaw(app.url + (body.html_url ?? ''))
  expect(await frame.text()).toContain('Words')
  expect((await fetchRaw(`/emails/${id}/attachments/0`)).status).toBe(200)
  await indexSomeEmails(app.context, ada.id)
}

const withFile = (html: string) =>
  `--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\n\r\n%PDF\r\n--b--`

test('a large mail is read where no other call waits for it, a small one here', async () => {
  const type = 'multipart/mixed; boundary=b'
  const words = 'Words of a mail. '
  const small = await arrive('small', type, withFile(`<p>${words}</p>`))
  const large = await arrive('large', type, withFile(`<p>${words.repeat(SMALL / words.length + 20)}</p>`))
  await indexSomeEmails(app.context, ada.id)
  for (const id of [small, large]) {
    // Its words are written once more.
    await runSql(
      app.context.db,
      `UPDATE emails SET subject = subject || '!' WHERE user_id = $1 AND id = $2`,
      [ada.id, id],
    )
    here.done.length = 0
    await readAll(id)
    const tooLarge = here.done.filter(([, size]) => size > SMALL)
    expect(tooLarge).toEqual([])
    const names = new Set(here.done.map(([what]) => what))
    for (const what of ['parseMail', 'sanitizeMailHtml', 'newWords', 'searchVector'])
      expect([what, names.has(what)]).toEqual([what, id === small])
  }
})

test('a mail of which something is not shown says so, and one that is all there does not', async () => {
  const shown = async (subject: string, type: string, words: string) =>
    (await open(await arrive(subject, type, words))).body
  const line = 'A line of words.\r\n'
  expect(await shown('all the text', 'text/plain', line.repeat(15_000))).toMatchObject({
    shown_in_full: true,
  })
  expect(await shown('too much text', 'text/plain', line.repeat(70_000))).toMatchObject({
    shown_in_full: false,
  })
  expect(await shown('all the tags', 'text/html', '<b>a</b>'.repeat(10_000))).toMatchObject({
    shown_in_full: true,
  })
  expect(await shown('too many tags', 'text/html', '<b>a</b>'.repeat(30_000))).toMatchObject({
    shown_in_full: false,
  })
  expect(await shown('too much HTML', 'text/html', `<p>${line.repeat(125_000)}</p>`)).toMatchObject({
    shown_in_full: false,
  })
  const rough = await shown('too many lines', 'text/html', '<p>a</p>\r\n'.repeat(310_000))
  expect(rough).toMatchObject({ shown_in_full: false, html_url: expect.any(String) })
  expect(rough.content.slice(0, 10)).not.toContain('<')
})
