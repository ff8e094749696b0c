import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { admin } from '#contract/operations/admin.ts'
import { adminFeedback, feedbackRow, type FeedbackRow } from '#contract/operations/admin-feedback.ts'
import { blank, blankReply } from '../../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { savedFiles } from '../../../../tests/support/saved-files.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const DASHBOARD = '/wolf-admin-secure-2024'
const ADMINISTRATOR = { administrator: true }

const table = page.getByRole('table', { name: 'Feedback' })
const rows = table.getByRole('row')
const header = (name: string) => table.getByRole('columnheader', { name })
const choice = (label: string) => page.getByRole('combobox', { name: label, exact: true })
const region = (name: string) => page.getByRole('region', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const figure = (label: string) =>
  page
    .getByRole('main')
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .element()
    .closest('dl')
    ?.querySelector('dd')

/** What those who left have said, the first one last. */
const leavers = (count: number): FeedbackRow[] =>
  Array.from({ length: count }, (_, at) => at + 1).map((n) =>
    blank(feedbackRow, {
      id: n,
      email: `left${n}@howl.example`,
      full_name: `Leaver ${n}`,
      company_name: `Company ${n % 7}`,
      pricing_tier: 'free',
      deleted_at: '2026-11-20T10:00:00.000Z',
      feedback_category: (['pricing', 'features', 'support', 'other'] as const)[n % 4] ?? 'other',
      feedback_custom_category: n % 4 === 3 ? 'We closed the shop' : '',
      feedback_rating: 1 + (n % 5),
      feedback_details:
        { 1: '=HYPERLINK("http://evil.example")', 2: 'Said "no",\nthen; left' }[n] ??
        `It is slow, number ${n}`,
      improvements_suggested: n % 5 === 0 ? 'Invoices in French' : '',
      competitor_switched_to: n % 6 === 0 ? 'Paper' : '',
      contact_consent: n % 2 === 0,
      contact_method: n % 2 === 0 ? 'email' : null,
      account_age_days: n,
      given_at: '2026-11-20T10:00:00.000Z',
    }),
  )

/** A server with the feedback of so many, filtered and in pages as the real one has it. */
function apiWith(all: FeedbackRow[]): FakeApi {
  return fakeApi()
    .answers(adminFeedback.analytics, {
      category_analysis: [{ category: 'pricing', count: all.length }],
      rating_distribution: [{ rating: 3, count: all.length }],
      contact_consent_analysis: [{ consent: true, count: all.length / 2 }],
    })
    .answers(adminFeedback.details, ({ query }) => {
      const found = all.filter(
        (row) =>
          row.feedback_category === (query.category ?? row.feedback_category) &&
          row.feedback_rating >= Number(query.min_rating ?? 1) &&
          row.feedback_rating <= Number(query.max_rating ?? 5),
      )
      const [limit, from] = [Number(query.limit), Number(query.page) - 1]
      const total = found.length
      const shown = found.slice(from * limit, (from + 1) * limit)
      return { feedback_data: shown, total, total_pages: Math.ceil(total / limit) }
    })
}

function openFeedback(all: FeedbackRow[], query = ''): FakeApi {
  const api = apiWith(all)
  openPage(`${DASHBOARD}/feedback${query}`, ADMINISTRATOR)
  return api
}

test('the filters narrow the list, stay in the address, and begin at page 1', async () => {
  openFeedback(leavers(120))
  await expect.element(page.getByText('Showing 1 to 50 of 120 feedback entries')).toBeVisible()
  expect(rows.length).toBe(51)
  await expect.poll(() => figure('Total Feedback')?.textContent).toBe('120')
  expect(figure('Average Rating')?.textContent).toBe('3.0')
  expect(figure('Contact Consent')?.textContent).toBe('60')
  expect(figure('Categories')?.textContent).toBe('1')
  await button('Next page').click()
  await expect.element(page.getByText('Showing 51 to 100 of 120 feedback entries')).toBeVisible()
  await choice('Category').selectOptions('Support')
  await expect.element(page.getByText('Showing 1 to 30 of 30 feedback entries')).toBeVisible()
  await expect.poll(() => location.search).not.toMatch(/page=/)
  await choice('Min rating').selectOptions('4 Good')
  await expect.element(page.getByText('Showing 1 to 12 of 12 feedback entries')).toBeVisible()
  await choice('Max rating').selectOptions('3 Average')
  await expect.element(page.getByText('The lowest rating must not be above the highest.')).toBeVisible()
  await expect.element(choice('Min rating')).toHaveValue('4')
  await expect.element(button('Export CSV')).toBeDisabled()
  await expectSound()
  await choice('Max rating').selectOptions('4 Good')
  await expect.element(page.getByText('Showing 1 to 6 of 6 feedback entries')).toBeVisible()
  expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({
    category: 'support',
    min_rating: '4',
    max_rating: '4',
  })
  await choice('Category').selectOptions('Usability')
  await expect.element(page.getByText('No feedback found')).toBeVisible()
  await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows.length).toBe(51)
})

