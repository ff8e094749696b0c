import type { Browser, Locator, Page } from '@playwright/test'
import jsQR from 'jsqr'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { type BodyInput } from '#contract/platform/endpoint.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { ask, type E2eUser, expect, signedIn, startHowl, test as base } from '../../support/e2e.ts'
import { anInvoice } from '../../support/invoices.ts'
import { mailAccountAt } from '../../support/mail-account.ts'
import { downloaded } from '../../support/pdf-download.ts'
import { readPdf } from '../../support/read-pdf.ts'
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { systemMailTo } from '../../support/system-mail.ts'
import { parsed } from '../../support/writing.ts'
import { toast } from '../../support/toast.ts'

// An invoice is mailed from the user's account, and its customer opens it by the link in the mail.

const PUBLIC = 'https://howl.muster.example'
let sink: SmtpSink

/** A Howl whose links lead to an address that customers can open; the tests open the same paths here. */
const test = base.extend<object, { howl: Awaited<ReturnType<typeof startHowl>> & { systemMail: SmtpSink } }>({
  howl: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the wanted fixtures from this pattern
    async ({}, use) => {
      sink = await startSmtpSink()
      const systemMail = await startSmtpSink()
      const app = await startHowl({
        PUBLIC_URL: PUBLIC,
        ALLOW_PRIVATE_MAIL_HOSTS: 'on',
        ...systemMailTo(systemMail),
      })
      await use({ ...app, systemMail })
      await app.end()
      for (const server of [systemMail, sink]) await server.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

test.afterEach(() => {
  sink.setScript(undefined)
  sink.clear()
})

type Fields = BodyInput<typeof invoices.add>
const IBAN = 'DE89 3704 0044 0532 0130 00'

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })

async function aDraft(page: Page, user: E2eUser, fields: Fields = {}) {
  const body = anInvoice({
    currency: 'EUR',
    due_date: day(14),
    seller: {
      name: 'Ada Muster',
      business_name: 'Muster Bakery',
      iban: IBAN,
      bic: 'COBADEFFXXX',
      email: 'ada@muster.example',
    },
    buyer: { name: 'Bea Berg', business_name: 'Berg Hotels', email: 'bea@far.example' },
    ...fields,
  })
  return ask(page, user, invoices.add, body)
}
async function issued(page: Page, user: E2eUser, fields: Fields = {}) {
  const { id } = await aDraft(page, user, fields)
  return ask(page, user, invoices.issue, undefined, { id })
}

/** A signed-in user who sends through the sink. */
async function writer(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
  await ask(page, user, mailboxSetup.save, mailAccountAt(sink))
  return user
}

const sending = (page: Page) => page.getByRole('region', { name: 'Sending', exact: true })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** The path of the customer's link in a text. */
const linkIn = (text: string | undefined) =>
  /https:\/\/howl\.muster\.example(\/i\/[\w.-]+)/.exec(text ?? '')?.[1]

/** A customer's browser, without session. */
async function asCustomer(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url })
  return context.newPage()
}

