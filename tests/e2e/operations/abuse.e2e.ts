import type { Page } from '@playwright/test'
import { Client } from 'pg'
import { expect, type Howl, newUser, signedInAdministrator, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'

const PANEL = '/wolf-admin-secure-2024?tab=management'

async function sql({ databaseUrl }: Howl, text: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}

type Found = {
  email: string
  type: string
  severity: number
  score: number
  description: string
  occurrences?: number
}

async function found(
  howl: Howl,
  { email, type, severity, score, description, occurrences = 1 }: Found,
): Promise<void> {
  await sql(
    howl,
    `INSERT INTO abuse_patterns (user_id, pattern_type, severity, occurrences, first_detected, last_detected, score, description)
     SELECT id, $2, $3, $4, now() - interval '3 days', now(), $5, $6 FROM users WHERE email = $1`,
    [email, type, severity, occurrences, score, description],
  )
}

/** As the server does it: the row, and the live event once it is committed. */
async function notified(howl: Howl, title: string, priority = 4, email: string | null = null): Promise<void> {
  await sql(
    howl,
    `INSERT INTO admin_notifications (user_id, topic, title, message, priority, created_at)
     SELECT (SELECT id FROM users WHERE email = $3), gen_random_uuid()::text, $1,
       'The risk is 62. 350 of 1,000 mails (35 %) came back because the addresses do not exist. At 80 Howl bans this user.', $2, date_trunc('milliseconds', now())`,
    [title, priority, email],
  )
  await sql(howl, `SELECT pg_notify('howl_live', '{"userId":null,"event":{"topic":"notifications"}}')`)
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const notification = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: title })

