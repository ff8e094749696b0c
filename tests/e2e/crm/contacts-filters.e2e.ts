import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { inMail, search as mailSearch } from '../../support/mail-page.ts'
import { ask, expect, signedIn, test } from '../../support/e2e.ts'

const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

async function withTwoContacts(page: Page, at: string) {
  const user = await signedIn(page)
  for (const data of [
    { name: 'Anna', email: 'anna@north.example', company: 'North', position: 'Buyer' },
    { name: 'Bert', email: 'bert@south.example', company: 'South', status: 'active' },
  ])
    await ask(page, user, contacts.add, data)
  await page.goto(at)
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Contacts' }).or(page.getByText('No contacts'))).toBeVisible()
}

/** What a quick hand does before the page has shown anything of it: sets controls, leaves them, presses buttons. */
type Step = { label: string; value: string } | { press: string }
async function atOnce(page: Page, steps: readonly Step[]): Promise<void> {
  await page.evaluate(async (all) => {
    // As between events of a hand, what waits for the end of an event has its turn.
    const eventEnds = () => Promise.resolve()
    const named = (label: string) =>
      [...document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')].find(
        (each) => (each.getAttribute('aria-label') ?? each.labels?.[0]?.textContent) === label,
      )
    for (const step of all) {
      if ('press' in step) {
        const buttons = [...document.querySelectorAll<HTMLElement>('button, a')]
        buttons.find(({ textContent }) => textContent?.trim() === step.press)?.click()
        await eventEnds()
        continue
      }
      const control = named(step.label)
      if (control === undefined) throw new Error(`There is no control ${step.label}`)
      const kind = control instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement
      // As a user's hand does it: React must not take the value for its own.
      Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(control, step.value)
      control.dispatchEvent(new Event(kind === HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
      await eventEnds()
      control.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
      await eventEnds()
    }
  }, steps)
}

test('whoever has left for another page is not brought back by a filter', async ({ page }) => {
  await page.clock.install()
  await withTwoContacts(page, '/contacts')
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  await page.route('**/MeetingsPage-*.js', async (route) => {
    await opened
    await route.continue()
  })
  await page.getByRole('searchbox', { name: 'Search contacts' }).pressSequentially('anna')
  await page.evaluate(() => document.querySelector<HTMLElement>('nav a[href="/meetings"]')?.click())
  await page.clock.runFor(1000)
  open()
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar & Meetings' })).toBeVisible()
  await expect(page).toHaveURL(/\/meetings$/)
})

test('what one has cleared in the mail stays cleared when a filter is set at once', async ({ page }) => {
  await inMail(page, { at: '/emails?search=nothing' })
  await expect(mailSearch(page)).toHaveValue('nothing')
  await atOnce(page, [
    { label: 'Search emails', value: '' },
    { label: 'Filter', value: 'unread' },
  ])
  await expect(page).toHaveURL(/filter=unread/)
  expect(queryOf(page)).toEqual({ folder: 'inbox', filter: 'unread' })
  await expect(mailSearch(page)).toHaveValue('')
})

test('what is taken out of the address while it is on its way leaves the search box too', async ({
  page,
}) => {
  await inMail(page, { at: '/emails' })
  await expect(mailSearch(page)).toHaveValue('')
  // The folder once more, from its beginning.
  await atOnce(page, [{ label: 'Search emails', value: 'nothing' }, { press: 'Inbox' }])
  await expect(page).toHaveURL(/folder=inbox/)
  await expect(mailSearch(page)).toHaveValue('')
  expect(queryOf(page)).toEqual({ folder: 'inbox' })
})
