import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { type Contact, contact, contacts } from '#contract/crm/contacts.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { tag, tags } from '#contract/crm/tags.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const LONG = 'maximiliane.schwarzenberg-lichtenfels@grosshandel-sued.example'
const named = (...names: string[]) =>
  names.map((name, at) => blank(tag, { id: at + 1, name, colour: 'gray' }))
const ANNA = blank(contact, {
  id: 1,
  name: 'Anna',
  email: 'anna@north.example',
  company: 'North',
  position: 'Buyer',
  phone: '+49 30 1',
  notes: 'Called twice, prefers mornings and very short mails',
  computed_status: 'new',
})
const CROWDED: Contact[] = [
  {
    ...ANNA,
    id: 2,
    name: 'Maximiliane Schwarzenberg-Lichtenfels von und zu Hohenstein',
    email: LONG,
    company: 'Schwarzenberg & Lichtenfels Holding GmbH & Co. KG',
    position: 'Vice President of International Procurement',
    phone: '+49 30 12345678901',
    notes: 'Understands procurement thoroughly, wants references, calls twice weekly and never writes',
    computed_status: 'meeting_scheduled',
    tags: named('Long-standing customer', 'Newsletter', 'Fair 2026'),
  },
  blank(contact, { id: 3, name: 'Bo', email: 'bo@x.example', notes: 'Short\nnote' }),
  blank(contact, { id: 4, name: 'Cy', email: 'cy@x.example', tags: named('Press') }),
]

const button = (name: string) => page.getByRole('button', { name, exact: true })
const row = (name: string) => page.getByRole('row').filter({ hasText: name })
const query = () => Object.fromEntries(new URLSearchParams(location.search))

const listApi = (rows: Contact[]): FakeApi =>
  fakeApi().answers(contacts.list, rows).answers(tags.list).answers(contactImports.list)

/** Sets the width of the window until the test is over. */
async function setWidth(width: number): Promise<void> {
  onTestFinished(() => page.viewport(1440, 900))
  await page.viewport(width, 900)
}

