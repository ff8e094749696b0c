import { expect, type Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { ask, type E2eUser, signedIn } from './e2e.ts'

export const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
export const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const chats = (page: Page) => page.getByRole('list', { name: 'Chats' })
export const said = (page: Page, text: string | RegExp) =>
  log(page).getByRole('listitem').filter({ hasText: text })
/** What was said, without the items of lists in it. */
export const messages = (page: Page) => log(page).locator(':scope > ol > li')
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** Signs in and opens Wolfy's page. */
export async function onPage(page: Page, path = '/simon'): Promise<E2eUser> {
  const user = await signedIn(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1, name: 'AI Business Assistant' })).toBeVisible()
  return user
}

export const addAnn = (page: Page, user: E2eUser) =>
  ask(page, user, contacts.add, { name: 'Ann Lee', email: 'ann@acme.example', company: 'Acme' })
