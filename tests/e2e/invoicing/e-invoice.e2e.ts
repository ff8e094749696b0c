import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '../../support/client.ts'
import { expect, signedIn, test } from '../../support/e2e.ts'
import { brokenRules } from '../../support/en16931.ts'
import { readTerms } from '../../support/e-invoice-terms.ts'
import { anEuDraft } from '../../support/eu-invoices.ts'
import { readPdf } from '../../support/read-pdf.ts'

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const more = (page: Page) =>
  page
    .getByRole('group')
    .filter({ has: page.getByText('More details') })
    .first()

async function openMore(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'More details' }).click()
  await expect(field(page, 'IBAN')).toBeVisible()
}

test('bank details, delivery and the reason for no tax are asked for in a part that is closed', async ({
  page,
}) => {
  await signedIn(page)
  await page.goto('/invoices')
  await expect(page.getByRole('form', { name: 'Details' })).toBeVisible()
  await expect(field(page, 'IBAN')).toHaveCount(0)
  await openMore(page)
  await field(page, 'IBAN').fill('DE89 3704 0044 0532 0130 01')
  await expect(more(page)).toContainText('Please check this IBAN: a character is wrong')
  await expect(field(page, 'IBAN')).toHaveAttribute('aria-invalid', 'true')
  await field(page, 'IBAN').fill('DE89 3704 0044 0532 0130 00')
  await expect(field(page, 'IBAN')).not.toHaveAttribute('aria-invalid')
  await field(page, 'BIC').fill('COBADEF')
  await expect(more(page)).toContainText('A BIC has 8 or 11 characters')
  await field(page, 'BIC').fill('COBADEFFXXX')
  await field(page, 'Delivery date').fill('2026-11-20')
  await expect(field(page, 'Reason for no tax')).toHaveCount(0)
  await field(page, 'Tax category').selectOption('Reverse charge')
  await expect(field(page, 'Reason for no tax')).toHaveValue('Reverse charge: the customer owes the VAT')
  await field(page, 'Customer’s city').fill('Wien')
  await field(page, 'Customer’s country').selectOption('Austria')
  await page.getByRole('button', { name: 'Preview' }).click()
  const sheet = page.getByRole('region', { name: 'Preview' })
  for (const text of [
    'IBAN DE89 3704 0044 0532 0130 00',
    'BIC COBADEFFXXX',
    '20 Nov 2026',
    'Wien',
    'Austria',
  ])
    await expect(sheet.getByText(text)).toBeVisible()
  // What is filled in is in sight when the page is opened again, also from the server.
  await page.reload()
  await expect(field(page, 'IBAN')).toHaveValue('DE89 3704 0044 0532 0130 00')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(field(page, 'Reason for no tax')).toHaveValue('Reverse charge: the customer owes the VAT')
  await expect(field(page, 'Customer’s country')).toHaveValue('AT')
  await expect(field(page, 'Delivery date')).toHaveValue('2026-11-20')
})

const card = (page: Page) => page.getByRole('region', { name: 'E-invoice', exact: true })

async function saved(page: Page, howl: { url: string }, token: string, body: object): Promise<number> {
  const { body: draft } = await call(howl.url, invoices.add, { token, body })
  await page.goto(`/invoices/${draft.id}`)
  return draft.id
}

async function download(page: Page, name: string): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    card(page).getByRole('button', { name }).click(),
  ])
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

test('a draft says what an e-invoice still needs, and the issued invoice is downloaded in both forms', async ({
  page,
  howl,
}) => {
  const { token } = await signedIn(page)
  const { seller, buyer, ...draft } = anEuDraft()
  await saved(page, howl, token, {
    ...draft,
    number: '',
    seller: { ...seller, tax_number: '', iban: '' },
    buyer: { ...buyer, country_code: '' },
  })
  const needs = card(page).getByRole('list', { name: 'An e-invoice needs' })
  await expect(needs.getByRole('listitem')).toHaveText(['your VAT or tax number', 'the customer’s country'])
  await expect(
    card(page).getByRole('list', { name: 'XRechnung also needs' }).getByRole('listitem'),
  ).toHaveText(['your IBAN'])
  await expect(card(page).getByRole('button')).toHaveCount(0)
  await card(page).getByRole('link', { name: 'Fill this in' }).click()
  await page
    .getByRole('region', { name: 'Seller' })
    .getByLabel('Tax number', { exact: true })
    .fill('DE123456789')
  await field(page, 'IBAN').fill('DE89 3704 0044 0532 0130 00')
  await field(page, 'Customer’s country').selectOption('Austria')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(card(page)).toContainText('Everything is there. You can download it once this is issued.')
  await page.getByRole('button', { name: 'Issue', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click()

  const pdf = await download(page, 'PDF with data (Factur-X / ZUGFeRD)')
  expect(pdf.name).toMatch(/^invoice-INV-\d{4}-0001-factur-x\.pdf$/)
  expect(pdf.bytes.toString('latin1')).toContain('(factur-x.xml)')
  const [sheet] = await readPdf(new Uint8Array(pdf.bytes))
  expect(sheet?.text).toContain('IBAN DE89 3704 0044 0532 0130 00')
  const xml = await download(page, 'XRechnung (XML)')
  expect(xml.name).toMatch(/^invoice-INV-\d{4}-0001-xrechnung\.xml$/)
  expect(brokenRules(xml.bytes.toString())).toEqual([])
  expect(readTerms(xml.bytes.toString()).terms).toMatchObject({ 'BT-112': '75.71', 'BT-55': 'AT' })
})

test('what cannot be expressed is said, and sellers elsewhere are not asked', async ({ page, howl }) => {
  const { token } = await signedIn(page)
  const draft = anEuDraft({ number: '', discount: '5' })
  const id = await saved(page, howl, token, draft)
  await call(howl.url, invoices.issue, { token, params: { id } })
  await page.reload()
  await expect(card(page)).toContainText('A discount on the whole invoice cannot be expressed')
  await expect(card(page)).toContainText('What is issued stays as it is.')
  await expect(card(page).getByRole('button')).toHaveCount(0)

  // XRechnung asks for more; who has no use for it is not bothered.
  const { seller } = draft
  const plain = await saved(page, howl, token, { ...draft, discount: '', seller: { ...seller, phone: '' } })
  await call(howl.url, invoices.issue, { token, params: { id: plain } })
  await page.reload()
  await expect(card(page).getByRole('button')).toHaveText(['PDF with data (Factur-X / ZUGFeRD)'])
  await expect(card(page).getByText('your phone number')).toBeHidden()
  await card(page).getByText('For XRechnung more is needed').click()
  await expect(card(page).getByRole('listitem')).toHaveText(['your phone number'])

  const abroad = { ...draft, discount: '', seller: { ...draft.seller, country_code: 'GB' } }
  const [panel] = await Promise.all([
    page.waitForResponse('**/assets/EInvoicePanel*.js'),
    saved(page, howl, token, abroad),
  ])
  await panel.finished()
  await expect(page.getByRole('region', { name: 'Lines' })).toBeVisible()
  await expect(card(page)).toHaveCount(0)
})
