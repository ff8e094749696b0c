import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { show } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'
import { Numbering } from './Numbering.tsx'

const year = new Date().getFullYear()
const notes = page.getByRole('form', { name: 'Credit notes', exact: true })
const pattern = notes.getByLabelText('Pattern')
const count = notes.getByLabelText('Next count')
const save = notes.getByRole('button', { name: 'Save numbering' })

const withSeries = (api: FakeApi): FakeApi =>
  api.answers(invoices.series, [
    { kind: 'invoice', pattern: 'INV-{year}-{0001}', next_number: `INV-${year}-0001`, next: 1 },
    { kind: 'credit_note', pattern: 'CN-{year}-{0001}', next_number: `CN-${year}-0001`, next: 1 },
    { kind: 'quote', pattern: 'QUO-{year}-{0001}', next_number: `QUO-${year}-0001`, next: 1 },
  ])

test('what is wrong is said beside its field, and nothing is lost', async () => {
  const api = withSeries(fakeApi())
  show(<Numbering />)
  await pattern.fill('G-{day}-{0001}')
  await expect.element(notes).toMatchTextContent('The example appears once pattern and count can be read.')
  await save.click()
  await expect.element(notes).toMatchTextContent('{day} is not known. Use {year}, {month} and {0001}')
  await expect.element(pattern).toHaveFocus()
  await pattern.fill('G-{year}-{0001}')
  await expect.element(notes).not.toMatchTextContent('is not known')
  await count.fill('ten')
  await save.click()
  await expect.element(notes).toMatchTextContent('Please enter a whole number')
  await expect.element(count).toHaveFocus()
  expect(api.calls(invoices.saveSeries)).toEqual([])

  // The server knows what has been used.
  const why = 'This number has been used already'
  api.refuses(invoices.saveSeries, 400, why, { code: 'INVALID_INPUT', fields: { next: why } })
  await count.fill('9')
  await save.click()
  await expect.element(notes).toMatchTextContent(why)
  await expect.element(pattern).toHaveValue('G-{year}-{0001}')
  await expect.element(count).toHaveValue('9')
})

test('numbering that cannot be loaded offers to try again', async () => {
  const api = fakeApi().refuses(invoices.series, 500, '')
  show(<Numbering />)
  await expect.element(page.getByText('Failed to load the numbering')).toBeVisible()
  withSeries(api)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(pattern).toBeVisible()
})

test('the longest pattern and one that is wrong fit', async () => {
  withSeries(fakeApi())
  show(<Numbering />)
  await page
    .getByRole('form', { name: 'Invoices', exact: true })
    .getByLabelText('Pattern')
    .fill(`${'W'.repeat(40)}{000000001}`)
  await pattern.fill('{nonsense}')
  await save.click()
  await expect.element(notes).toMatchTextContent('{nonsense} is not known')
  await expectSound('form')
})
