import type { Locator, Page } from '@playwright/test'
import { truncate, writeFile } from 'node:fs/promises'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { ask, type E2eUser, expect, test } from '../../support/e2e.ts'
import {
  button,
  dialog,
  folder,
  inMail,
  list,
  opened,
  row,
  rows,
  sendByCall,
} from '../../support/mail-page.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import {
  compose,
  composeButton,
  left,
  PASSWORD,
  TULIPS,
  words,
  write,
  writer,
} from '../../support/mail-writing.ts'
import { toast } from '../../support/toast.ts'

const NAMES = ['ada', 'cyd', 'dan']

let servers: MailServers

test.beforeAll(async () => {
  servers = await startMailServers({ users: Object.fromEntries(NAMES.map((name) => [name, PASSWORD])) })
})
test.afterAll(() => servers?.stop())

const addContact = (page: Page, user: E2eUser, name: string, email: string) =>
  ask(page, user, contacts.add, { name, email })

test('a whole draft: contacts, copies, looks, a link and files leave as an honest mail', async ({ page }) => {
  const { user, sent } = await writer(page, servers, 'ada')
  await addContact(page, user, 'Anna Berg', 'anna@bakery.example')
  await addContact(page, user, 'Koch, Ines', 'ines@koch.example')
  await composeButton(page).click()
  const composer = compose(page)
  const to = composer.getByRole('combobox', { name: 'To', exact: true })
  await expect(to).toBeFocused()
  await expect(composer.getByRole('status', { name: 'From' })).toHaveText('ada@muster.example')
  await expect(button(composer, 'Connect your mailbox')).toHaveCount(0)
  await page.keyboard.type('ann')
  await expect(composer.getByRole('option', { name: /Anna Berg/ })).toBeVisible()
  // Esc closes the suggestions, and no more.
  await page.keyboard.press('Escape')
  await expect(composer.getByRole('option')).toHaveCount(0)
  await page.keyboard.type('a')
  await expect(composer.getByRole('option', { name: /Anna Berg/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type('ines')
  await composer.getByRole('option', { name: /Koch, Ines/ }).click()
  await button(composer, 'Cc and Bcc').click()
  await composer.getByLabel('Cc', { exact: true }).fill('cy@far.example')
  await composer.getByLabel('Bcc').fill('secret@far.example')
  await composer.getByLabel('Subject').fill('Bread on Fridays – für alle')
  await words(composer).click()
  await page.keyboard.type('Hello Anna,')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('Twelve loaves')
  await page.keyboard.press('Control+b')
  await page.keyboard.type(' as on ')
  await button(composer, 'Link').click()
  await page.keyboard.type('bakery.example/list')
  await page.keyboard.press('Enter')
  await expect(words(composer)).toBeFocused()
  await page.keyboard.press('Enter')
  await button(composer, 'Bulleted list').click()
  await page.keyboard.type('Rye')

  await composer
    .getByLabel('Files')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan') })
  await drop(page, composer.getByLabel('Subject'), 'dropped.csv', 'a;b')
  await expect(composer.getByRole('button', { name: 'Remove plan.txt' })).toBeVisible()
  await expect(composer.getByRole('button', { name: 'Remove dropped.csv' })).toBeVisible()
  await expect(composer.getByRole('progressbar')).toHaveCount(0)
  await button(composer, 'Send Email').click()
  await expect(toast(page, 'Email sent')).toBeVisible()
  await expect(composer).toBeHidden()

  const mail = await left(sent, 1)
  expect(mail.envelopeTo).toEqual([
    'anna@bakery.example',
    'cy@far.example',
    'ines@koch.example',
    'secret@far.example',
  ])
  expect(mail.raw).not.toContain('secret@far.example')
  expect(mail.to).toMatchObject([
    { name: 'Anna Berg', address: 'anna@bakery.example' },
    { name: 'Koch, Ines', address: 'ines@koch.example' },
  ])
  expect(mail.cc).toMatchObject([{ address: 'cy@far.example' }])
  expect(mail.subject).toBe('Bread on Fridays – für alle')
  expect(mail.text?.trim()).toBe('Hello Anna,\n\nTwelve loaves as on https://bakery.example/list \n- Rye')
  expect(mail.html).toContain('<strong>Twelve loaves</strong>')
  expect(mail.html).toContain('href="https://bakery.example/list"')
  expect(mail.html).toMatch(/<ul><li><p[^>]*>Rye<\/p><\/li><\/ul>/)
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['plan.txt', 'dropped.csv'])
  expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString()).toBe('The plan')
  expect(mail.raw).toMatch(/^Content-Type: multipart\/mixed/im)
  expect(mail.raw).toMatch(/^Content-Type: multipart\/alternative/im)

  await folder(page, 'Sent').click()
  await expect(rows(page, 'Sent')).toHaveCount(1)
  await folder(page, 'Drafts').click()
  await expect(list(page, 'Drafts')).toContainText('Drafts is empty')
})

async function drop(page: Page, on: Locator, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([file, text]) => {
      const carried = new DataTransfer()
      carried.items.add(new File([text ?? ''], file ?? '', { type: 'text/csv' }))
      return carried
    },
    [name, content],
  )
  await on.dispatchEvent('dragover', { dataTransfer })
  await on.dispatchEvent('drop', { dataTransfer })
}

