import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { exchangeRates } from '#contract/invoicing/exchange-rates.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { tax, taxOf } from '#contract/invoicing/tax.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const field = (label: string) => page.getByLabelText(label, { exact: true })
const main = page.getByRole('main')
const IBAN = 'DE89 3704 0044 0532 0130 00'

async function openInvoice(): Promise<HTMLElement> {
  fakeApi()
    .answers(invoices.nextNumber, { number: 'INV-2026-0001' })
    .answers(exchangeRates.get)
    .answers(tax.compute, ({ query: { country_code = '', tax_id = '' } }) =>
      taxOf(country_code, 'other', tax_id),
    )
  openPage('/invoices')
  await expect.element(page.getByRole('form', { name: 'Details' })).toBeVisible()
  await expect.element(field('IBAN')).not.toBeInTheDocument()
  const summary = [...document.querySelectorAll('summary')].find(({ textContent }) =>
    textContent.includes('More details'),
  )
  if (summary === undefined) throw new Error('There are no more details')
  return summary
}

test('bank details, delivery and the reason for no tax are asked for in a part that is closed', async () => {
  const summary = await openInvoice()
  await userEvent.click(summary)
  await field('IBAN').fill('DE89 3704 0044 0532 0130 01')
  await expect.element(main).toMatchTextContent('Please check this IBAN: a character is wrong')
  await expect.element(field('IBAN')).toHaveAttribute('aria-invalid', 'true')
  await field('BIC').fill('COBADEF')
  await expect.element(main).toMatchTextContent('A BIC has 8 or 11 characters')
  await field('Customer’s city').fill('A'.repeat(100))
  await expectSound()
  onTestFinished(() => page.viewport(1440, 900))
  for (const width of [360, 768]) {
    await page.viewport(width, 844)
    await expect.poll(() => document.documentElement.scrollWidth - innerWidth).toBeLessThanOrEqual(0)
  }
  await page.viewport(1440, 900)
  await field('IBAN').fill(IBAN)
  await expect.element(field('IBAN')).not.toHaveAttribute('aria-invalid')
  await field('BIC').fill('COBADEFFXXX')
  await field('Delivery date').fill('2026-11-20')
  await expect.element(field('Reason for no tax')).not.toBeInTheDocument()
  await field('Tax category').selectOptions('Reverse charge')
  await expect.element(field('Reason for no tax')).toHaveValue('Reverse charge: the customer owes the VAT')
  await field('Customer’s city').fill('Wien')
  await field('Customer’s country').selectOptions('Austria')
  await page.getByRole('button', { name: 'Preview' }).click()
  const sheet = page.getByRole('region', { name: 'Preview' })
  for (const text of [`IBAN ${IBAN}`, 'BIC COBADEFFXXX', '20 Nov 2026', 'Wien', 'Austria'])
    await expect.element(sheet.getByText(text)).toBeVisible()
  await expectSound()
})

test('more details are opened and filled in with the keyboard alone', async () => {
  const summary = await openInvoice()
  summary.focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(field('IBAN')).toBeVisible()
  await userEvent.keyboard('{Tab}')
  await expect.element(field('IBAN')).toHaveFocus()
  await userEvent.keyboard(IBAN)
  await userEvent.keyboard('{Tab}')
  await expect.element(field('BIC')).toHaveFocus()
})