test('the filters of an address are used as it opens', async () => {
  openFeedback(leavers(120), '?category=support&min_rating=4&max_rating=4')
  await expect.element(page.getByText('Showing 1 to 6 of 6 feedback entries')).toBeVisible()
  await expect.element(choice('Category')).toHaveValue('support')
})

test('an address with a page that is no more leads to the last one', async () => {
  openFeedback(leavers(120), '?page=9')
  await expect.element(page.getByText('Showing 101 to 120 of 120 feedback entries')).toBeVisible()
  await expect.poll(() => rows.length).toBe(21)
})

test('a column is sorted from the keyboard, over all pages', async () => {
  const api = openFeedback(leavers(120))
  const asked = () => api.calls(adminFeedback.details).at(-1)?.query
  await expect.element(header('Rating')).toHaveAttribute('aria-sort', 'none')
  header('Rating').getByRole('button').element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(header('Rating')).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(asked).toMatchObject({ sort: 'feedback_rating', page: '1' })
  await userEvent.keyboard('{Enter}')
  await expect.element(header('Rating')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(asked).toMatchObject({ sort: '-feedback_rating', page: '1' })
  await button('Last page').click()
  await expect.poll(asked).toMatchObject({ sort: '-feedback_rating', page: '3' })
  await header('User').getByRole('button').click()
  await expect.element(page.getByText('Showing 1 to 50 of 120 feedback entries')).toBeVisible()
  await expect.poll(asked).toMatchObject({ sort: 'full_name', page: '1' })
})

test('a row says it in short, and all on request', async () => {
  const [first, ...others] = leavers(20)
  const long = {
    ...first,
    feedback_details: `${'Unbreakable'.repeat(40)} ${'It goes on and on. '.repeat(30)}`,
  }
  openFeedback([{ ...blank(feedbackRow, long), feedback_custom_category: 'Long'.repeat(20) }, ...others])
  const answer = rows.filter({ hasText: 'number 15' })
  await expect.element(answer).toMatchTextContent('We closed the shop')
  await expect.element(answer).toMatchTextContent('1 of 5, Very Poor')
  await expect.element(rows.filter({ hasText: 'number 14' })).toMatchTextContent('By email')
  await answer.getByRole('button', { name: 'Read More' }).click()
  await expect.element(answer).toMatchTextContent('Suggested improvementsInvoices in French')
  await answer.getByRole('button', { name: 'Read Less' }).click()
  await expect.element(answer).not.toMatchTextContent('Invoices in French')
  await rows.nth(1).getByRole('button', { name: 'Read More' }).click()
  await expectSound()
})

test('the file has all pages of what the filters show, without formulas', async () => {
  const saved = savedFiles()
  openFeedback(leavers(1200))
  await button('Export CSV').click()
  await expect.element(toast('Exported 1,200 feedback entries')).toBeVisible()
  expect(saved[0]?.name).toMatch(/^feedback-data-\d{4}-\d\d-\d\d\.csv$/)
  const all = await rowsOf(saved[0]?.file)
  expect(all).toHaveLength(1200)
  expect(new Set(all.map(({ id }) => id)).size).toBe(1200)
  expect(all[0]?.['feedback_details']).toBe(`'=HYPERLINK("http://evil.example")`)
  expect(all[1]?.['feedback_details']).toBe('Said "no",\nthen; left')
  expect(all[29]).toEqual({
    id: '30',
    email: 'left30@howl.example',
    full_name: 'Leaver 30',
    company_name: 'Company 2',
    pricing_tier: 'free',
    deleted_at: '2026-11-20T10:00:00.000Z',
    feedback_category: 'support',
    feedback_custom_category: '',
    feedback_rating: '1',
    feedback_details: 'It is slow, number 30',
    improvements_suggested: 'Invoices in French',
    competitor_switched_to: 'Paper',
    contact_consent: 'true',
    contact_method: 'email',
    account_age_days: '30',
  })
  await choice('Max rating').selectOptions('1 Very Poor')
  await expect.element(page.getByText('Showing 1 to 50 of 240 feedback entries')).toBeVisible()
  await button('Export CSV').click()
  await expect.poll(() => saved.length).toBe(2)
  const few = await rowsOf(saved[1]?.file)
  expect(few).toHaveLength(240)
  expect(new Set(few.map((row) => row['feedback_rating']))).toEqual(new Set(['1']))
})

async function rowsOf(file: Blob | undefined): Promise<Record<string, string>[]> {
  const bytes = new Uint8Array((await file?.arrayBuffer()) ?? [])
  expect(bytes.slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]))
  const text = new TextDecoder().decode(bytes)
  const { data, errors } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true })
  expect(errors).toEqual([])
  return data
}

