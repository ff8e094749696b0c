import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { inMail, search as mailSearch } from '../../support/mail-page.ts'
import { expect, signedIn, test } from '../../support/e2e.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

async function withTwoContacts(page: Page, at: string) {
  const user = await signedIn(page)
  for (const data of [
    { name: 'Anna', email: 'anna@north.example', company: 'North', position: 'Buyer' },
    { name: 'Bert', email: 'bert@south.example', company: 'South', status: 'active' },
  ]) {
    const headers = { Authorization: `Bearer ${user.token}` }
    const answer = await page.request.post(pathOf(contacts.add), { headers, data })
    expect(answer.ok()).toBe(true)
  }
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

for (const label of ['Last contact from', 'Last contact to'] as const) {
  test(`a day is typed key by key into “${label}”, with a rest after each`, async ({ page }) => {
    // Before the page: the clock cannot clear a timer that was set before it came.
    await page.clock.install()
    await withTwoContacts(page, '/contacts')
    await page.getByRole('button', { name: 'More Filters' }).click()
    const field = page.getByLabel(label)
    const name = label === 'Last contact from' ? 'last_contact_from' : 'last_contact_to'
    await field.focus()
    for (const key of '05052026') {
      await page.keyboard.press(key)
      await page.clock.runFor(1000)
    }
    await expect(field).toHaveValue('2026-05-05')
    await expect(page).toHaveURL(new RegExp(`${name}=2026-05-05`))
    await expect(page.getByText('No contacts match')).toBeVisible()

    // The year once more: what is half typed filters nothing, and stays.
    for (const key of ['Backspace', '2']) {
      await page.keyboard.press(key)
      await page.clock.runFor(1000)
    }
    await expect(field).toHaveValue('0002-05-05')
    await expect(page).not.toHaveURL(/last_contact/)
    await page.getByLabel('Company').focus()
    await expect(page.getByText('Please choose a day from 1970 to 2199')).toBeVisible()
    await field.fill('2025-05-05')
    await page.clock.runFor(1000)
    await expect(page.getByText('Please choose a day from 1970 to 2199')).toBeHidden()
    await expect(page).toHaveURL(new RegExp(`${name}=2025-05-05`))
  })
}

const FILTERS = [
  { label: 'Search contacts', name: 'search', value: 'north' },
  { label: 'Company', name: 'company', value: 'North' },
  { label: 'Position', name: 'position', value: 'Buyer' },
  { label: 'Email domain', name: 'email_domain', value: 'north.example' },
  { label: 'Last contact from', name: 'last_contact_from', value: '2026-01-01' },
  { label: 'Last contact to', name: 'last_contact_to', value: '2026-01-02' },
  { label: 'Status', name: 'status', value: 'new', none: 'all' },
] as const

for (const { label, name, value, ...filter } of FILTERS) {
  test(`“${label}” stays cleared when another filter is set at once`, async ({ page }) => {
    await withTwoContacts(page, `/contacts?${name}=${value}&page_size=25`)
    const none = 'none' in filter ? filter.none : ''
    const [other, meant] = name === 'company' ? ['Position', 'position'] : ['Company', 'company']
    await atOnce(page, [
      { label, value: none },
      { label: other, value: 'Nobody' },
    ])
    await expect(page.getByText('No contacts match')).toBeVisible()
    expect(queryOf(page)).toEqual({
      [meant]: 'Nobody',
      page_size: '25',
      ...(name === 'status' ? { status: 'all' } : {}),
    })
    const shown = name === 'status' ? page.getByRole('combobox', { name: label }) : page.getByLabel(label)
    await expect(shown).toHaveValue(none)
  })
}

test('Clear filters also empties a field that was filled a moment before', async ({ page }) => {
  await withTwoContacts(page, '/contacts?company=North')
  await expect(row(page, 'Anna')).toBeVisible()
  await atOnce(page, [{ label: 'Position', value: 'Nobody' }, { press: 'Clear filters' }])
  await expect(row(page, 'Bert')).toBeVisible()
  expect(queryOf(page)).toEqual({})
  await expect(page.getByLabel('Position')).toHaveValue('')
  await expect(page.getByLabel('Company')).toHaveValue('')
})

test('a blank at the end of what is typed is not taken away while the typing rests', async ({ page }) => {
  await page.clock.install()
  await withTwoContacts(page, '/contacts')
  const search = page.getByRole('searchbox', { name: 'Search contacts' })
  await search.pressSequentially('anna ')
  await page.clock.runFor(1000)
  await expect(page).toHaveURL(/search=anna$/)
  await expect(search).toHaveValue('anna ')
})

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

test('the view and the month of the calendar are kept, however quickly both are chosen', async ({ page }) => {
  await signedIn(page)
  await page.goto('/meetings')
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar & Meetings' })).toBeVisible()
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('[aria-label="Next month"]')?.click()
    const views = [...document.querySelectorAll<HTMLElement>('label, button')]
    views.find(({ textContent }) => textContent === 'List')?.click()
  })
  await expect(page).toHaveURL(/view=list/)
  expect(Object.keys(queryOf(page)).sort()).toEqual(['month', 'view'])
})
