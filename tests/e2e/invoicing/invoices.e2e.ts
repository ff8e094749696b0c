import type { Page } from '@playwright/test'
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { profile } from '#contract/accounts/profile.ts'
import { call } from '../../support/client.ts'
import { expect, signedIn, test } from '../../support/e2e.ts'
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