test('the list has every column, status and filter', async () => {
  listApi([ANNA])
  openPage('/contacts')
  await expect.element(row('Anna')).toBeVisible()
  for (const name of ['Name', 'Email', 'Company', 'Position', 'Phone', 'Status', 'Last Contact', 'Actions']) {
    const head = page.getByRole('columnheader', { name })
    await expect.element(head).toBeInViewport({ ratio: 1 })
    // Words for screen readers only stand in a box of one pixel.
    const words = head.getByText(name, { exact: true }).or(head).last().element()
    expect(words.getBoundingClientRect().width).toBeGreaterThan(20)
  }
  for (const text of ['anna@north.example', 'North', 'Buyer', '+49 30 1', 'New', 'Never'])
    await expect.element(row('Anna')).toMatchTextContent(text)
  const options = page.getByRole('combobox', { name: 'Status' }).getByRole('option').elements()
  expect(options.map(({ textContent }) => textContent)).toEqual([
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
  const more = [
    'Company',
    'Position',
    'Email domain',
    'Last contact from',
    'Last contact to',
    'Emails',
    'Invoices',
  ]
  const filter = (label: string) => page.getByLabelText(label, { exact: true })
  for (const label of more) await expect.element(filter(label)).not.toBeVisible()
  await button('More Filters').click()
  for (const label of more) await expect.element(filter(label)).toBeVisible()
  await button('More Filters').click()
  await expect.element(filter('Company')).not.toBeVisible()
  await expectSound()
})

test('rows are 40 px high, with the preview of the note on one line', async () => {
  listApi(CROWDED)
  openPage('/contacts')
  for (const width of [820, 1100, 1440]) {
    await setWidth(width)
    await expect.element(row('Cy')).toBeVisible()
    const heights = () =>
      [...document.querySelectorAll('tbody tr')].map((line) => line.getBoundingClientRect().height)
    await expect.poll(heights, { message: `at ${width} px` }).toEqual([40, 40, 40])
    const cut = [...document.querySelectorAll('td')].filter((cell) => cell.scrollWidth > cell.clientWidth)
    expect(cut, 'nothing runs over into the next cell').toEqual([])
  }
  const long = row(LONG)
  await expect
    .element(long)
    .toMatchTextContent('Understands procurement thoroughly, wants references, calls…')
  await button('Read More').click()
  await expect.element(long).toMatchTextContent('never writes')
  await button('Read Less').click()
  await expect.element(long).not.toMatchTextContent('never writes')
})

/** Where the heading begins, and whether all stays within the page. */
const edges = () => {
  const main = document.querySelector('main') ?? document.body
  const boxes = [main.querySelector('h1'), ...main.querySelectorAll('section, table')]
  const rights = boxes.flatMap((each) => (each === null ? [] : [each.getBoundingClientRect().right]))
  return [
    main.querySelector('h1')?.getBoundingClientRect().left,
    Math.max(...rights) <= main.getBoundingClientRect().right,
  ]
}

test('the page has the width and the left edge of the others', async () => {
  listApi(CROWDED).answers(meetings.list).answers(mailboxes.get)
  openPage('/contacts')
  const seen: unknown[] = []
  for (const title of ['Contacts', 'Calendar & Meetings']) {
    await expect.element(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    for (const width of [1280, 1440, 1920]) {
      await setWidth(width)
      await expect.poll(() => edges()[1]).toBe(true)
      seen.push(edges())
    }
    document.querySelector<HTMLElement>('nav a[href="/meetings"]')?.click()
  }
  expect(seen.slice(0, 3)).toEqual(seen.slice(3))
  for (const each of seen) expect(each).toEqual([expect.any(Number), true])
})

/** How many @ are on the page, and how many of them begin a line. */
function brokenAddresses(): [signs: number, broken: number] {
  const walker = document.createTreeWalker(document.querySelector('main') ?? document, NodeFilter.SHOW_TEXT)
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
}

test('an address never breaks before its @', async () => {
  const lengths = Array.from({ length: 25 }, (_, at) => at + 20)
  listApi(
    lengths.map((letters) =>
      blank(contact, {
        id: letters,
        name: `Number ${letters}`,
        email: `${'m'.repeat(letters)}@far-away.example`,
      }),
    ),
  )
  openPage('/contacts')
  for (const width of [390, 1440]) {
    await setWidth(width)
    await expect.element(page.getByRole('link', { name: 'Number 44' })).toBeVisible()
    await expect.poll(() => document.querySelectorAll('table')).toHaveLength(width === 390 ? 0 : 1)
    expect(brokenAddresses(), `at ${width} px`).toEqual([25, 0])
  }
})

test('a press on a column sorts, a page holds as many as wished, and the address keeps both', async () => {
  const all = Array.from({ length: 30 }, (_, at) => blank(contact, { id: at + 1, name: `Person ${at + 1}` }))
  const api = fakeApi().answers(tags.list).answers(contactImports.list)
  api.responds(contacts.list, (made) => {
    const size = Number(made.query.page_size)
    const from = (Number(made.query.page) - 1) * size
    const headers = { 'Content-Type': 'application/json', 'X-Total-Count': '30' }
    return new Response(JSON.stringify(all.slice(from, from + size)), { headers })
  })
  openPage('/contacts')
  await expect.element(row('Person 30')).toBeVisible()
  const asked = () => api.calls(contacts.list).at(-1)?.query
  await button('Name').click()
  await expect
    .element(page.getByRole('columnheader', { name: 'Name' }))
    .toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => asked()?.sort).toBe('name')
  await button('Name').click()
  await expect.poll(() => asked()?.sort).toBe('-name')
  await button('Company').click()
  await expect.poll(() => asked()?.sort).toBe('company')
  await button('Last Contact').click()
  await expect.poll(() => query()['sort']).toBe('-last_contact')

  await page.getByRole('combobox', { name: 'Contacts per page' }).selectOptions('25 per page')
  await expect.element(page.getByText('Showing 1 to 25 of 30 contacts')).toBeVisible()
  await button('Next page').click()
  await expect.element(page.getByText('Showing 26 to 30 of 30 contacts')).toBeVisible()
  expect(query()).toEqual({ sort: '-last_contact', page: '2', page_size: '25' })
})

test('search and filters are asked of the server, and stay in the address', async () => {
  const api = listApi([ANNA])
  openPage('/contacts?status=active&page_size=25')
  await expect.element(row('Anna')).toBeVisible()
  expect(api.calls(contacts.list)[0]?.query).toMatchObject({ status: 'active', page: '1', page_size: '25' })
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('bert')
  await expect.poll(query).toEqual({ status: 'active', search: 'bert', page_size: '25' })
  await button('More Filters').click()
  await page.getByLabelText('Email domain').fill('north.example')
  await page.getByLabelText('Emails', { exact: true }).selectOptions('Never mailed')
  await expect.poll(query).toEqual({
    status: 'active',
    search: 'bert',
    email_domain: 'north.example',
    never_mailed: 'true',
    page_size: '25',
  })
  await expect.poll(() => api.calls(contacts.list).at(-1)?.query).toMatchObject(query())
  await button('Clear filters').click()
  await expect.poll(query).toEqual({ page_size: '25' })
})

test('a row and the form to edit it are sound', async () => {
  listApi([ANNA])
  openPage('/contacts')
  await button('Edit Anna').click()
  await expect.element(page.getByRole('dialog', { name: 'Edit Contact' })).toBeVisible()
  await expectSound('[role=dialog]')
})
