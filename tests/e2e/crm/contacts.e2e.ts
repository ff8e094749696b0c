import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { events } from '#contract/platform/events.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function openContacts(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
  await page.goto('/contacts')
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
  return user
}

async function addBySelf(page: Page, user: E2eUser, fields: Record<string, string | string[]>) {
  const answer = await page.request.post(pathOf(contacts.add), {
    headers: { Authorization: `Bearer ${user.token}` },
    data: fields,
  })
  expect(answer.ok()).toBe(true)
}

test('a contact is added, changed and deleted', async ({ page }) => {
  await openContacts(page)
  await expect(page.getByText('No contacts yet')).toBeVisible()

  await button(page, 'Add Contact').first().click()
  const adding = page.getByRole('dialog', { name: 'Add New Contact' })
  await adding.getByRole('button', { name: 'Add Contact' }).click()
  await expect(adding.getByText("Please enter the contact's name")).toBeVisible()
  await expect(adding.getByText('Please enter a valid email address')).toBeVisible()
  await adding.getByLabel('Name').fill('Bob Builder')
  await adding.getByLabel('Email').fill('bob@build.example')
  await adding.getByLabel('Company').fill('Build Ltd')
  await adding.getByLabel('Notes').fill('Met at the fair in Hamburg, wants bricks')
  await adding.getByRole('button', { name: 'Add Contact' }).click()
  await expect(toast(page, 'Contact added')).toBeVisible()
  await expect(adding).toBeHidden()
  await expect(row(page, 'Bob Builder')).toContainText('Never')
  await expect(row(page, 'Bob Builder')).toContainText('New')

  await expect(row(page, 'Bob Builder')).toContainText('Met at the fair in Hamburg,…')
  await button(page, 'Read More').click()
  await expect(row(page, 'Bob Builder')).toContainText('wants bricks')
  await button(page, 'Read Less').click()
  await expect(row(page, 'Bob Builder')).not.toContainText('wants bricks')

  await button(page, 'Edit Bob Builder').click()
  const editing = page.getByRole('dialog', { name: 'Edit Contact' })
  await expect(editing.getByLabel('Email')).toHaveValue('bob@build.example')
  await editing.getByLabel('Name').fill('Robert Builder')
  await editing.getByLabel('Status').selectOption('Active')
  const saving = page.waitForRequest((request) => request.method() === 'PUT')
  await editing.getByRole('button', { name: 'Save Changes' }).click()
  expect((await saving).postDataJSON()).toEqual({ name: 'Robert Builder', status: 'active' })
  await expect(toast(page, 'Contact updated')).toBeVisible()
  await expect(row(page, 'Robert Builder')).toContainText('Active')

  await button(page, 'Delete Robert Builder').click()
  const asking = page.getByRole('dialog', { name: 'Delete Robert Builder?' })
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, 'Robert Builder')).toBeVisible()
  await button(page, 'Delete Robert Builder').click()
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Contact deleted')).toBeVisible()
  await expect(page.getByText('No contacts yet')).toBeVisible()
})

test('what changes before the live stream is open is shown as soon as it is', async ({ page }) => {
  const user = await signedIn(page)
  let askedAt = Infinity
  let letOpen = () => {}
  const held = new Promise<void>((resolve) => (letOpen = resolve))
  await page.route(`**${pathOf(events.stream)}`, async (route) => {
    askedAt = Date.now()
    await held
    await route.continue()
  })
  await page.goto('/contacts')
  await expect(page.getByText('No contacts yet')).toBeVisible()
  await addBySelf(page, user, { name: 'Anna', email: 'anna@north.example' })
  // A stream that opens at once has missed nothing.
  await expect.poll(() => Date.now() - askedAt).toBeGreaterThan(1000)
  letOpen()
  await expect(row(page, 'Anna')).toBeVisible()
})

