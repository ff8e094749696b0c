import type { Page } from '@playwright/test'
import { Client } from 'pg'
import { pathOf } from '#contract/platform/endpoint.ts'
import { CHECK_NAMES, systemHealth } from '#contract/operations/system-health.ts'
import { expect, type Howl, newUser, signedInAdministrator, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'

const SYSTEM = '/wolf-admin-secure-2024/system'

const check = (page: Page, title: string) => page.getByRole('listitem', { name: title, exact: true })
const done = (page: Page) => expect(page.getByText(/Checked\s+at \d/)).toBeVisible({ timeout: 40_000 })
const deadJobs = (page: Page) => page.getByRole('list', { name: 'Dead jobs' })

/** Puts a run among the dead jobs, as if its sixth attempt had just failed. */
async function aDeadJob({ databaseUrl }: Howl, userId: number, error: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `WITH box AS (INSERT INTO mailboxes (user_id, is_primary, address, created_at)
         VALUES ($1, true, 'ada@far.example', now()) RETURNING id)
       INSERT INTO outreach_batches (user_id, mailbox_id, state, started_at, failures, last_failure, failed_at, drive_at)
       SELECT $1, id, 'running', now(), 6, $2, now(), now() + interval '1 day' FROM box`,
      [userId, error],
    )
  } finally {
    await client.end()
  }
}

test('an administrator sees from the dashboard whether this Howl is well, and how to mend it', async ({
  page,
  howl,
}) => {
  await signedInAdministrator(page, howl)
  await page.goto('/wolf-admin-secure-2024')
  await page.getByRole('link', { name: 'System' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'System' })).toBeVisible()
  await done(page)
  await expect(check(page, 'Database')).toContainText(/PostgreSQL \d+/)
  await expect(check(page, 'Database')).toContainText('OK')
  await expect(check(page, 'Background work')).toContainText('1 process does the background work')
  await expect(check(page, 'Backups')).toContainText('Warning')
  await expect(check(page, 'Backups')).toContainText('npm run backup')
  // The worst group stands first.
  const states = await page
    .locator('main section')
    .first()
    .getByText(/^(Failure|Warning)$/)
    .count()
  expect(states).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible()
})

test('shows each check as it comes back, and one that does not come back', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  const gate = Promise.withResolvers<void>()
  await page.route(`**${pathOf(systemHealth.check, { name: 'model' })}?*`, async (route) => {
    await gate.promise
    await route.fulfill({ status: 500, body: '' })
  })
  await page.goto(SYSTEM)
  await expect(page.getByText(`${CHECK_NAMES.length - 1} of ${CHECK_NAMES.length} done`)).toBeVisible({
    timeout: 40_000,
  })
  await expect(page.getByRole('progressbar', { name: 'Checks' })).toHaveAttribute(
    'value',
    String(CHECK_NAMES.length - 1),
  )
  await expect(check(page, 'Disk')).toContainText('are free')
  gate.resolve()
  await done(page)
  await expect(check(page, 'Language model')).toContainText('Unknown')
})

test('“Check again” asks anew, and the page says what has become of it', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  const failing = {
    name: 'disk',
    state: 'failure',
    checked_at: '2026-11-23T12:00:00.000Z',
    took_ms: 1,
    findings: [
      {
        subject: null,
        state: 'failure',
        seen: '3 MB are free.',
        wrong: 'The disk is full.',
        mend: 'Delete something.',
      },
    ],
  }
  // All else is well, whatever other tests have left in this Howl.
  const others = CHECK_NAMES.filter((name) => name !== 'disk' && name !== 'memory')
  for (const name of others)
    await page.route(`**${pathOf(systemHealth.check, { name })}?*`, (route) =>
      route.fulfill({ json: { ...failing, name, state: 'ok', findings: [] } }),
    )
  const address = `**${pathOf(systemHealth.check, { name: 'disk' })}?*`
  await page.route(address, (route) => route.fulfill({ json: failing }))
  await page.goto(SYSTEM)
  await done(page)
  await expect(page.getByText('This Howl is not well')).toBeVisible()
  await expect(check(page, 'Disk')).toContainText('3 MB are free.The disk is full.→ Delete something.')
  await expect(page.locator('main section').first()).toContainText('The disk is full.')
  await page.unroute(address)
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText(/^This Howl (is well|works)/)).toBeVisible({ timeout: 40_000 })
  await expect(check(page, 'Disk')).not.toContainText('The disk is full.')
})

test('dead jobs are listed, tried again and dropped, one or all', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  const user = await newUser(page)
  await page.goto(SYSTEM)
  await expect(page.getByText('No job has failed every attempt.')).toBeVisible()
  await aDeadJob(howl, user.id, 'The first fault')
  for (const error of ['The second fault', 'The third fault'])
    await aDeadJob(howl, (await newUser(page)).id, error)
  await page.reload()
  const row = (error: string) => deadJobs(page).getByRole('listitem').filter({ hasText: error })
  await expect(row('The first fault')).toContainText(`Bulk run · ${user.email}`)
  await expect(row('The first fault')).toContainText('after 6 attempts')

  await row('The first fault').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('1 job will be tried again')).toBeVisible()
  await expect(row('The first fault')).toHaveCount(0)

  await row('The second fault').getByRole('button', { name: 'Drop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Drop “Bulk run”?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(row('The second fault')).toBeVisible()
  await page.getByRole('button', { name: 'Drop all' }).click()
  await page
    .getByRole('dialog', { name: 'Drop 2 jobs?' })
    .getByRole('button', { name: 'Drop 2 jobs' })
    .click()
  await expect(page.getByText('2 jobs dropped')).toBeVisible()
  await expect(page.getByText('No job has failed every attempt.')).toBeVisible()
})

test('nobody else sees the page', async ({ page }) => {
  await page.goto(SYSTEM)
  await expect(page.getByText('Access Denied').first()).toBeVisible()
})

test('everything fits, and axe finds nothing', async ({ page, howl }) => {
  const { id } = await signedInAdministrator(page, howl)
  await page.goto(SYSTEM)
  await expect(page.getByRole('heading', { level: 1, name: 'System' })).toBeVisible()
  await expectSound(page)
  await done(page)
  await expectSound(page)
  await aDeadJob(
    howl,
    id,
    'The mail server at smtp.a-very-long-name-of-a-server.example closed the connection',
  )
  await aDeadJob(howl, (await newUser(page)).id, 'Timed out')
  await page.reload()
  await expect(deadJobs(page)).toBeVisible()
  await done(page)
  await expectSound(page)
  await page.getByRole('button', { name: 'Drop all' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Drop 2/ })
    .click()
  await expect(page.getByText('No job has failed every attempt.')).toBeVisible()
})
