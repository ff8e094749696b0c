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
