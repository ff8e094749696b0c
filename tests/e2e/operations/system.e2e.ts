import type { Page } from '@playwright/test'
import { expect, type Howl, newUser, signedInAdministrator, test } from '../../support/e2e.ts'
import { sql } from '../../support/sql.ts'

const check = (page: Page, title: string) => page.getByRole('listitem', { name: title, exact: true })
const done = (page: Page) => expect(page.getByText(/Checked\s+at \d/)).toBeVisible()
const deadJobs = (page: Page) => page.getByRole('list', { name: 'Dead jobs' })

/** Puts a run among the dead jobs, as if its sixth attempt had just failed. */
const aDeadJob = ({ databaseUrl }: Howl, userId: number, error: string) =>
  sql(
    databaseUrl,
    `WITH box AS (INSERT INTO mailboxes (user_id, is_primary, address, created_at)
         VALUES ($1, true, 'ada@far.example', now()) RETURNING id)
       INSERT INTO outreach_batches (user_id, mailbox_id, state, started_at, failures, last_failure, failed_at, drive_at)
       SELECT $1, id, 'running', now(), 6, $2, now(), now() + interval '1 day' FROM box`,
    [userId, error],
  )

test('an administrator sees from the dashboard whether this Howl is well, and settles dead jobs', async ({
  page,
  howl,
}) => {
  const { id, email } = await signedInAdministrator(page, howl)
  await page.goto('/wolf-admin-secure-2024')
  await page.getByRole('link', { name: 'System' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'System' })).toBeVisible()
  await done(page)
  await expect(check(page, 'Database')).toContainText(/PostgreSQL \d+/)
  await expect(check(page, 'Version')).toContainText('OK')
  await expect(check(page, 'Background work')).toContainText('1 process does the background work')
  await expect(check(page, 'Disk')).toContainText('are free')
  await expect(check(page, 'Backups')).toContainText('Warning')
  await expect(check(page, 'Backups')).toContainText('npm run backup')

  await expect(page.getByText('No job has failed every attempt.')).toBeVisible()
  await aDeadJob(howl, id, 'The first fault')
  for (const error of ['The second fault', 'The third fault'])
    await aDeadJob(howl, (await newUser(page)).id, error)
  await page.reload()
  const row = (error: string) => deadJobs(page).getByRole('listitem').filter({ hasText: error })
  await expect(row('The first fault')).toContainText(`Bulk run · ${email}`)
  await expect(row('The first fault')).toContainText('after 6 attempts')
  await row('The first fault').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('1 job will be tried again')).toBeVisible()
  await expect(row('The first fault')).toHaveCount(0)
  await page.getByRole('button', { name: 'Drop all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Drop 2 jobs' }).click()
  await expect(page.getByText('2 jobs dropped')).toBeVisible()
  await expect(page.getByText('No job has failed every attempt.')).toBeVisible()
})
