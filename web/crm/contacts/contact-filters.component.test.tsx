import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { tags } from '#contract/crm/tags.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'

const ANNA = blank(contact, { id: 1, name: 'Anna', email: 'anna@north.example', company: 'North' })
const BERT = blank(contact, { id: 2, name: 'Bert', email: 'bert@south.example', company: 'South' })

const row = (name: string) => page.getByRole('row', { name })
const field = (label: string) => page.getByLabelText(label, { exact: true })
const query = () => Object.fromEntries(new URLSearchParams(location.search))

/** A server with two contacts, of which any filter but an empty one leaves none. */
function apiWithTwo(): FakeApi {
  const paging = ['sort', 'page', 'page_size', 'total']
  return fakeApi()
    .answers(tags.list)
    .answers(contactImports.list)
    .answers(contacts.list, (made) => {
      const isFiltered = Object.keys(made.query).some((name) => !paging.includes(name))
      return isFiltered ? [] : [ANNA, BERT]
    })
}

/** From now on only the test lets time pass for what waits in the page. */
function stopTimers(): (milliseconds: number) => Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  return (milliseconds) => vi.advanceTimersByTimeAsync(milliseconds)
}

/** What a quick hand does before the page has shown anything of it: sets controls, leaves them, presses buttons. */
type Step = { label: string; value: string } | { press: string }
async function atOnce(steps: readonly Step[]): Promise<void> {
  // As between events of a hand, what waits for the end of an event has its turn.
  const eventEnds = () => Promise.resolve()
  for (const step of steps) {
    if ('press' in step) {
      const buttons = [...document.querySelectorAll<HTMLElement>('button, a')]
      buttons.find(({ textContent }) => textContent.trim() === step.press)?.click()
      await eventEnds()
      continue
    }
    const control = field(step.label).element()
    const kind = control instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement
    // As a user's hand does it: React must not take the value for its own.
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(control, step.value)
    control.dispatchEvent(new Event(kind === HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
    await eventEnds()
    control.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
    await eventEnds()
  }
}

test.each([
  ['Last contact from', 'last_contact_from'],
  ['Last contact to', 'last_contact_to'],
])('a day is typed key by key into “%s”, with a rest after each', async (label, name) => {
  apiWithTwo()
  openPage('/contacts')
  await page.getByRole('button', { name: 'More Filters' }).click()
  await expect.element(field(label)).toBeVisible()
  const rest = stopTimers()
  field(label).element().focus()
  for (const key of '05052026') {
    await userEvent.keyboard(key)
    await rest(1000)
  }
  await expect.element(field(label)).toHaveValue('2026-05-05')
  await expect.poll(() => query()[name]).toBe('2026-05-05')
  await expect.element(page.getByText('No contacts match')).toBeVisible()

  // The year once more: what is half typed filters nothing, and stays.
  for (const key of ['{Backspace}', '2']) {
    await userEvent.keyboard(key)
    await rest(1000)
  }
  await expect.element(field(label)).toHaveValue('0002-05-05')
  await expect.poll(() => location.search).not.toContain('last_contact')
  field('Company').element().focus()
  const why = page.getByText('Please choose a day from 1970 to 2199')
  await expect.element(why).toBeVisible()
  await field(label).fill('2025-05-05')
  await rest(1000)
  await expect.element(why).not.toBeInTheDocument()
  await expect.poll(() => query()[name]).toBe('2025-05-05')
})

test.each([
  { label: 'Search contacts', name: 'search', value: 'north', none: '' },
  { label: 'Company', name: 'company', value: 'North', none: '' },
  { label: 'Position', name: 'position', value: 'Buyer', none: '' },
  { label: 'Email domain', name: 'email_domain', value: 'north.example', none: '' },
  { label: 'Last contact from', name: 'last_contact_from', value: '2026-01-01', none: '' },
  { label: 'Last contact to', name: 'last_contact_to', value: '2026-01-02', none: '' },
  { label: 'Status', name: 'status', value: 'new', none: 'all' },
])('“$label” stays cleared when another filter is set at once', async ({ label, name, value, none }) => {
  apiWithTwo()
  openPage(`/contacts?${name}=${value}&page_size=25`)
  await expect.element(page.getByText('No contacts match')).toBeVisible()
  if (name === 'search' || name === 'status') await page.getByRole('button', { name: 'More Filters' }).click()
  const [other, meant] = name === 'company' ? ['Position', 'position'] : ['Company', 'company']
  await expect.element(field(other)).toBeVisible()
  await atOnce([
    { label, value: none },
    { label: other, value: 'Nobody' },
  ])
  await expect.element(page.getByText('No contacts match')).toBeVisible()
  await expect
    .poll(query)
    .toEqual({ [meant]: 'Nobody', page_size: '25', ...(name === 'status' ? { status: 'all' } : {}) })
  await expect.element(field(label)).toHaveValue(none)
})

test('Clear filters also empties a field that was filled a moment before', async () => {
  apiWithTwo()
  openPage('/contacts?company=North')
  await expect.element(field('Position')).toBeVisible()
  await expect.element(page.getByText('No contacts match')).toBeVisible()
  await atOnce([{ label: 'Position', value: 'Nobody' }, { press: 'Clear filters' }])
  await expect.element(row('Bert')).toBeVisible()
  expect(query()).toEqual({})
  await expect.element(field('Position')).toHaveValue('')
  await expect.element(field('Company')).toHaveValue('')
})

test('a blank at the end of what is typed is not taken away while the typing rests', async () => {
  apiWithTwo()
  openPage('/contacts')
  await expect.element(row('Anna')).toBeVisible()
  const rest = stopTimers()
  field('Search contacts').element().focus()
  await userEvent.keyboard('anna ')
  await rest(1000)
  await expect.poll(() => query()['search']).toBe('anna')
  await expect.element(field('Search contacts')).toHaveValue('anna ')
})