test('the export can be stopped on the way, and says when it fails', async () => {
  const saved = savedFiles()
  const api = openFeedback(leavers(700))
  await expect.element(rows.nth(1)).toBeVisible()
  const first = { feedback_data: leavers(500), total: 700, total_pages: 2 }
  const { promise: held, reject: fail } = Promise.withResolvers<Response>()
  api.responds(adminFeedback.details, ({ query }) => (query.page === '1' ? Response.json(first) : held))
  await button('Export CSV').click()
  const bar = page.getByRole('progressbar', { name: 'Exporting feedback' })
  await expect.element(page.getByText('500 of 700 in the file')).toBeVisible()
  await expect.element(bar).toHaveAttribute('value', '500')
  await button('Stop').click()
  await expect.element(bar).not.toBeInTheDocument()
  fail(new TypeError('Failed to fetch'))
  await button('Export CSV').click()
  await expect.element(toast('Failed to load feedback data')).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
  expect(saved).toEqual([])
})

test('what cannot be loaded says so, and is loaded again', async () => {
  const api = fakeApi().refuses(adminFeedback.details, 500, '').refuses(adminFeedback.analytics, 500, '')
  openPage(`${DASHBOARD}/feedback`, ADMINISTRATOR)
  await expect.poll(() => toast('Failed to load feedback data').length).toBe(2)
  await expect.poll(() => toast('Failed to load analytics').length).toBe(2)
  await expect.element(button('Export CSV')).toBeDisabled()
  api.answers(adminFeedback.details).answers(adminFeedback.analytics)
  await button('Try again').last().click()
  await expect.element(page.getByText('No feedback yet')).toBeVisible()
  await button('Try again').click()
  await expect.poll(() => figure('Average Rating')?.textContent).toBe('–')
  await expectSound()
})

test('the tab of the dashboard shows it in short', async () => {
  const stats = blankReply(admin.stats)
  const details = leavers(10).map((row) => ({
    id: row.id,
    email: row.email,
    category: row.feedback_category,
    custom_category: row.feedback_custom_category,
    rating: row.feedback_rating,
    details: row.feedback_details.repeat(20),
    given_at: row.given_at,
  }))
  const categories = [
    { category: 'features' as const, count: 9 },
    { category: 'pricing' as const, count: 3 },
  ]
  fakeApi().answers(admin.stats, {
    ...stats,
    feedback_details: details,
    feedback_stats: { ...stats.feedback_stats, users_with_feedback: 12, categories },
  })
  openPage(`${DASHBOARD}?tab=feedback`, ADMINISTRATOR)
  await expect.element(region('Feedback categories')).toMatchTextContent('Pricing3 · 25%')
  const recent = page.getByRole('list', { name: 'Recent feedback' }).getByRole('listitem')
  expect(recent.length).toBe(10)
  await expect.element(recent.first()).toMatchTextContent('left1@howl.example')
  await expect.element(recent.first()).toMatchTextContent('2 of 5, Poor')
  await expect.element(recent.nth(2)).toMatchTextContent('We closed the shop')
  await expectSound()
})

test('the tab of the dashboard says when nobody has answered yet', async () => {
  fakeApi().answers(admin.stats)
  openPage(`${DASHBOARD}?tab=feedback`, ADMINISTRATOR)
  await expect.element(region('Recent feedback')).toMatchTextContent('No feedback yet')
  await expect.element(region('Feedback categories')).toMatchTextContent('Nobody has said why they left.')
  await expectSound()
})