test('User Management opens with its figures and the newest notifications, and they are live', async ({
  page,
  howl,
}) => {
  await sql(howl, 'DELETE FROM admin_notifications')
  await signedInAdministrator(page, howl)
  await page.goto(PANEL)
  await expect(page.getByRole('tablist', { name: 'User Management' }).getByRole('tab')).toHaveText([
    'Overview',
    'User Activities',
    'User Bans',
    'Abuse Patterns',
    'Notifications',
    'Actions',
  ])
  await expect(
    page.getByRole('tablist', { name: 'User Management' }).getByRole('tab', { name: 'Overview' }),
  ).toHaveAttribute('aria-selected', 'true')
  for (const card of ['Active Bans', 'Abuse Patterns', 'High Risk Users', 'Notifications'])
    await expect(page.getByRole('term').filter({ hasText: card })).toBeVisible()
  await expect(page.getByText('No notifications yet')).toBeVisible()
  for (let n = 1; n <= 6; n++) await notified(howl, `Notification ${n}`)
  await expect(notification(page, 'Notification 6')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(5)
  await expect(notification(page, 'Notification 1')).toHaveCount(0)
  await page.getByRole('link', { name: 'All notifications' }).click()
  await expect(notification(page, 'Notification 1')).toBeVisible()
})

test('a notification is new until it is marked as read; all can be marked at once', async ({
  page,
  howl,
}) => {
  await sql(howl, 'DELETE FROM admin_notifications')
  await signedInAdministrator(page, howl)
  const user = await newUser(page)
  await notified(howl, 'A user is at high risk', 4, user.email)
  await notified(howl, 'Somebody guesses codes', 3)
  await notified(howl, 'A user was warned', 2)
  await page.goto(`${PANEL}&section=notifications`)
  const risk = notification(page, 'A user is at high risk')
  await expect(risk).toContainText(user.email)
  await expect(risk.getByText('New', { exact: true })).toBeVisible()
  await expect(risk.getByText('Priority 4')).toBeVisible()
  await risk.getByRole('button', { name: 'Mark as read' }).click()
  await expect(risk.getByText('New', { exact: true })).toHaveCount(0)
  await expect(risk.getByRole('button', { name: 'Mark as read' })).toHaveCount(0)
  await expect(page.getByText('2 new')).toBeVisible()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByText('New', { exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Mark all as read' })).toHaveCount(0)
})

test('the colours of severities: red, orange, yellow, else blue; a pattern says what it means and leads to the ban', async ({
  page,
  howl,
}) => {
  await sql(howl, 'DELETE FROM abuse_patterns')
  await signedInAdministrator(page, howl)
  const description = '350 of 1,000 mails (35 %) came back because the addresses do not exist.'
  const types = ['bounce_rate', 'code_sweep', 'many_accounts', 'same_words', 'farmed_credits']
  const user = await newUser(page)
  for (const [at, type] of types.entries())
    await found(howl, {
      email: user.email,
      type,
      severity: 5 - at,
      score: 10,
      description,
      occurrences: 5 - at,
    })
  await page.goto(`${PANEL}&section=patterns`)
  const row = (name: string) =>
    page.getByRole('table', { name: 'Abuse patterns' }).getByRole('row').filter({ hasText: name })
  const colour = (name: string, severity: number) =>
    row(name)
      .getByText(`Severity ${severity} of 5`)
      .evaluate((badge) => getComputedStyle(badge).color)
  const [five, four, three, two, one] = [
    await colour('Many bounces', 5),
    await colour('Guessed codes', 4),
    await colour('Many accounts from one network', 3),
    await colour('Same words to many strangers', 2),
    await colour('Farmed credits', 1),
  ]
  expect(five).toBe(four)
  expect(new Set([four, three, two, one]).size).toBe(4)
  await expect(row('Many bounces')).toContainText('350 of 1,000 mails (35 %) came back')
  await expect(row('Many bounces')).toContainText(
    'A large share of the mail came back because the addresses do not exist.',
  )
  await expect(row('Many bounces').getByText('Risk 50')).toBeVisible()
  await row('Many accounts')
    .getByRole('link', { name: `Ban ${user.email}` })
    .click()
  await expect(tab(page, 'Actions')).toHaveAttribute('aria-selected', 'true')
  const form = page.getByRole('form', { name: 'Ban User', exact: true })
  await expect(form.getByLabel('Reason')).toHaveValue('multiple_accounts')
  await expect(form.getByLabel('Description')).toHaveValue(description)
  await expect(form).toContainText(user.email)
})

test('a failure of a list can be tried again, and an empty one says so', async ({ page, howl }) => {
  await sql(howl, 'DELETE FROM abuse_patterns')
  await signedInAdministrator(page, howl)
  await page.route('**/api/v1/admin/users/abuse-patterns*', (route) =>
    route.fulfill({ status: 503, json: { detail: 'Not now' } }),
  )
  await page.goto(`${PANEL}&section=patterns`)
  await expect(page.getByText('Failed to load abuse patterns')).toBeVisible()
  await page.unroute('**/api/v1/admin/users/abuse-patterns*')
  await page.getByRole('button', { name: /try again|retry/i }).click()
  await expect(page.getByText('No abuse found')).toBeVisible()
})

test('the three parts are sound, full and empty', async ({ page, howl }) => {
  await sql(howl, 'DELETE FROM abuse_patterns')
  await sql(howl, 'DELETE FROM admin_notifications')
  await signedInAdministrator(page, howl)
  const sections = { summary: 'Overview', patterns: 'Abuse Patterns', notifications: 'Notifications' }
  const lookAtAll = async () => {
    for (const [section, name] of Object.entries(sections)) {
      await page.goto(`${PANEL}&section=${section}`)
      await expect(
        page.getByRole('tablist', { name: 'User Management' }).getByRole('tab', { name, exact: true }),
      ).toHaveAttribute('aria-selected', 'true')
      await expect(page.locator('[aria-busy=true], ul[aria-hidden=true]')).toHaveCount(0)
      await expectSound(page)
    }
  }
  await lookAtAll()
  const user = await newUser(page)
  const other = await newUser(page)
  await found(howl, {
    email: user.email,
    type: 'bought_list',
    severity: 4,
    score: 50,
    occurrences: 3,
    description:
      'Mail went to 1,000 strangers whose addresses look bought: 60 % of the strangers are addresses of no person, as info@, 13 % bounced, 35 domains do not exist, a new account imported 8,000 contacts.',
  })
  await found(howl, {
    email: other.email,
    type: 'complaint_rate',
    severity: 3,
    score: 20,
    description: '9 recipients of 4,000 mails marked them as spam.',
  })
  await found(howl, {
    email: other.email,
    type: 'sending_burst',
    severity: 2,
    score: 5,
    description: '3,500 mails left on one day, far more than is usual for this account.',
  })
  await notified(howl, 'A user was banned for 7 days', 5, user.email)
  await notified(howl, 'A user is at high risk', 4, other.email)
  await notified(howl, 'Somebody guesses passwords', 3)
  await notified(howl, 'A user was warned', 2, other.email)
  await sql(howl, `UPDATE admin_notifications SET read_at = now() WHERE priority < 4`)
  await lookAtAll()
})
