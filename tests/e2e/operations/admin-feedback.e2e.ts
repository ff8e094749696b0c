import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import Papa from 'papaparse'
import { Client } from 'pg'
import { admin } from '#contract/operations/admin.ts'
import { adminAnalytics } from '#contract/operations/admin-analytics.ts'
import { adminFeedback } from '#contract/operations/admin-feedback.ts'
import { health } from '#contract/platform/health.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { expect, newUser, signedInAdministrator, startHowl, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

// The Analytics and the Feedback tab, the detailed page, and its file. Every test has a Howl of its own: it counts everybody.

const DASHBOARD = '/wolf-admin-secure-2024'
const DETAILED = `${DASHBOARD}/feedback`
const COLUMNS = [
  'id',
  'email',
  'full_name',
  'company_name',
  'pricing_tier',
  'deleted_at',
  'feedback_category',
  'feedback_custom_category',
  'feedback_rating',
  'feedback_details',
  'improvements_suggested',
  'competitor_switched_to',
  'contact_consent',
  'contact_method',
  'account_age_days',
]

/** The figure of a card with this label. */
const figure = (page: Page, label: string) =>
  page
    .locator('dl')
    .filter({ has: page.getByText(label, { exact: true }) })
    .getByRole('definition')
    .first()
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const table = (page: Page) => page.getByRole('table', { name: 'Feedback' })
const failing = (page: Page, path: string) =>
  page.route(`**${path}*`, (route) => route.fulfill({ status: 500, body: '' }))

type House = Awaited<ReturnType<typeof startHowl>>

/** A Howl of its own, whose administrator is signed in on the page. */
const houseTest = test.extend<{ house: House }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the wanted fixtures from this pattern
  house: async ({}, use) => {
    const house = await startHowl()
    await use(house)
    await house.end()
  },
  baseURL: ({ house }, use) => use(house.url),
})

async function sql({ databaseUrl }: House, text: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}

/** Accounts that were deleted, each with feedback; the first one left last. */
const leave = (house: House, count: number) =>
  sql(
    house,
    `WITH gone AS (
       INSERT INTO users (email, email_key, username, username_key, password_hash, name, company_name, created_at, deleted_at)
       SELECT k, k, k, k, '-', (ARRAY['Bert', 'Ada', 'Cleo'])[1 + n % 3] || ' Leaver ' || n, 'Company ' || n % 7,
         now() - n * interval '9 hours', now() - n * interval '20 minutes'
       FROM generate_series(1, $1::int) n, LATERAL (SELECT 'left' || n || '@howl.example' AS k) key RETURNING id, email
     )
     INSERT INTO departure_feedback (user_id, category, custom_category, rating, details, improvements, competitor,
       contact_consent, contact_method, pricing_tier, account_age_days, given_at, deleted_at)
     SELECT id, (ARRAY['pricing', 'features', 'support', 'other'])[1 + n % 4], CASE WHEN n % 4 = 3 THEN 'We closed the shop' ELSE '' END,
       1 + n % 5, CASE n WHEN 1 THEN '=HYPERLINK("http://evil.example")' WHEN 2 THEN E'Said "no",\nthen; left' ELSE 'It could not do what I need it for, number ' || n END,
       CASE WHEN n % 5 = 0 THEN 'Invoices in French' ELSE '' END, CASE WHEN n % 6 = 0 THEN 'Paper' ELSE '' END,
       n % 2 = 0, CASE WHEN n % 2 = 0 THEN 'email' END, 'free', n, now() - n * interval '20 minutes', now() - n * interval '20 minutes'
     FROM gone, LATERAL (SELECT substring(email, '\\d+')::int AS n) each_one`,
    [count],
  )

