import { AxeBuilder } from '@axe-core/playwright'
import type { FrameLocator, Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { expect, test } from '../../support/e2e.ts'
import { makeMail, png } from '../../support/mail-parts.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { button, dialog, openMail, opened, row, withMailbox } from '../../support/mail-page.ts'

const PASSWORD = 'open sesame'
/** How long an answer may take from the mail server to the screen. */
const ARRIVES_MS = 20_000
const NAMES = ['ada', 'bea', 'cyd']
const HOUR_MS = 3_600_000

let servers: MailServers
let used = 0

test.beforeAll(async () => {
  servers = await startMailServers({ users: Object.fromEntries(NAMES.map((name) => [name, PASSWORD])) })
})
test.afterAll(() => servers?.stop())

const takeName = () => NAMES[used++] ?? 'ada'

/** Signs in as somebody with these mails in their inbox, and opens the one with this subject. */
async function read(page: Page, mails: readonly string[], subject: string, name = takeName()) {
  const start = Date.now() - mails.length * HOUR_MS
  for (const [index, raw] of mails.entries())
    await servers.dovecot.deliver(name, 'INBOX', raw, new Date(start + index * HOUR_MS))
  const user = await withMailbox(page, servers, name, PASSWORD)
  await openMail(page)
  await expect(row(page, 'Inbox', subject).first()).toBeVisible({ timeout: ARRIVES_MS })
  await row(page, 'Inbox', subject).first().getByRole('link').click()
  const mail = opened(page, subject)
  await expect(mail).toBeVisible()
  return { user, name, mail }
}

const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Mail content"]')
const heightOfFrame = (page: Page) =>
  page.getByTitle('Mail content').evaluate((frame) => frame.getBoundingClientRect().height)

/** Whatever leaves for another host while the page is read. */
function watchOutside(page: Page): string[] {
  const outside: string[] = []
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') outside.push(request.url())
  })
  return outside
}

const BROKEN = [
  'From: broken\r\nSubject: Half a mail\r\nContent-Type: multipart/mixed; boundary=zz\r\n\r\n--zz\r\nContent-Type: text/html; charset=nonsense\r\n\r\n<p>So far <b>so good',
  makeMail(
    {
      Subject: 'Windows words',
      'Content-Type': 'text/plain; charset=windows-1252',
      'Content-Transfer-Encoding': 'quoted-printable',
    },
    { body: 'Br=F6tchen f=FCr 3 =80' },
  ),
]

test('HTML grows to its height and no wider, links say where they lead, quotes fold, also where a mail is broken', async ({
  page,
}) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  const lines = '<p>A paragraph about bread and rolls.</p>'.repeat(60)
  const quote = `<blockquote>${'Words of an earlier mail. '.repeat(20)}</blockquote>`
  const html =
    `<h1 style="color:#933">Autumn bread</h1><p><a href="https://evil.example/login">www.bank.example</a> ` +
    `<a href="https://shop.bakery.example/x">bakery.example</a></p>${lines}<p>The end of it.</p>${quote}`
  const wide = `<table width="900"><tr><td>Wide</td></tr></table><p>${'long'.repeat(80)}</p>`
  const long = `${'very-'.repeat(60)}long.bin`
  const files = [{ name: long, type: 'application/octet-stream', content: Buffer.from('x') }]
  const mails = [
    makeMail({ Subject: 'Narrow' }, { html: wide, files }),
    ...BROKEN,
    makeMail({ Subject: 'Autumn letter' }, { html }),
  ]
  const { mail } = await read(page, mails, 'Autumn letter')
  await expect(page.getByTitle('Mail content')).toHaveAttribute(
    'sandbox',
    'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  )
  const frame = frameOf(page)
  await expect(frame.getByRole('heading', { name: 'Autumn bread' })).toHaveCSS('color', 'rgb(153, 51, 51)')
  // It grows once it has been read.
  await expect.poll(() => heightOfFrame(page)).toBeGreaterThan(1500)
  await expect
    .poll(() => frame.locator('html').evaluate((root) => root.scrollHeight - root.clientHeight))
    .toBeLessThan(2)

  const lure = frame.getByRole('link', { name: /www\.bank\.example/ })
  await expect(lure).toContainText('[leads to evil.example]')
  await expect(lure).toHaveAttribute('rel', /noopener/)
  const honest = frame.getByRole('link', { name: 'bakery.example', exact: true })
  await expect(honest).toHaveAttribute('title', 'shop.bakery.example')

  await expect(frame.getByText('Words of an earlier mail.')).toBeHidden()
  const before = await heightOfFrame(page)
  await frame.getByText('Show quoted text').click()
  await expect(frame.getByText('Words of an earlier mail.')).toBeVisible()
  await expect.poll(() => heightOfFrame(page)).toBeGreaterThan(before)
  // The keys of the page work in there too.
  await page.keyboard.press('Escape')
  await expect(mail).toBeHidden()

  await row(page, 'Inbox', 'Half a mail').getByRole('link').click()
  await expect(frame.getByText('so good')).toBeVisible()
  await row(page, 'Inbox', 'Windows words').getByRole('link').click()
  await expect(opened(page, 'Windows words')).toContainText('Brötchen für 3 €')

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 780 })
  await button(opened(page, 'Windows words'), 'Back').click()
  await row(page, 'Inbox', 'Narrow').getByRole('link').click()
  await expect(frame.getByText('Wide')).toBeVisible()
  await expect(opened(page, 'Narrow').getByRole('heading', { name: 'Narrow' })).toBeFocused()
  await look(page)
  expect(complaints).toEqual([])
})

