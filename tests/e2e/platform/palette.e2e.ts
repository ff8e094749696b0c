import type { Page, Request } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { todos } from '#contract/crm/todos.ts'
import { makeBusy } from '../../support/busy-day.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search everything' })
const field = (page: Page) => palette(page).getByRole('combobox', { name: 'Search everything' })
const group = (page: Page, name: string) => palette(page).getByRole('group', { name })
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const marked = (page: Page) => palette(page).getByRole('option', { selected: true })

async function add(page: Page, user: E2eUser, call: { path: string }, data: object): Promise<{ id: number }> {
  const answer = await page.request.post(`/api/v1${call.path}`, {
    headers: { Authorization: `Bearer ${user.token}` },
    data,
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()) as { id: number }
}

async function withPalette(page: Page, at = '/dashboard'): Promise<E2eUser> {
  const user = await signedIn(page)
  await page.goto(at)
  await openByKey(page)
  return user
}

async function openByKey(page: Page): Promise<void> {
  // Keys are heard once the page is there.
  await expect(page.getByRole('button', { name: 'Search everything' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}

test('opens by button and by key, and gives the focus back', async ({ page }) => {
  await signedIn(page)
  await page.goto('/contacts')
  const button = page.getByRole('button', { name: 'Search everything' })
  await button.click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await palette(page).getByRole('button', { name: 'Close' }).click()
  await expect(palette(page)).toBeHidden()
  for (const key of ['Control+k', 'Meta+k']) {
    await page.keyboard.press(key)
    await expect(field(page)).toBeFocused()
    await page.keyboard.press(key)
    await expect(palette(page)).toBeHidden()
  }
})

test('leaves a dialog alone that is being filled in', async ({ page }) => {
  await signedIn(page)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Add Task' }).click()
  await page.getByRole('dialog', { name: 'Add New Task' }).getByLabel('Title').press('Control+k')
  await expect(palette(page)).toBeHidden()
})

test('offers what can be done and where to go, by keys alone', async ({ page }) => {
  await withPalette(page)
  await expect(group(page, 'Actions').getByRole('option')).toContainText([
    'Compose',
    'Add Contact',
    'Add Task',
    'Generate & Send Emails',
    'Import Contacts',
    'Theme: Light',
    'Theme: Dark',
    'Logout',
  ])
  await expect(marked(page)).toHaveText('Compose')
  await page.keyboard.press('ArrowDown')
  await expect(marked(page)).toHaveText('Add Contact')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(marked(page)).toHaveText('Profile & Settings')
  const id = await marked(page).getAttribute('id')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', id ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/profile$/)
  await expect(palette(page)).toBeHidden()

  await openByKey(page)
  await page.keyboard.type('inbox')
  await expect(marked(page)).toHaveText('Email')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/emails/)
})

for (const [typed, dialog] of [
  ['compose', 'Compose'],
  ['add con', 'Add New Contact'],
  ['todo new', 'Add New Task'],
  ['bulk', 'Email Configuration Required'],
] as const) {
  test(`“${typed}” opens ${dialog} over the page`, async ({ page }) => {
    await withPalette(page, '/contacts')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible()
    await expect(palette(page)).toBeHidden()
    await expect(page).toHaveURL(/\/contacts$/)
    // What is typed next goes into the dialog.
    await expect(page.getByRole('dialog', { name: dialog }).locator(':focus')).toHaveCount(1)
  })
}

test('switches the theme and logs out', async ({ page }) => {
  await withPalette(page)
  await page.keyboard.type('dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await openByKey(page)
  await expect(option(page, 'Theme: Dark')).toBeHidden()
  await page.keyboard.type('theme: as')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', /./)
  await openByKey(page)
  await page.keyboard.type('logout')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/(login)?$/)
})

test('finds contacts, mails, meetings and tasks, and opens each', async ({ page, howl }) => {
  const user = await signedIn(page)
  await makeBusy(howl, user.id)
  const bea = await add(page, user, contacts.add, { name: 'Bea Zirkel', email: 'bea@zirkel.example' })
  const start = Date.now() + 3_600_000
  await add(page, user, meetings.add, {
    title: 'Zirkel tasting',
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 3_600_000).toISOString(),
    type: 'phone',
  })
  await add(page, user, todos.add, { title: 'Call Zirkel' })
  await page.goto('/dashboard')
  const look = async (typed: string) => {
    await openByKey(page)
    await page.keyboard.type(typed)
  }
  await look('zirkel')
  await expect(group(page, 'Contacts').getByRole('option')).toHaveText([/Bea Zirkel/])
  await expect(group(page, 'Meetings').getByRole('option')).toHaveText([/Zirkel tasting/])
  await expect(group(page, 'Tasks').getByRole('option')).toHaveText([/Call Zirkel/])
  await expect(marked(page)).toContainText('Bea Zirkel')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/contacts/${bea.id}$`))

  await look('zirkel')
  await option(page, /Zirkel tasting/).click()
  await expect(page).toHaveURL(/\/meetings/)
  await expect(page.getByRole('dialog', { name: 'Edit Meeting' }).getByLabel('Title')).toHaveValue(
    'Zirkel tasting',
  )

  await page.goto('/contacts')
  await look('call zirk')
  // Enter does not wait for the answers, and opens the first of them.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit Task' }).getByLabel('Title')).toHaveValue('Call Zirkel')
  // Who loads the page again is not shown the task again.
  await page.reload()
  await expect(page.getByText('Call Zirkel')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // Ten thousand mails of this user, and of those before, are searchable a little later.
  const found = async () => {
    const headers = { Authorization: `Bearer ${user.token}` }
    const answer = await page.request.get('/api/v1/emails/?search=invoice', { headers })
    return ((await answer.json()) as unknown[]).length
  }
  await expect.poll(found, { timeout: 40_000 }).toBeGreaterThanOrEqual(5)
  await look('invoice')
  await expect(group(page, 'Emails').getByRole('option')).toHaveCount(5)
  await expect(group(page, 'Emails').getByRole('option').first()).toContainText('Invoice 2041')
  await group(page, 'Emails').getByRole('option').first().click()
  await expect(page).toHaveURL(/\/emails\?folder=\w+&email=\d+/)
  await expect(page.getByRole('region', { name: /^Invoice 2041/ })).toBeVisible()

  await look('invoice')
  await option(page, 'Search all emails for “invoice”').click()
  await expect(page.getByLabel('Search emails')).toHaveValue('invoice')
})

test('says when nothing is found, and what to do', async ({ page }) => {
  await withPalette(page)
  await page.keyboard.type('qqxyzzy')
  await expect(palette(page)).toContainText('Nothing found. Try fewer letters or another word.')
  await expect(option(page, 'Search all emails for “qqxyzzy”')).toBeVisible()
  await field(page).fill('')
  await expect(group(page, 'Actions')).toBeVisible()
})

test('a kind that cannot be searched says so, and the others are there', async ({ page }) => {
  const user = await signedIn(page)
  await add(page, user, contacts.add, { name: 'Bea Zirkel', email: 'bea@zirkel.example' })
  await add(page, user, todos.add, { title: 'Call Zirkel' })
  await page.goto('/emails')
  await page.route('**/api/v1/todos/?*', (route) => route.fulfill({ status: 400, json: { detail: 'No' } }))
  await openByKey(page)
  await page.keyboard.type('zirkel')
  await expect(option(page, /Bea Zirkel/)).toBeVisible()
  const again = option(page, 'Tasks could not be searched. Try again')
  await expect(again).toBeVisible()
  await page.unroute('**/api/v1/todos/?*')
  await again.click()
  await expect(option(page, /Call Zirkel/)).toBeVisible()
  await expect(again).toBeHidden()
})

const searchIn = (request: Request) => new URL(request.url()).searchParams.get('search')

test('asks once the typing rests, and drops what is not wanted any more', async ({ page }) => {
  await withPalette(page)
  const asked: string[] = []
  await page.route('**/api/v1/contacts/?*', async (route) => {
    const search = searchIn(route.request())
    // The page behind asks for contacts, too.
    if (search !== null) asked.push(search)
    if (search !== 'anna') await route.continue()
  })
  const dropped = page.waitForEvent('requestfailed', (request) => searchIn(request) === 'anna')
  await page.keyboard.insertText('anna')
  await expect.poll(() => asked).toEqual(['anna'])
  await page.keyboard.insertText(' b')
  await dropped
  await expect.poll(() => asked).toEqual(['anna', 'anna b'])
})

test('can be read by everybody', async ({ page }) => {
  const user = await signedIn(page)
  await add(page, user, contacts.add, { name: 'Bea Zirkel', email: 'bea@zirkel.example' })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Search everything' }).click()
  await expect(field(page)).toBeVisible()
  await expectSound(page)
  await field(page).fill('zirkel')
  await expect(option(page, /Bea Zirkel/)).toBeVisible()
  await expectSound(page)
})
