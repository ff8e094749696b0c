import type { Locator, Page } from '@playwright/test'

/** What Howl says in the corner, with its Undo button; nothing else on the page that has the same words. */
export const toast = (page: Page, text: string | RegExp): Locator =>
  page.locator('[aria-live] > div').filter({ has: page.getByText(text, { exact: true }) })
