import type { Page } from '@playwright/test'
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { contacts } from '#contract/crm/contacts.ts'
import { profile } from '#contract/accounts/profile.ts'
import { call } from '../../support/client.ts'
import { expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { downloaded } from '../../support/pdf-download.ts'

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const seller = (page: Page) => group(page, 'Seller')
const buyer = (page: Page) => group(page, 'Bill To')
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const lineAt = (page: Page, index: number) =>
  page.getByRole('listitem', { name: `Line ${index}`, exact: true })
const preview = (page: Page) => page.getByRole('button', { name: 'Preview' })
const sheet = (page: Page) => page.getByRole('region', { name: 'Preview' })

async function fillLine(page: Page, index: number, line: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(line)) await lineAt(page, index).getByLabel(label).fill(value)
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b5482a' } })
    .png()
    .toBuffer()

test('a PDF that cannot be made says so, and nothing is lost', async ({ page }) => {
  await signedIn(page)
  await page.goto('/invoices')
  await field(page, 'PO number').fill('4711')
  await page.route('**/assets/make-pages*', (route) => route.abort())
  await page.getByRole('button', { name: 'Download PDF' }).click()
  await expect(page.getByText('Failed to generate PDF', { exact: true })).toBeVisible()
  await expect(field(page, 'PO number')).toHaveValue('4711')
})

test('the form begins with what is known, and marks what an invoice needs', async ({ page }) => {
  const ada = await signedIn(page, { name: 'Ada Muster' })
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Invoice' }).click()
  await expect(page).toHaveURL(/\/invoices$/)
  await expect(page).toHaveTitle('Invoices · Howl')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoices')
  await expect(page.getByRole('form', { name: 'Details' })).toBeVisible()
  for (const name of ['Seller', 'Tax Settings', 'Bill To', 'Invoice', 'Line Items'])
    await expect(group(page, name)).toBeVisible()
  await expect(seller(page).getByLabel('Name', { exact: true })).toHaveValue('Ada Muster')
  await expect(seller(page).getByLabel('Business name')).toHaveValue('Muster Ltd')
  await expect(seller(page).getByLabel('Email')).toHaveValue(ada.email)
  const today = await field(page, 'Issue date').inputValue()
  expect(today).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  await expect(field(page, 'Invoice number')).toHaveValue(`INV-${today.slice(0, 4)}-0001`)
  const days = (Date.parse(await field(page, 'Due date').inputValue()) - Date.parse(today)) / 86_400_000
  expect(days).toBe(30)
  await expect(field(page, 'Notes')).toHaveValue('Payment due within 30 days. Thank you for your business.')
  await expect(field(page, 'Currency')).toHaveValue('USD')
  await expect(field(page, 'Service period start')).toHaveValue('')
  for (const who of [seller(page), buyer(page)])
    for (const label of ['Name', 'Business name', 'Address', 'Email', 'Phone', 'Tax number'])
      await expect(who.getByLabel(label, { exact: true })).toHaveAttribute('aria-required', 'true')
  for (const label of ['PO number', 'Invoice number', 'Currency', 'Issue date', 'Due date', 'Notes'])
    await expect(field(page, label)).toHaveAttribute('aria-required', 'true')
  await expect(field(page, 'Service period end')).not.toHaveAttribute('aria-required')
  await expect(field(page, 'Layout style').getByRole('option')).toHaveText([
    'Classic',
    'Modern',
    'Minimal',
    'Professional',
    'Compact',
  ])
  await expect(field(page, 'Currency').getByRole('option')).toHaveCount(12)
})

test('the preview shows the pages of the PDF, and the PDF is text', async ({ page }) => {
  await signedIn(page, { name: 'Ada Muster' })
  await page.goto('/invoices')
  await field(page, 'Invoice number').fill('2026/7')
  await buyer(page).getByLabel('Name', { exact: true }).fill('Дмитрий Berg')
  await fillLine(page, 1, { Description: 'Sourdough — “daily”', 'Unit price': '1234.5' })
  for (const layout of ['classic', 'modern', 'minimal', 'professional', 'compact']) {
    await field(page, 'Layout style').selectOption(layout)
    await preview(page).click()
    await expect(preview(page)).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('form', { name: 'Details' })).toBeHidden()
    const paper = sheet(page).getByRole('group', { name: 'Page 1 of 1' })
    for (const said of ['Дмитрий', 'Sourdough — “daily”', '$1,234.50', 'Muster Ltd', '2026/7', 'Amount due'])
      await expect(paper).toContainText(said)
    const pdf = await downloaded(page)
    expect(pdf.name).toBe('invoice-2026-7.pdf')
    for (const said of ['Дмитрий', 'Sourdough — “daily”', '$1,234.50', 'Muster Ltd', 'Page 1 of 1'])
      expect(pdf.text).toContain(said)
    await preview(page).click()
  }
  await preview(page).click()
  await expect(page.getByRole('status').filter({ hasText: 'Still empty' })).toContainText('PO number')
  await preview(page).click()
  await expect(field(page, 'Invoice number')).toHaveValue('2026/7')
})