houseTest.describe('the analytics', () => {
  houseTest('show totals, shares, health and what happened day by day', async ({ page, house }) => {
    await signedInAdministrator(page, house)
    const gone = await newUser(page, { name: 'Gerda Gone' })
    const authorized = { headers: { Authorization: `Bearer ${gone.token}` } }
    await page.request.post(pathOf(leaving.giveFeedback), {
      ...authorized,
      data: { category: 'pricing', rating: 2, details: 'Too dear' },
    })
    await page.request.delete(pathOf(leaving.deleteAccount), authorized)
    await newUser(page)
    await page.goto(`${DASHBOARD}?tab=analytics`)
    await expect(figure(page, 'Total Users')).toHaveText('3')
    await expect(figure(page, 'Active Users')).toHaveText('2')
    await expect(figure(page, 'Deleted Users')).toHaveText('1')
    await expect(figure(page, 'Retention Rate')).toHaveText('67%')
    await expect(page.getByText('2 of 3 users are active')).toBeVisible()
    await expect(region(page, 'Tier distribution')).toContainText('Free2 · 100%')
    await expect(region(page, 'Feedback categories')).toContainText('Pricing1 · 100%')
    await expect(region(page, 'System health')).toContainText('Database statusHealthy')
    await expect(region(page, 'System health')).toContainText('Total feedback1')
    await expect(region(page, 'System health')).toContainText('Admin users1')

    const activity = region(page, 'Activity')
    await expect(
      activity.getByRole('img', { name: 'Signups: 3 in 30 days, at most 3 in one day' }),
    ).toBeVisible()
    await expect(
      activity.getByRole('img', { name: 'Deletions: 1 in 30 days, at most 1 in one day' }),
    ).toBeVisible()
    await activity.getByRole('slider', { name: 'Day' }).focus()
    await expect(
      activity.getByText(/: 3 signups, 1 deletion, \d active users?, 0 emails sent$/),
    ).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(activity.getByText(/: 0 signups, 0 deletions, 0 emails sent$/)).toBeVisible()
    await activity.getByRole('radio', { name: '365 days' }).check()
    await expect(activity.getByRole('img', { name: /^Signups: 3 in 5\d weeks/ })).toBeVisible()
    await expect(activity).toContainText('Weeks begin on Monday')
    await activity.getByRole('button', { name: 'Show as table' }).click()
    await expect(activity.getByRole('row').nth(1)).toContainText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}31/)
  })

  houseTest('say what could not be loaded, and load it again', async ({ page, house }) => {
    await signedInAdministrator(page, house)
    await failing(page, pathOf(adminAnalytics.read))
    await page.goto(`${DASHBOARD}?tab=analytics`)
    await expect(toast(page, 'Failed to load analytics')).toBeVisible()
    await page.unroute(`**${pathOf(adminAnalytics.read)}*`)
    await region(page, 'Activity').getByRole('button', { name: 'Try again' }).click()
    await expect(region(page, 'Activity').getByRole('slider', { name: 'Day' })).toBeVisible()
    await failing(page, pathOf(admin.stats))
    await page.reload()
    await expect(toast(page, 'Failed to load admin statistics')).toBeVisible()
    await page.unroute(`**${pathOf(admin.stats)}*`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(figure(page, 'Total Users')).toHaveText('1')

    await page.route(`**${pathOf(health.base)}`, (route) =>
      route.fulfill({
        status: 503,
        json: {
          detail: 'The database does not answer.',
          code: 'UNAVAILABLE',
          status: 'degraded',
          database: 'down',
        },
      }),
    )
    await page.reload()
    await expect(region(page, 'System health')).toContainText('The database does not answer.')
    await expect(region(page, 'System health')).toContainText('Database statusNot healthy')
  })
})