test('search and filters narrow the list and stay in the address', async ({ page }) => {
  const user = await openContacts(page)
  await addBySelf(page, user, { name: 'Anna', email: 'anna@north.example', company: 'North' })
  await addBySelf(page, user, {
    name: 'Bert',
    email: 'bert@south.example',
    company: 'South',
    status: 'active',
  })
  await expect(row(page, 'Anna')).toBeVisible()

  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('bert')
  await expect(row(page, 'Anna')).toBeHidden()
  await expect(row(page, 'Bert')).toBeVisible()
  await page.reload()
  await expect(row(page, 'Bert')).toBeVisible()
  await expect(row(page, 'Anna')).toBeHidden()
  await button(page, 'Clear filters').click()
  await expect(row(page, 'Anna')).toBeVisible()

  await page.getByRole('combobox', { name: 'Status' }).selectOption('Active')
  await expect(row(page, 'Anna')).toBeHidden()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('All statuses')
  await button(page, 'More Filters').click()
  await page.getByLabel('Email domain').fill('north.example')
  await expect(row(page, 'Bert')).toBeHidden()
  await expect(row(page, 'Anna')).toBeVisible()
  await page.getByLabel('Last contact from').fill('2026-01-01')
  await expect(page.getByText('No contacts match')).toBeVisible()
})

test('the list has every column, status and filter', async ({ page }) => {
  const user = await openContacts(page)
  await addBySelf(page, user, {
    name: 'Anna',
    email: 'anna@north.example',
    company: 'North',
    position: 'Buyer',
    phone: '+49 30 1',
  })
  await expect(row(page, 'Anna')).toBeVisible()
  const columns = ['Name', 'Email', 'Company', 'Position', 'Phone', 'Status', 'Last Contact', 'Actions']
  for (const name of columns) {
    const head = page.getByRole('columnheader', { name })
    await expect(head).toBeInViewport({ ratio: 1 })
    // Words for screen readers only stand in a box of one pixel.
    const words = head.getByText(name, { exact: true })
    expect((await words.or(head).last().boundingBox())?.width).toBeGreaterThan(20)
  }
  for (const text of ['anna@north.example', 'North', 'Buyer', '+49 30 1', 'New', 'Never'])
    await expect(row(page, 'Anna')).toContainText(text)
  const whole = await row(page, 'Anna').evaluate((line) =>
    [...line.querySelectorAll('td')].every((cell) => cell.scrollWidth <= cell.clientWidth),
  )
  expect(whole, 'nothing is cut').toBe(true)
  await expect(page.getByRole('combobox', { name: 'Status' }).getByRole('option')).toHaveText([
    'All statuses',
    'New',
    'Sent',
    'Replied',
    'Interested',
    'Meeting scheduled',
    'Follow-up 1',
    'Follow-up 2',
    'Follow-up 3',
    'Prospect',
    'Active',
    'Inactive',
  ])
  await expect(page.getByLabel('Company')).toBeHidden()
  await button(page, 'More Filters').click()
  for (const label of ['Company', 'Position', 'Email domain']) {
    await page.getByLabel(label, { exact: true }).fill('nothing like it')
    await expect(page.getByText('No contacts match')).toBeVisible()
    await page.getByLabel(label, { exact: true }).fill('')
    await expect(row(page, 'Anna')).toBeVisible()
  }
  for (const label of ['Last contact from', 'Last contact to']) {
    await page.getByLabel(label).fill('2026-01-01')
    await expect(page.getByText('No contacts match')).toBeVisible()
    await page.getByLabel(label).fill('')
    await expect(row(page, 'Anna')).toBeVisible()
  }
  await button(page, 'More Filters').click()
  await expect(page.getByLabel('Company')).toBeHidden()
})

const LONG = 'maximiliane.schwarzenberg-lichtenfels@grosshandel-sued.example'
const CROWDED = [
  {
    name: 'Maximiliane Schwarzenberg-Lichtenfels von und zu Hohenstein',
    email: LONG,
    company: 'Schwarzenberg & Lichtenfels Holding GmbH & Co. KG',
    position: 'Vice President of International Procurement',
    phone: '+49 30 12345678901',
    notes: 'Understands procurement thoroughly, wants references, calls twice weekly and never writes',
    status: 'active',
    tags: ['Long-standing customer', 'Newsletter', 'Fair 2026'],
  },
  { name: 'Bo', email: 'bo@x.example', notes: 'Short\nnote' },
  { name: 'Cy', email: 'cy@x.example', tags: ['Press'] },
]

test('rows are 40 px high, with the preview of the note on one line', async ({ page }) => {
  const user = await openContacts(page)
  for (const contact of CROWDED) await addBySelf(page, user, contact)
  for (const width of [820, 1100, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(row(page, 'Cy')).toBeVisible()
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().height))
    expect(heights, `at ${width} px`).toEqual([40, 40, 40])
    const cut = await page
      .locator('td')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map(({ textContent }) => textContent),
      )
    expect(cut, 'nothing runs over into the next cell').toEqual([])
  }
  await expect(row(page, LONG)).toContainText('Understands procurement thoroughly, wants references, calls…')
  await button(page, 'Read More').click()
  await expect(row(page, LONG)).toContainText('never writes')
})