/** The text in a QR code on the screen, as a camera reads it. */
async function scanned(code: Locator): Promise<string | undefined> {
  const { data, info } = await sharp(await code.screenshot())
    .resize({ width: 700, kernel: 'nearest' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

/** For stories in which a sent mail is seen waiting for its ten seconds. */
const held = test.extend({ takesBack: true })

held(
  'a draft is issued and sent, its customer opens the link, and the sender sees it',
  async ({ page, browser, howl }) => {
    const user = await writer(page)
    const draft = await aDraft(page, user)
    await page.goto(`/invoices/${draft.id}`)
    await page.getByRole('button', { name: 'Issue', exact: true }).click()
    await dialog(page, 'Issue this invoice?').getByRole('button', { name: 'Issue and send' }).click()
    const form = dialog(page, /^Send invoice INV-\d{4}-0001$/)
    await expect(form.getByRole('combobox', { name: 'To' })).toHaveValue('bea@far.example')
    await expect(form.getByRole('textbox', { name: 'Subject' })).toHaveValue(
      /^Invoice INV-\d{4}-0001 from Muster Bakery$/,
    )
    await expect(form.getByText(/^invoice-INV-\d{4}-0001\.pdf$/)).toBeVisible()
    const message = form.getByRole('textbox', { name: 'Message' })
    await expect(message).toHaveValue(/Amount due: €230\.00/)
    await message.fill(`Dear Bea,\n\n${await message.inputValue()}`)
    await form.getByRole('button', { name: 'Send', exact: true }).dblclick()
    await expect(sending(page).getByText('Sending to bea@far.example')).toBeVisible()
    await expect(form).toBeHidden()
    // It leaves when it can no longer be undone.
    await sink.waitFor(1)
    await expect(sending(page).getByRole('link', { name: 'Sent to bea@far.example' })).toBeVisible()
    await expect(
      page.getByRole('heading', { level: 1 }).locator('..').getByText('Sent', { exact: true }),
    ).toBeVisible()
    expect(sink.count).toBe(1)
    const mail = await parsed(sink.received[0])
    expect(mail.text).toMatch(/^Dear Bea,/)
    const [file] = mail.attachments
    const [sheet] = await readPdf(new Uint8Array(file?.content as ArrayBuffer))
    expect(sheet?.text).toContain('Berg Hotels')
    // The browser's PDF and the server's have the same text.
    const own = await downloaded(page)
    expect(sheet?.text.replaceAll(/\s+/g, ' ')).toBe(own.text)

    const path = linkIn(mail.text) ?? ''
    const customer = await asCustomer(browser, howl.url)
    const answer = await customer.goto(path)
    expect(answer?.headers()['x-robots-tag']).toContain('noindex')
    expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
    await expect(customer.getByRole('heading', { level: 1, name: /^Invoice INV-\d{4}-0001$/ })).toBeVisible()
    await expect(customer.getByText('€230.00').first()).toBeVisible()
    await expect(customer.getByText(/^Due on /)).toBeVisible()
    const pay = customer.getByRole('region', { name: 'Pay by bank transfer' })
    await expect(pay.getByText(IBAN)).toBeVisible()
    const number = await customer.getByRole('heading', { level: 1 }).textContent()
    expect(await scanned(pay.getByRole('img', { name: 'QR code for this transfer' }))).toBe(
      `BCD\n002\n1\nSCT\nCOBADEFFXXX\nMuster Bakery\nDE89370400440532013000\nEUR230.00\n\n\n${number?.slice('Invoice '.length)}`,
    )
    await expect(customer.getByRole('group', { name: /^Page 1/ })).toBeVisible()
    const [download] = await Promise.all([
      customer.waitForEvent('download'),
      customer.getByRole('link', { name: 'Download PDF' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^invoice-INV-\d{4}-0001\.pdf$/)
    const saved = await readPdf(new Uint8Array(await readFile(await download.path())))
    expect(saved[0]?.text).toBe(sheet?.text)
    // No log-in, no navigation of Howl, nothing kept.
    await expect(customer.getByRole('navigation')).toHaveCount(0)
    expect(await customer.context().cookies()).toEqual([])
    await customer.context().close()

    await expect(sending(page).getByText(/^Viewed by the customer/)).toBeVisible()
    await sending(page).getByRole('link', { name: 'Sent to bea@far.example' }).click()
    await expect(page).toHaveURL(/\/emails\?folder=sent&email=\d+/)
    await expect(page.getByText(/^Dear Bea,/).first()).toBeVisible()
  },
)

held('sending is undone, and the same words are there again', async ({ page }) => {
  const user = await writer(page)
  const { id } = await issued(page, user)
  await page.goto(`/invoices/${id}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const form = dialog(page, /^Send invoice/)
  await form.getByRole('textbox', { name: 'Subject' }).fill('My own subject')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await toast(page, 'Invoice sent').getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'Not sent. The email is in Drafts.')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Subject' })).toHaveValue('My own subject')
  await page.keyboard.press('Escape')
  await expect(sending(page).getByText('Email to bea@far.example was taken back')).toBeVisible()
  await sending(page).getByRole('button', { name: 'Send again' }).click()
  await expect(form.getByRole('textbox', { name: 'Subject' })).toHaveValue('My own subject')
  expect(sink.count).toBe(0)
})

test('a refused mail is said with the reason and sent again', async ({ page }) => {
  const user = await writer(page)
  const { id } = await issued(page, user, { buyer: { business_name: 'Berg Hotels', email: '' } })
  await page.goto(`/invoices/${id}`)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const form = dialog(page, /^Send invoice/)
  const send = form.getByRole('button', { name: 'Send', exact: true })
  sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '554 5.7.1 We do not like you' } : undefined))
  await form.getByRole('combobox', { name: 'To' }).fill('bea@far.example')
  await send.click()
  await expect(sending(page).getByText('Email to bea@far.example could not be sent')).toBeVisible()
  await expect(sending(page).getByText(/We do not like you/)).toBeVisible()
  sink.setScript(undefined)
  await sending(page).getByRole('button', { name: 'Send again' }).click()
  await send.click()
  await expect(sending(page).getByRole('link', { name: 'Sent to bea@far.example' })).toBeVisible()
  expect(sink.count).toBe(1)
})

test('the link is turned off, on and replaced; an old one tells nothing', async ({ page, browser, howl }) => {
  const user = await writer(page)
  const { id } = await issued(page, user)
  const path = async () =>
    linkIn((await ask(page, user, invoiceMail.link, undefined, { id })).url ?? '') ?? ''
  const first = await path()
  const customer = await asCustomer(browser, howl.url)
  await page.goto(`/invoices/${id}`)
  const card = page.getByRole('region', { name: 'Customer’s page' })
  const choose = async (act: string) => {
    await card.getByRole('button', { name: 'More actions, customer’s page' }).click()
    await page.getByRole('menuitem', { name: act }).click()
  }
  await choose('Turn off')
  await expect(card.getByText('The link is turned off: nobody can open it.')).toBeVisible()
  await customer.goto(first)
  await expect(customer.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await expect(
    customer.getByText('This link is not valid. Please ask the sender for a new one.'),
  ).toBeVisible()
  await card.getByRole('button', { name: 'Turn on' }).click()
  await expect(card.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await choose('New link')
  await dialog(page, 'Make a new link?').getByRole('button', { name: 'New link' }).click()
  await expect(toast(page, 'The link is a new one. Earlier links no longer work.')).toBeVisible()
  await customer.goto(first)
  await expect(customer.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await customer.goto(await path())
  await expect(customer.getByRole('heading', { level: 1, name: /^Invoice/ })).toBeVisible()
  await customer.context().close()
})
