import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aiUsage, type AiUsage as Usage } from '#contract/models/ai-usage.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { AiUsage } from './AiUsage.tsx'

const NONE = blankReply(aiUsage.get)
const SUMS = { ...NONE.today, requests: 2, input_tokens: 180_000, output_tokens: 2000, cost: 200_000 }
const USED: Usage = {
  ...NONE,
  model: { name: 'moon-7b', is_own: false },
  left: 3,
  plan: { requests_a_day: 5, left: 3 },
  today: SUMS,
  month: SUMS,
  purposes: [{ purpose: 'chat', today: SUMS, month: SUMS }],
}

const field = page.getByLabelText('AI requests a day at most')
const save = page.getByRole('button', { name: 'Save limit' })

test('what was asked is shown with its cost, and what is left', async () => {
  fakeApi().answers(aiUsage.get, USED)
  show(<AiUsage />)
  const row = page.getByRole('table', { name: 'AI requests by purpose' }).getByRole('row').nth(1)
  await expect.element(row).toBeVisible()
  expect(
    row
      .getByRole('cell')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Questions to Wolfy', '2', '2', '182,000', '$0.20'])
  await expect.element(page.getByText('Of 5 by your plan')).toBeVisible()
  await expectSound('section')
})

test('a limit is refused beside its field until it is one, and is taken away', async () => {
  const api = fakeApi()
    .answers(aiUsage.get, USED)
    .answers(aiUsage.saveCap, ({ body }) => ({
      ...USED,
      cap: { requests_a_day: body.requests_a_day, left: 1 },
    }))
  show(<AiUsage />)
  for (const wrong of ['0', '-1', '2.5', 'many', '10001']) {
    await field.fill(wrong)
    await save.click()
    await expect
      .element(page.getByText('Please enter a whole number from 1 to 10,000, or leave it empty'))
      .toBeVisible()
    await expect.element(field).toHaveValue(wrong)
    await expect.element(field).toHaveFocus()
  }
  expect(api.calls(aiUsage.saveCap)).toEqual([])
  await field.fill('10000')
  await save.click()
  await expect.element(toast('Daily limit saved')).toBeVisible()
  await field.fill('')
  await save.click()
  await expect.element(toast('Daily limit removed')).toBeVisible()
  expect(api.calls(aiUsage.saveCap).map(({ body }) => body)).toEqual([
    { requests_a_day: 10_000 },
    { requests_a_day: null },
  ])
})

test('what cannot be loaded or saved says so, and nothing typed is lost', async () => {
  const said = 'Server error. Please try again later.'
  const api = fakeApi().refuses(aiUsage.get, 500, said)
  show(<AiUsage />)
  await expect.element(page.getByText('Failed to load your AI usage')).toBeVisible()
  api.answers(aiUsage.get, USED).refuses(aiUsage.saveCap, 500, said)
  await page.getByRole('button', { name: 'Try again' }).click()
  await field.fill('12')
  await save.click()
  await expect.element(page.getByRole('alert').getByText(said)).toBeVisible()
  await expect.element(field).toHaveValue('12')
})

test('without a model it says that nothing costs anything', async () => {
  fakeApi().answers(aiUsage.get, NONE)
  show(<AiUsage />)
  await expect.element(page.getByText(/^No AI model is set up\./)).toBeVisible()
})