test('the page has the width and the left edge of the others', async ({ page }) => {
  const user = await openContacts(page)
  await addBySelf(page, user, { name: 'Anna', email: 'anna@north.example' })
  const edges = async (at: string) => {
    await page.goto(at)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    return page.locator('main').evaluate((main) => {
      const boxes = [main.querySelector('h1'), ...main.querySelectorAll('section, table')]
      const rects = boxes.flatMap((each) => (each === null ? [] : [each.getBoundingClientRect()]))
      return [
        main.querySelector('h1')?.getBoundingClientRect().left,
        Math.max(...rects.map(({ right }) => right)) <= main.getBoundingClientRect().right,
      ]
    })
  }
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await edges('/contacts'), `at ${width} px`).toEqual(await edges('/meetings'))
  }
})

test('an address never breaks before its @', async ({ page }) => {
  const user = await openContacts(page)
  for (let letters = 20; letters <= 44; letters += 1)
    await addBySelf(page, user, {
      name: `Number ${letters}`,
      email: `${'m'.repeat(letters)}@far-away.example`,
    })
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('link', { name: 'Number 44' })).toBeVisible()
    await expect(page.getByRole('table')).toHaveCount(width === 390 ? 0 : 1)
    const broken = await page.evaluate(() => {
      const walker = document.createTreeWalker(
        document.querySelector('main') ?? document,
        NodeFilter.SHOW_TEXT,
      )
      const letters: { letter: string; top: number }[] = []
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const text = node.textContent ?? ''
        for (let at = 0; at < text.length; at += 1) {
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          letters.push({ letter: text[at] ?? '', top: range.getBoundingClientRect().top })
        }
      }
      const signs = letters.flatMap(({ letter }, at) => (letter === '@' ? [at] : []))
      return [signs.length, signs.filter((at) => letters[at]?.top !== letters[at - 1]?.top).length]
    })
    expect(broken, `at ${width} px`).toEqual([25, 0])
  }
})

const names = (page: Page) => page.getByRole('row').locator('td:nth-child(2)').allTextContents()

test('a press on a column sorts, a page holds as many as wished, and the address keeps both', async ({
  page,
}) => {
  const user = await openContacts(page)
  for (let number = 30; number > 0; number--) {
    const two = String(number).padStart(2, '0')
    await addBySelf(page, user, {
      name: `Person ${two}`,
      email: `p${two}@x.example`,
      company: `Firm ${31 - number}`,
    })
  }
  await expect(row(page, 'Person 30')).toBeVisible()
  await button(page, 'Name').click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => names(page)).toHaveLength(30)
  await expect.poll(async () => (await names(page))[0]).toContain('Person 01')
  await button(page, 'Name').click()
  await expect.poll(async () => (await names(page))[0]).toContain('Person 30')
  await button(page, 'Company').click()
  await expect.poll(async () => (await names(page))[0]).toContain('Person 30')
  await button(page, 'Last Contact').click()
  await expect(page).toHaveURL(/sort=-last_contact/)

  await page.getByRole('combobox', { name: 'Contacts per page' }).selectOption('25 per page')
  await expect(page.getByText('Showing 1 to 25 of 30 contacts')).toBeVisible()
  await button(page, 'Next page').click()
  await expect(page.getByText('Showing 26 to 30 of 30 contacts')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Showing 26 to 30 of 30 contacts')).toBeVisible()
  await page.goto('/contacts?page=9&page_size=25&status=nonsense')
  await expect(page.getByText('Showing 26 to 30 of 30 contacts')).toBeVisible()
})

test('it can be read by everybody, at every size', async ({ page }) => {
  const user = await openContacts(page)
  const notes = 'Called twice, prefers mornings and very short mails'
  await addBySelf(page, user, {
    name: 'Anna',
    email: 'anna@north.example',
    company: 'North',
    phone: '+49 30 1',
    notes,
  })
  await expect(page.getByText('anna@north.example')).toBeVisible()
  await expectSound(page)
  await button(page, 'Edit Anna').click()
  await expect(page.getByRole('dialog', { name: 'Edit Contact' })).toBeVisible()
  await expectSound(page, '[role=dialog]')
})