houseTest.describe('the feedback', () => {
  houseTest('is counted and shown in short, and in detail in another tab', async ({ page, house }) => {
    await signedInAdministrator(page, house)
    await page.goto(`${DASHBOARD}?tab=feedback`)
    await expect(page.getByText('No feedback yet')).toBeVisible()
    await leave(house, 12)
    await page.reload()
    await expect(region(page, 'Feedback categories')).toContainText('Pricing3 · 25%')
    const recent = page.getByRole('list', { name: 'Recent feedback' }).getByRole('listitem')
    await expect(recent).toHaveCount(10)
    await expect(recent.first()).toContainText('left1@howl.example')
    await expect(recent.first()).toContainText('2 of 5, Poor')
    await expect(recent.nth(2)).toContainText('We closed the shop')
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Detailed View' }).click()
    const detailed = await opened
    await expect(detailed).toHaveURL(house.url + DETAILED)
    await expect(detailed.getByRole('heading', { level: 1, name: 'Feedback' })).toBeVisible()
    await expect(table(detailed)).toBeVisible()
  })

  houseTest(
    'is filtered, sorted and turned over; a changed filter begins at page 1',
    async ({ page, house }) => {
      await signedInAdministrator(page, house)
      await leave(house, 120)
      await page.goto(DETAILED)
      await expect(figure(page, 'Total Feedback')).toHaveText('120')
      await expect(figure(page, 'Average Rating')).toHaveText('3.0')
      await expect(figure(page, 'Contact Consent')).toHaveText('60')
      await expect(figure(page, 'Categories')).toHaveText('4')
      const rows = table(page).getByRole('row')
      await expect(rows).toHaveCount(51)
      await expect(page.getByText('Showing 1 to 50 of 120 feedback entries')).toBeVisible()
      await page.getByRole('button', { name: 'Next page' }).click()
      await expect(page.getByText('Showing 51 to 100 of 120 feedback entries')).toBeVisible()

      await page.getByLabel('Category').selectOption('Support')
      await expect(page.getByText('Showing 1 to 30 of 30 feedback entries')).toBeVisible()
      await expect(page).not.toHaveURL(/page=/)
      await page.getByLabel('Min rating').selectOption('4 Good')
      await expect(page.getByText('Showing 1 to 12 of 12 feedback entries')).toBeVisible()
      await page.getByLabel('Max rating').selectOption('3 Average')
      await expect(page.getByText('The lowest rating must not be above the highest.')).toBeVisible()
      await expect(page.getByLabel('Min rating')).toHaveValue('4')
      await expect(page.getByRole('button', { name: 'Export CSV' })).toBeDisabled()
      await page.getByLabel('Max rating').selectOption('4 Good')
      await expect(page.getByText('Showing 1 to 6 of 6 feedback entries')).toBeVisible()
      await page.reload()
      await expect(page.getByText('Showing 1 to 6 of 6 feedback entries')).toBeVisible()
      await page.getByLabel('Category').selectOption('Usability')
      await expect(page.getByText('No feedback found')).toBeVisible()
      await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click()
      await expect(rows).toHaveCount(51)

      const header = (name: string) => page.getByRole('columnheader', { name })
      await expect(header('Rating')).toHaveAttribute('aria-sort', 'none')
      await header('Rating').getByRole('button').focus()
      await page.keyboard.press('Enter')
      await expect(header('Rating')).toHaveAttribute('aria-sort', 'ascending')
      await expect(rows.nth(1)).toContainText('1 of 5, Very Poor')
      await expect(rows.nth(50)).toContainText('3 of 5, Average')
      await page.keyboard.press('Enter')
      await expect(header('Rating')).toHaveAttribute('aria-sort', 'descending')
      await expect(rows.nth(1)).toContainText('5 of 5, Excellent')
      await page.getByRole('button', { name: 'Last page' }).click()
      await expect(rows.last()).toContainText('1 of 5, Very Poor')
      await header('User').getByRole('button').click()
      await expect(page.getByText('Showing 1 to 50 of 120 feedback entries')).toBeVisible()
      await expect(rows.nth(1)).toContainText('Ada Leaver 1')

      await page.getByLabel('Category').selectOption('Other')
      const answer = rows.filter({ hasText: 'number 15' })
      await expect(answer).toContainText('We closed the shop')
      await answer.getByRole('button', { name: 'Read More' }).click()
      await expect(answer).toContainText('Suggested improvementsInvoices in French')
      await answer.getByRole('button', { name: 'Read Less' }).click()
      await expect(answer).not.toContainText('Invoices in French')
    },
  )

  houseTest('becomes a file of all its pages, without formulas', async ({ page, house }) => {
    await signedInAdministrator(page, house)
    await leave(house, 1200)
    await page.goto(DETAILED)
    const day = await page.evaluate(() => new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' }).format())
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const saved = await file
    expect(saved.suggestedFilename()).toBe(`feedback-data-${day}.csv`)
    await expect(toast(page, 'Exported 1,200 feedback entries')).toBeVisible()
    const text = await readFile(await saved.path(), 'utf8')
    expect(text.startsWith('\uFEFF')).toBe(true)
    const { data, errors, meta } = Papa.parse<Record<string, string>>(text.slice(1), {
      header: true,
      skipEmptyLines: true,
    })
    expect(errors).toEqual([])
    expect(meta.fields).toEqual(COLUMNS)
    expect(data).toHaveLength(1200)
    expect(new Set(data.map(({ id }) => id)).size).toBe(1200)
    const of = (n: number) => data.find(({ email }) => email === `left${n}@howl.example`)
    expect(of(1)?.['feedback_details']).toBe(`'=HYPERLINK("http://evil.example")`)
    expect(of(2)?.['feedback_details']).toBe('Said "no",\nthen; left')
    expect(of(30)).toMatchObject({
      full_name: 'Bert Leaver 30',
      company_name: 'Company 2',
      pricing_tier: 'free',
      feedback_category: 'support',
      feedback_rating: '1',
      improvements_suggested: 'Invoices in French',
      competitor_switched_to: 'Paper',
      contact_consent: 'true',
      contact_method: 'email',
      account_age_days: '30',
    })

    // Only what the filter shows, also when it shows one page of several.
    await page.getByLabel('Max rating').selectOption('1 Very Poor')
    await expect(page.getByText('Showing 1 to 50 of 240 feedback entries')).toBeVisible()
    const second = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const filtered = Papa.parse<Record<string, string>>(
      (await readFile(await (await second).path(), 'utf8')).slice(1),
      { header: true, skipEmptyLines: true },
    )
    expect(filtered.data).toHaveLength(240)
    expect(new Set(filtered.data.map((row) => row['feedback_rating']))).toEqual(new Set(['1']))
  })

  houseTest('can be stopped on the way to the file, and says when it fails', async ({ page, house }) => {
    await signedInAdministrator(page, house)
    await leave(house, 700)
    await page.goto(DETAILED)
    await expect(table(page)).toContainText('left1@howl.example')
    let goOn = () => {}
    const held = new Promise<void>((resolve) => (goOn = resolve))
    const second = `**${pathOf(adminFeedback.details)}*page=2*`
    await page.route(second, async (route) => {
      await held
      await route.continue().catch(() => {})
    })
    let saved = 0
    page.on('download', () => (saved += 1))
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const bar = page.getByRole('progressbar', { name: 'Exporting feedback' })
    await expect(page.getByText('500 of 700 in the file')).toBeVisible()
    await expect(bar).toHaveAttribute('value', '500')
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(bar).toHaveCount(0)
    goOn()
    await page.unroute(second)

    await page.route(second, (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await expect(toast(page, 'Failed to load feedback data')).toBeVisible()
    await expect(bar).toHaveCount(0)
    expect(saved).toBe(0)
  })

  houseTest('says when it cannot be loaded', async ({ page, house }) => {
    await signedInAdministrator(page, house)
    await failing(page, pathOf(adminFeedback.details))
    await failing(page, pathOf(adminFeedback.analytics))
    await page.goto(DETAILED)
    await expect(toast(page, 'Failed to load feedback data')).toBeVisible()
    await expect(toast(page, 'Failed to load analytics')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Export CSV' })).toBeDisabled()
    await page.unroute(`**${pathOf(adminFeedback.details)}*`)
    await page.unroute(`**${pathOf(adminFeedback.analytics)}*`)
    await page.getByRole('button', { name: 'Try again' }).last().click()
    await expect(page.getByText('No feedback yet')).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(figure(page, 'Average Rating')).toHaveText('–')
  })
})

houseTest('fits and can be used by everybody', async ({ page, house }) => {
  houseTest.setTimeout(120_000)
  await signedInAdministrator(page, house)
  const check = async (path: string, shown: string) => {
    await page.goto(path)
    await expect(page.getByText(shown).first()).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expectSound(page)
  }
  const all = async () => {
    await check(`${DASHBOARD}?tab=analytics`, 'Retention Rate')
    await check(`${DASHBOARD}?tab=feedback`, 'Recent feedback')
    await check(DETAILED, 'Contact Consent')
  }
  await all()
  await leave(house, 80)
  await sql(
    house,
    `INSERT INTO mail_activity (user_id, at, source, sent)
     SELECT u.id, at, 'left', ARRAY[n, 0, n, 0] FROM (SELECT min(id) AS id FROM users WHERE NOT is_system) u,
       generate_series(date_bin('1 day', now(), 'epoch') - interval '80 days', now(), interval '9 hours') at,
       LATERAL (SELECT (extract(epoch FROM at) / 32400)::int * 7 % 11 AS n) each_one`,
  )
  await sql(
    house,
    `UPDATE departure_feedback SET details = repeat('Unbreakable', 40) || ' and then a story. ' || repeat('It goes on and on. ', 30),
       custom_category = repeat('Long', 20), category = 'other' WHERE id = (SELECT min(id) FROM departure_feedback)`,
  )
  await all()
  await page.getByRole('button', { name: 'Read More' }).first().click()
  await expectSound(page)
  await page.getByLabel('Min rating').selectOption('5 Excellent')
  await page.getByLabel('Max rating').selectOption('1 Very Poor')
  await expect(page.getByText('The lowest rating must not be above the highest.')).toBeVisible()
  await expectSound(page)
  await page.goto(`${DASHBOARD}?tab=analytics`)
  await page.getByRole('radio', { name: '365 days' }).check()
  await expect(page.getByRole('slider', { name: 'Week' })).toBeAttached()
  await page.getByRole('slider', { name: 'Week' }).focus()
  await expectSound(page)
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expectSound(page)
  await page.goto(`${DASHBOARD}?tab=users`)
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible()
  await page.getByPlaceholder('Name, email, company or id').fill('nobody here')
  await expect(page.getByText('No users found')).toBeVisible()
  await expectSound(page)
})
