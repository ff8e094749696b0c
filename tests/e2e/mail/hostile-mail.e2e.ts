import type { Page } from '@playwright/test'
import { emails } from '#contract/mail/emails.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { ask, bearer, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { ELSEWHERE, HOSTILE_HTML, HOSTILE_WORDS } from '../../support/hostile-html.ts'
import { mailAccountAt } from '../../support/mail-account.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'

let servers: MailServers

test.beforeAll(async () => {
  servers = await startMailServers({ users: { ada: 'open sesame' } })
})
test.afterAll(() => servers?.stop())

const quoted = (word: string) => `"${word.replaceAll(/(["\\])/g, String.raw`\$1`)}"`
const encoded = (word: string) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`

/** A mail whose every part is a trap: name, subject, file name, text and HTML. */
function hostileMail(html: string, index: number): string {
  const word = HOSTILE_WORDS[index % HOSTILE_WORDS.length] ?? ''
  return [
    `From: ${encoded(word)} <mallory@far.example>`,
    `To: ada@muster.example`,
    `Subject: ${encoded(`Trap ${index} ${word}`)}`,
    `Message-ID: <trap-${index}@far.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=trap',
    '',
    '--trap',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(`<p>Mail number ${index}.</p>${html}`).toString('base64'),
    '--trap',
    'Content-Type: text/html',
    `Content-Disposition: attachment; filename=${quoted(encoded(word))}`,
    '',
    html.replaceAll('\n', ' '),
    '--trap--',
    '',
  ].join('\r\n')
}

async function connect(page: Page, user: E2eUser): Promise<void> {
  const account = mailAccountAt(servers.sink, { password: 'open sesame', imap: servers.dovecot })
  await ask(page, user, mailboxSetup.save, account)
  await expect.poll(async () => (await ask(page, user, emails.counts)).inbox).toBe(HOSTILE_HTML.length)
}

test('a hundred hostile mails run nothing, call nobody and leave the page as it is', async ({
  page,
  context,
}) => {
  test.setTimeout(900_000)
  expect(HOSTILE_HTML.length).toBeGreaterThanOrEqual(100)
  for (const [index, html] of HOSTILE_HTML.entries())
    await servers.dovecot.deliver('ada', 'INBOX', hostileMail(html, index))

  const user = await signedIn(page)
  await connect(page, user)

  const outside: string[] = []
  const dialogs: string[] = []
  context.on('request', (request) => {
    if (!request.url().startsWith('data:') && new URL(request.url()).hostname !== '127.0.0.1')
      outside.push(request.url())
  })
  context.on('page', (opened) => outside.push(`a new window: ${opened.url()}`))
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })

  const list = await page.request.get(`${pathOf(emails.list)}?page_size=1000`, { headers: bearer(user) })
  const mails = (await list.json()) as { id: number; subject: string }[]
  expect(mails).toHaveLength(HOSTILE_HTML.length)
  // A hundred mails that are read one by one would load the list a hundred times.
  await ask(page, user, emails.act, { action: 'read', ids: mails.map(({ id }) => id) })
  await page.goto('/emails?page_size=50')
  const body = await page.locator('body').evaluate((element) => [...element.attributes].map(String))
  for (const mail of mails) {
    const index = /^Trap (\d+)/.exec(mail.subject)?.[1] ?? ''
    // Within the app, so that whatever a mail leaves behind would still be there for the next one.
    await page.evaluate((id) => {
      history.pushState(null, '', `/emails?page_size=50&email=${id}`)
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
    }, mail.id)
    const frame = page.getByTitle('Mail content').contentFrame()
    // Its number tells which one it was. `waitFor` looks at every frame, where `expect` would pause ever longer.
    await frame.getByText(`Mail number ${index}.`).waitFor()
    const left = await page.evaluate(() => ({
      ran:
        'howlRan' in window ||
        [...document.querySelectorAll('iframe')].some((each) => 'howlRan' in (each.contentWindow ?? {})),
      traps: document.querySelectorAll('.evil, x-evil, dialog, portal, base, script:not([src])').length,
      title: document.title,
      roots: document.querySelectorAll('#root').length,
    }))
    expect(left, HOSTILE_HTML[Number(index)] ?? '').toEqual({
      ran: false,
      traps: 0,
      title: expect.stringContaining('Email Management'),
      roots: 1,
    })
    expect(new URL(page.url()).pathname).toBe('/emails')
  }
  expect(await page.locator('body').evaluate((element) => [...element.attributes].map(String))).toEqual(body)
  expect(dialogs).toEqual([])
  expect(outside.filter((url) => url.includes(ELSEWHERE) || url.startsWith('a new'))).toEqual([])
  expect(outside).toEqual([])
})