test('pictures are taken in small, and everything else is refused with words', async ({ page }) => {
  await signedIn(page)
  await page.goto('/invoices')
  const logo = seller(page).getByLabel('Logo', { exact: true })
  const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })
  for (const wrong of [
    file('notes.txt', 'text/plain', Buffer.from('hello')),
    file('logo.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    file('broken.png', 'image/png', Buffer.from('this is no picture')),
  ]) {
    await logo.setInputFiles(wrong)
    await expect(seller(page).getByRole('alert')).toHaveText('Please choose an image file')
  }
  const huge = test.info().outputPath('huge.png')
  await writeFile(huge, Buffer.alloc(50 * 1024 * 1024))
  await logo.setInputFiles(huge)
  await expect(seller(page).getByRole('alert')).toHaveText('Please choose an image under 10 MB')
  await logo.setInputFiles(file('logo.png', 'image/png', await picture(3000, 1000)))
  await expect(seller(page).getByRole('img', { name: 'Logo' })).toBeVisible()
  await expect(seller(page).getByRole('alert')).toBeHidden()
  const size = () =>
    seller(page)
      .getByRole('img', { name: 'Logo' })
      .evaluate((image: HTMLImageElement) => [
        image.naturalWidth,
        image.naturalHeight,
        image.src.slice(0, 23),
      ])
  // Twice the 170 × 60 points that a logo has on paper.
  await expect.poll(size).toEqual([453, 151, 'data:image/jpeg;base64,'])
  await buyer(page)
    .getByLabel('Signature', { exact: true })
    .setInputFiles(file('s.png', 'image/png', await picture(300, 100)))
  await expect(buyer(page).getByRole('img', { name: 'Signature' })).toBeVisible()
  await preview(page).click()
  await expect(sheet(page).getByRole('img', { name: 'Logo' })).toBeVisible()
  await expect(sheet(page).getByRole('img', { name: 'Signature of the buyer' })).toBeVisible()
  expect((await downloaded(page)).pages).toBe(1)
  await preview(page).click()
  await seller(page).getByRole('button', { name: 'Remove logo' }).click()
  await expect(seller(page).getByRole('img')).toBeHidden()
  await expect(seller(page).getByRole('button', { name: 'Choose logo' })).toBeFocused()
})

test('the buyer is taken from the contacts', async ({ page, howl }) => {
  const { token } = await signedIn(page)
  await call(howl.url, contacts.add, {
    token,
    body: { name: 'Kim Berg', email: 'kim@berg.example', company: 'Berg Hotels', phone: '+49 30 1' },
  })
  await page.goto('/invoices')
  const find = buyer(page).getByRole('combobox', { name: 'Choose from contacts' })
  await find.fill('nobody')
  await expect(buyer(page)).toContainText('No contact found for “nobody”.')
  await find.fill('berg')
  await expect(buyer(page).getByRole('option')).toHaveText(['Kim BergBerg Hotels'])
  await find.press('Enter')
  await expect(buyer(page).getByLabel('Name', { exact: true })).toHaveValue('Kim Berg')
  await expect(buyer(page).getByLabel('Business name')).toHaveValue('Berg Hotels')
  await expect(buyer(page).getByLabel('Email')).toHaveValue('kim@berg.example')
  await expect(buyer(page).getByLabel('Phone')).toHaveValue('+49 30 1')
})

test('the draft survives a reload, not a log-out; the seller is kept when starting over', async ({
  page,
  howl,
}) => {
  const { token, email, password } = await signedIn(page)
  await call(howl.url, profile.update, { token, body: { country: 'JP' } })
  await page.goto('/invoices')
  await expect(field(page, 'Currency')).toHaveValue('JPY')
  await expect(field(page, 'Country')).toHaveValue('JP')
  await seller(page).getByLabel('Address').fill('12 Mill Lane')
  await buyer(page).getByLabel('Name', { exact: true }).fill('Kim Berg')
  await fillLine(page, 1, { 'Unit price': '12,5' })
  await page.reload()
  await expect(buyer(page).getByLabel('Name', { exact: true })).toHaveValue('Kim Berg')
  await expect(lineAt(page, 1).getByLabel('Unit price')).toHaveValue('12,5')
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(buyer(page).getByLabel('Name', { exact: true })).toHaveValue('')
  await expect(seller(page).getByLabel('Address')).toHaveValue('12 Mill Lane')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(buyer(page).getByLabel('Name', { exact: true })).toHaveValue('Kim Berg')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).not.toHaveURL(/invoices/)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Mill Lane')
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/dashboard/)
  await page.goto('/invoices')
  await expect(buyer(page).getByLabel('Name', { exact: true })).toHaveValue('')
  await expect(seller(page).getByLabel('Address')).toHaveValue('')
})

test('the invoice is on the phone, fits, and has no fault that axe finds', async ({ page }) => {
  test.setTimeout(120_000)
  await signedIn(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const entry = page.getByRole('link', { name: 'Invoice', exact: true })
  if (await entry.isHidden()) await page.getByRole('button', { name: 'More' }).click()
  await entry.click()
  await expect(seller(page)).toBeVisible()
  const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  for (const [width, price] of [
    [360, '12.50'],
    [768, '1,5'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await fillLine(page, 1, { Description: 'Bread', 'Unit price': price })
    expect(await tooWide()).toBeLessThanOrEqual(0)
    await expectSound(page)
    await preview(page).click()
    await expect(sheet(page).getByRole('group', { name: 'Page 1 of 1' })).toBeVisible()
    expect(await tooWide()).toBeLessThanOrEqual(0)
    await expectSound(page)
    await preview(page).click()
  }
})
