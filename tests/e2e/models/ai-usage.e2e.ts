import type { Page } from '@playwright/test'
import { assistant } from '#contract/assistant/assistant.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, type Howl, signedIn } from '../../support/e2e.ts'
import { testWithModel } from '../../support/e2e-model.ts'

const test = testWithModel(
  { AI_PRICES: '{"moon": {"input": 1, "output": 10}}' },
  { text: 'Yes.', usage: [90_000, 1000] },
)

const card = (page: Page) => page.getByRole('region', { name: 'AI Usage', exact: true })
const field = (page: Page) => card(page).getByLabel('AI requests a day at most')
const save = (page: Page) => card(page).getByRole('button', { name: 'Save limit' })
const figure = (page: Page, label: string) =>
  card(page)
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('..')
    .getByRole('definition')
const ask = async (howl: Howl, { token }: E2eUser) =>
  (await call(howl.url, assistant.chat, { token, body: { message: 'Hello' } })).status

test('what was asked today is shown with its cost; a limit of one’s own is saved, holds in the chat, and is taken away', async ({
  page,
  howl,
}) => {
  const user = await signedIn(page)
  await page.goto('/profile')
  await expect(card(page)).toContainText('Nothing yet this month.')
  await expect(figure(page, 'Left today')).toHaveText(['5', 'Of 5 by your plan'])
  for (let n = 0; n < 2; n++) expect(await ask(howl, user)).toBe(200)

  await page.reload()
  await expect(figure(page, 'Left today')).toHaveText(['3', 'Of 5 by your plan'])
  await expect(figure(page, 'Requests today')).toHaveText(['2', 'Estimated cost: $0.20'])
  await expect(figure(page, 'Requests this month')).toHaveText(['2', 'Estimated cost: $0.20'])
  const row = card(page).getByRole('table', { name: 'AI requests by purpose' }).getByRole('row').nth(1)
  await expect(row.getByRole('cell')).toHaveText(['Questions to Wolfy', '2', '2', '182,000', '$0.20'])

  await field(page).fill('3')
  await field(page).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Daily limit saved' })).toBeVisible()
  await expect(figure(page, 'Left today')).toHaveText(['1', 'Of 3 by your own limit'])
  expect(await ask(howl, user)).toBe(200)

  await page.goto('/simon')
  const log = page.getByRole('log', { name: 'Conversation' })
  await page.getByRole('textbox', { name: 'Message' }).fill('What are my numbers?')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await expect(log).toContainText('You have reached your own limit of 3 AI requests for today.')
  await log.getByRole('button', { name: 'Answer by rules' }).click()
  await expect(log).toContainText('Works by rules')

  await page.goto('/profile')
  await expect(field(page)).toHaveValue('3')
  await field(page).fill('')
  await save(page).click()
  await expect(page.getByRole('status').filter({ hasText: 'Daily limit removed' })).toBeVisible()
  await expect(figure(page, 'Left today')).toHaveText(['2', 'Of 5 by your plan'])
})