test('remote pictures load on request, and always for a trusted sender', async ({ page }) => {
  await page.route('https://far.example/**', (route) =>
    route.fulfill({ body: png(40, 20), contentType: 'image/png' }),
  )
  const outside = watchOutside(page)
  const html = '<p>Look</p><img src="https://far.example/seen.png" alt="bread">'
  const subjects = ['First look', 'Second look', 'Third look']
  const mails = subjects.map((Subject) => makeMail({ Subject }, { html }))
  const { mail } = await read(page, mails, 'First look')
  await expect(frameOf(page).getByText('Look')).toBeVisible()
  await expect(mail).toContainText('Remote pictures are hidden')
  expect(outside).toEqual([])

  await button(mail, 'Show pictures').click()
  await expect(page.getByTitle('Mail content')).toHaveAttribute('src', /&remote=1$/)
  await expect.poll(() => outside).toEqual(['https://far.example/seen.png'])
  await expect
    .poll(() =>
      frameOf(page)
        .getByAltText('bread')
        .evaluate((picture) => (picture as HTMLImageElement).naturalWidth),
    )
    .toBe(40)
  await expect(button(mail, 'Show pictures')).toBeHidden()

  await row(page, 'Inbox', 'Second look').getByRole('link').click()
  const second = opened(page, 'Second look')
  await button(second, 'Always for anna@bakery.example').click()
  await expect.poll(() => outside.length).toBe(2)
  await row(page, 'Inbox', 'Third look').getByRole('link').click()
  await expect.poll(() => outside.length).toBe(3)
  await expect(opened(page, 'Third look')).not.toContainText('Remote pictures')
  await page.reload()
  await expect.poll(() => outside.length).toBe(4)
})

test('attachments are looked at and saved, and so is the source', async ({ page }) => {
  const files = [
    { name: 'loaf.png', type: 'image/png', content: png(60, 30) },
    {
      name: 'notes.txt',
      type: 'text/plain; charset=utf-8',
      content: Buffer.from('Flour\nWasser für alle\n'),
    },
    { name: 'invoice.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.4\n%%EOF\n') },
    { name: 'all.zip', type: 'application/zip', content: Buffer.from('PK\u0003\u0004') },
    { name: 'evil.html', type: 'text/html', content: Buffer.from('<script>top.ran=1</script>') },
  ]
  const { mail } = await read(
    page,
    [makeMail({ Subject: 'Files', 'X-Odd': 'Kürbis' }, { text: 'Here.', files })],
    'Files',
  )
  const shown = mail.getByRole('region', { name: 'Attachments' })
  await expect(shown).toContainText('5 attachments')

  await shown.getByRole('button', { name: /^loaf\.png/ }).click()
  const picture = dialog(page, 'loaf.png').getByRole('img', { name: 'loaf.png' })
  await expect.poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(60)
  await look(page)
  await page.keyboard.press('Escape')
  await expect(shown.getByRole('button', { name: /^loaf\.png/ })).toBeFocused()

  await shown.getByRole('button', { name: /^notes\.txt/ }).click()
  await expect(dialog(page, 'notes.txt')).toContainText('Wasser für alle')
  await button(dialog(page, 'notes.txt'), 'Close').last().click()

  await shown.getByRole('button', { name: /^invoice\.pdf/ }).click()
  await expect(dialog(page, 'invoice.pdf').getByRole('button', { name: 'Open the PDF' })).toBeVisible()
  const saved = page.waitForEvent('download')
  await button(dialog(page, 'invoice.pdf'), 'Download').click()
  expect((await saved).suggestedFilename()).toBe('invoice.pdf')
  await page.keyboard.press('Escape')

  for (const { name, content } of files.slice(3)) {
    const file = page.waitForEvent('download')
    await shown.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    expect(await readFile(await (await file).path())).toEqual(content)
  }
  const invoice = page.waitForEvent('download')
  await button(shown, 'Download invoice.pdf').click()
  expect((await invoice).suggestedFilename()).toBe('invoice.pdf')

  await button(mail, 'More about this email').click()
  await page.getByRole('menuitem', { name: 'View source' }).click()
  const source = dialog(page, 'Source of this email')
  await expect(source).toContainText('X-Odd: Kürbis')
  const raw = page.waitForEvent('download')
  await button(source, 'Download').click()
  expect((await readFile(await (await raw).path())).toString()).toContain('X-Odd: Kürbis')
})

async function look(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // No script runs in a mail's frame, not even axe.
    .exclude('iframe')
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(tooWide).toBe(0)
}