test('send later: scheduled, edited, and taken back', async ({ page }) => {
  const { sent } = await writer(page, servers, 'cyd')
  const composer = await write(page, TULIPS)
  await button(composer, 'Send later').click()
  const later = dialog(page, 'Send later')
  await later.getByRole('button', { name: /^Tomorrow morning/ }).click()
  await expect(toast(page, 'Email scheduled')).toBeVisible()
  await expect(folder(page, 'Scheduled')).toHaveAttribute('aria-current', 'page')
  await expect(folder(page, 'Scheduled')).toHaveText(/^Scheduled\s*1$/)

  await row(page, 'Scheduled', 'Tulips').getByRole('link').click()
  await button(opened(page, 'Tulips'), 'Edit').click()
  const edited = dialog(page, 'Edit scheduled email')
  await expect(edited).toContainText(/Scheduled for .* at 08:00/)
  await words(edited).fill('Seven boxes, please.')
  await page.keyboard.press('Escape')
  await button(dialog(page, 'Discard your changes?'), 'Cancel').click()
  await expect(words(edited)).toHaveText('Seven boxes, please.')
  await button(edited, 'Save changes').click()
  await expect(toast(page, 'Email scheduled')).toBeVisible()
  await expect(opened(page, 'Tulips')).toContainText('Seven boxes, please.')

  await button(opened(page, 'Tulips'), 'Cancel sending').click()
  await expect(toast(page, 'Sending cancelled. The email is in Drafts.')).toBeVisible()
  await expect(list(page, 'Scheduled')).toContainText('Scheduled is empty')
  await expect(folder(page, 'Drafts')).toHaveText(/^Drafts\s*1$/)
  expect(sent()).toHaveLength(0)
})

test('a mail that was put off or refused is changed, or sent again', async ({ page }) => {
  const { user, sent } = await writer(page, servers, 'dan')
  try {
    servers.sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '451 4.7.1 Greylisted' } : undefined))
    await sendByCall(page, user, 'ben@garden.example', 'Tulips')
    await page.goto('/emails?folder=sent')
    await expect(row(page, 'Sent', 'Tulips')).toContainText('Deferred')
    await row(page, 'Sent', 'Tulips').getByRole('link').click()
    await expect(opened(page, 'Tulips')).toContainText('Greylisted')
    await button(opened(page, 'Tulips'), 'Edit').click()
    const draft = dialog(page, 'Edit draft')
    await words(draft).fill('Four boxes, please.')
    servers.sink.setScript(undefined)
    await button(draft, 'Send Email').click()
    expect((await left(sent, 1)).text?.trim()).toBe('Four boxes, please.')

    servers.sink.setScript(({ step }) => (step === 'dot' ? { reply: '554 5.7.1 Not today' } : undefined))
    await ask(page, user, emails.send, { ...TULIPS, subject: 'Roses', undo_seconds: 1 })
    await expect(row(page, 'Sent', 'Roses')).toContainText('Failed')
    servers.sink.setScript(undefined)
    await row(page, 'Sent', 'Roses').getByRole('link').click()
    await expect(opened(page, 'Roses')).toContainText('Not today')
    await button(opened(page, 'Roses'), 'Send again').click()
    await expect(toast(page, 'Email sent').last()).toBeVisible()
    expect((await left(sent, 2)).subject).toBe('Roses')
    await expect(opened(page, 'Roses')).not.toContainText('Not today')
  } finally {
    servers.sink.setScript(undefined)
  }
})

test('files: too large is said at once, one can be taken out, and sending waits for them', async ({
  page,
}) => {
  await inMail(page)
  const composer = await write(page, TULIPS)
  const input = composer.getByLabel('Files')
  const small = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
  await input.setInputFiles(Array.from({ length: 20 }, (_, index) => small(`file-${index}.txt`)))
  await expect(composer.getByRole('button', { name: /^Remove file-/ })).toHaveCount(20)
  await button(composer, 'Remove file-3.txt').click()
  await expect(composer.getByRole('button', { name: /^Remove file-/ })).toHaveCount(19)
  const huge = test.info().outputPath('huge.bin')
  await writeFile(huge, '')
  await truncate(huge, 25 * 1024 * 1024 + 1)
  await input.setInputFiles(huge)
  await expect(composer).toContainText('Larger than 25 MB')
  await button(composer, 'Remove huge.bin').click()

  let finish = () => {}
  const uploaded = new Promise<void>((resolve) => (finish = resolve))
  await page.route('**/emails/attachments', async (route) => {
    await uploaded
    await route.continue()
  })
  await input.setInputFiles(small('slow.txt'))
  await expect(composer.getByRole('progressbar', { name: 'Uploading slow.txt' })).toBeVisible()
  await button(composer, 'Send Email').click()
  await expect(composer.getByRole('alert')).toHaveText('Please wait until all files are uploaded.')
  finish()
  await expect(composer.getByRole('progressbar')).toHaveCount(0)
  await expect(composer.getByRole('alert')).toHaveCount(0)
  await button(composer, 'Send Email').click()
  await expect(toast(page, 'Email sent')).toBeVisible()
})
