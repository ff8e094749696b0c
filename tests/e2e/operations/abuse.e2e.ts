import { notifications } from '#contract/accounts/notifications.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { expect, type Howl, newUser, signedInAdministrator, test } from '../../support/e2e.ts'
import { sql } from '../../support/sql.ts'

const PANEL = '/wolf-admin-secure-2024?tab=management'

/** As the server does it: the row, and the live event once it is committed. */
async function notified(howl: Howl, title: string, email: string): Promise<void> {
  await sql(
    howl.databaseUrl,
    `INSERT INTO admin_notifications (user_id, topic, title, message, priority, created_at)
     SELECT (SELECT id FROM users WHERE email = $2), gen_random_uuid()::text, $1,
       'The risk is 62. At 80 Howl bans this user.', 4, date_trunc('milliseconds', now())`,
    [title, email],
  )
  await sql(
    howl.databaseUrl,
    `SELECT pg_notify('howl_live', '{"userId":null,"event":{"topic":"notifications"}}')`,
  )
}

test('an administrator is told of a user at once, reads what was found, and goes on to the ban', async ({
  page,
  howl,
}) => {
  await signedInAdministrator(page, howl)
  const { email } = await newUser(page)
  const stream = page.waitForResponse(`**${pathOf(notifications.stream)}`)
  await page.goto(PANEL)
  await stream
  await notified(howl, 'A user is at high risk', email)
  const told = page
    .getByRole('list', { name: 'Notifications' })
    .getByRole('listitem')
    .filter({ hasText: email })
  await expect(told).toContainText('A user is at high risk')
  await page.getByRole('link', { name: 'All notifications' }).click()
  await told.getByRole('button', { name: 'Mark as read' }).click()
  await expect(told.getByText('New', { exact: true })).toHaveCount(0)

  await sql(
    howl.databaseUrl,
    `INSERT INTO abuse_patterns (user_id, pattern_type, severity, occurrences, first_detected, last_detected, score, description)
     SELECT id, 'many_accounts', 3, 3, now() - interval '3 days', now(), 10, 'Five accounts, and none is used.' FROM users WHERE email = $1`,
    [email],
  )
  await page.getByRole('tab', { name: 'Abuse Patterns' }).click()
  const row = page.getByRole('table', { name: 'Abuse patterns' }).getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('Five accounts, and none is used.')
  await row.getByRole('link', { name: `Ban ${email}` }).click()
  const form = page.getByRole('form', { name: 'Ban User', exact: true })
  await expect(form.getByLabel('Reason')).toHaveValue('multiple_accounts')
  await expect(form.getByLabel('Description')).toHaveValue('Five accounts, and none is used.')
  await expect(form).toContainText(email)
})
