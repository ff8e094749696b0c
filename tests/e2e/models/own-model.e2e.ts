import type { Page } from '@playwright/test'
import { expect, signedIn, test } from '../../support/e2e.ts'
import { type ModelServer, startModel } from '../../support/model.ts'
import { toast } from '../../support/toast.ts'

// A user's own language model, from the card to the answer in the chat.

const KEY = 'sk-the-key-of-ada'

let model: ModelServer

test.beforeEach(async () => {
  model = await startModel(({ body, prompt }) => {
    if (Array.isArray(body['tools']) && prompt.includes('Ann Lee'))
      return { calls: [{ name: 'find_contact', input: { name: 'Ann Lee' } }] }
    if (prompt.includes('Berlin')) return '{"city": "Berlin", "days": 3}'
    return 'My own model says hello.'
  })
  model.models.splice(0, Infinity, 'llama3.2', 'qwen3')
})
test.afterEach(() => model.stop())

const card = (page: Page) => page.getByRole('region', { name: 'AI Model' })
const button = (page: Page, name: string) => card(page).getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => card(page).getByRole('textbox', { name })
const check = (page: Page, text: string) => card(page).getByRole('listitem').filter({ hasText: text })
const isMine = (page: Page) => card(page).getByText('Your own model', { exact: true })

/** The profile page as on a machine where no other model server runs. */
async function onProfile(page: Page): Promise<void> {
  await page.route('**/api/v1/ai-model/find', (route) => route.fulfill({ json: [] }))
  await signedIn(page)
  await page.goto('/profile')
  await expect(card(page).getByText('No AI model is set up.')).toBeVisible()
}

async function openForm(page: Page): Promise<void> {
  await button(page, 'Use a model of your own').click()
  await expect(field(page, 'Address')).toBeFocused()
}

test('is tested, saved, answers in the chat, and is removed', async ({ page }) => {
  await onProfile(page)
  await expect(card(page).getByText('Rules and templates')).toBeVisible()
  await openForm(page)
  await field(page, 'Address').fill(new URL(model.baseUrl).origin)
  await field(page, 'Key').fill(KEY)
  await button(page, 'Show models').click()
  await expect(card(page).getByText('2 on this server')).toBeVisible()
  await card(page).getByRole('combobox', { name: 'Model' }).selectOption('qwen3')

  await button(page, 'Test').click()
  await expect(check(page, 'Answers: yes')).toBeVisible()
  await expect(check(page, 'Streams: yes')).toContainText('the first words took')
  await expect(check(page, 'Calls tools: yes')).toBeVisible()
  await expect(check(page, 'Keeps to JSON: yes')).toBeVisible()

  await button(page, 'Save').click()
  await expect(toast(page, 'AI model saved')).toBeVisible()
  await expect(isMine(page)).toBeVisible()
  await expect(field(page, 'Address')).toHaveValue(model.baseUrl)
  await page.reload()
  await expect(field(page, 'Key')).toHaveValue('')
  await expect(card(page).getByText('Saved – leave empty to keep it')).toBeVisible()
  await expect(field(page, 'Model')).toHaveValue('qwen3')

  await page.goto('/simon')
  await page.getByRole('textbox', { name: 'Message' }).fill('Say hello')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  const log = page.getByRole('log', { name: 'Conversation' })
  await expect(log.getByText('My own model says hello.')).toBeVisible()
  expect(model.questions.at(-1)).toMatchObject({ model: 'qwen3', authorization: `Bearer ${KEY}` })

  await page.goto('/profile')
  await button(page, 'Remove your AI model').click()
  const dialog = page.getByRole('dialog', { name: 'Remove qwen3?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(isMine(page)).toBeVisible()
  await button(page, 'Remove your AI model').click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(toast(page, 'Your AI model is removed')).toBeVisible()
  await expect(card(page).getByText('No AI model is set up.')).toBeVisible()
})
