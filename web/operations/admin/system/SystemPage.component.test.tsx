import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  CHECK_NAMES,
  type CheckName,
  type CheckReport,
  type DeadJob,
  type Finding,
  systemHealth,
} from '#contract/operations/system-health.ts'
import { closingDialogs } from '../../../../tests/support/closing-dialogs.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const AT = '2026-11-23T12:00:00.000Z'
const FULL: Finding = {
  subject: null,
  state: 'failure',
  seen: '3 MB are free.',
  wrong: 'The disk is full.',
  mend: 'Delete something.',
}

const check = (title: string) => page.getByRole('listitem', { name: title, exact: true })
const done = page.getByText(/Checked\s+at \d/)
const deadJobs = page.getByRole('list', { name: 'Dead jobs' })
const dialog = page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const firstGroup = () => page.getByRole('main').element().querySelector('section')

const reportOf = (name: CheckName, findings: Finding[] = []): CheckReport => ({
  name,
  state: findings[0]?.state ?? 'ok',
  findings,
  checked_at: AT,
  took_ms: 1,
})

const aJob = (n: number, error: string): DeadJob => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  title: 'Bulk run',
  user_id: n,
  user_email: `user${n}@howl.example`,
  created_at: AT,
  failed_at: AT,
  attempts: 6,
  error,
})

/** All is well but for what these checks find. */
function apiWith(found: Partial<Record<CheckName, Finding[]>> = {}): FakeApi {
  return fakeApi()
    .answers(systemHealth.deadJobs)
    .answers(systemHealth.check, ({ params }) => {
      const name = params['name'] as CheckName
      return reportOf(name, found[name])
    })
}

const openSystem = () => openPage('/wolf-admin-secure-2024/system', { administrator: true })

test('each check is shown as it comes back, and one that does not is unknown', async () => {
  const api = apiWith()
  const { promise: held, resolve: answer } = Promise.withResolvers<Response>()
  api.responds(systemHealth.check, ({ params }) => {
    const name = params['name'] as CheckName
    return name === 'model' ? held : Response.json(reportOf(name))
  })
  openSystem()
  const all = CHECK_NAMES.length
  await expect.element(page.getByText(`${all - 1} of ${all} done`)).toBeVisible()
  await expect
    .element(page.getByRole('progressbar', { name: 'Checks' }))
    .toHaveAttribute('value', String(all - 1))
  await expect.element(check('Disk')).toMatchTextContent('OK')
  await expectSound()
  answer(new Response('', { status: 500 }))
  await expect.element(done).toBeVisible()
  await expect.element(check('Language model')).toMatchTextContent('Unknown')
})

test('the worst comes first, with what to do; “Check again” says what has become of it', async () => {
  const found: Partial<Record<CheckName, Finding[]>> = {
    disk: [FULL],
    backups: [
      { ...FULL, state: 'warning', seen: 'There is no backup.', wrong: null, mend: 'npm run backup' },
    ],
  }
  const api = apiWith(found)
  openSystem()
  await expect.element(done).toBeVisible()
  await expect.element(page.getByText('This Howl is not well')).toBeVisible()
  await expect.element(page.getByText(/^1 failure, 1 warning/)).toBeVisible()
  await expect.element(check('Disk')).toMatchTextContent('3 MB are free.The disk is full.→ Delete something.')
  await expect.element(check('Backups')).toMatchTextContent('Warning')
  expect(firstGroup()?.textContent).toContain('The disk is full.')
  await expectSound()
  delete found.disk
  await button('Check again').click()
  await expect.element(page.getByText('This Howl works')).toBeVisible()
  await expect.element(check('Disk')).not.toMatchTextContent('The disk is full.')
  expect(firstGroup()?.textContent).toContain('npm run backup')
  expect(api.calls(systemHealth.check).at(-1)?.query).toEqual({ again: 'true' })
})

test('dead jobs are listed, tried again and dropped, one or all', async () => {
  let dead = [
    aJob(1, 'The first fault'),
    aJob(2, 'The second fault'),
    aJob(3, `Closed by ${'a-long-name.'.repeat(9)}`),
  ]
  const leaves = (gone: (job: DeadJob) => boolean) => {
    const before = dead.length
    dead = dead.filter((job) => !gone(job))
    return { changed: before - dead.length }
  }
  const api = apiWith()
    .answers(systemHealth.deadJobs, () => ({ jobs: dead, total: dead.length }))
    .answers(systemHealth.retryJob, ({ params }) => leaves(({ id }) => id === params['id']))
    .answers(systemHealth.dropJobs, () => leaves(() => true))
  openSystem()
  const row = (error: string) => deadJobs.getByRole('listitem').filter({ hasText: error })
  await expect.element(row('The first fault')).toMatchTextContent('Bulk run · user1@howl.example')
  await expect.element(row('The first fault')).toMatchTextContent('after 6 attempts')
  await expect.element(done).toBeVisible()
  await expectSound()
  await row('The first fault').getByRole('button', { name: 'Try again' }).click()
  await expect.element(toast('1 job will be tried again')).toBeVisible()
  await expect.element(row('The first fault')).not.toBeInTheDocument()

  const closing = closingDialogs()
  await row('The second fault').getByRole('button', { name: 'Drop' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Drop “Bulk run”?' })).toBeVisible()
  await expectSound('[role=dialog]')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(row('The second fault')).toBeVisible()
  expect(api.calls(systemHealth.dropJob)).toEqual([])
  await button('Drop all').click()
  await page
    .getByRole('dialog', { name: 'Drop 2 jobs?' })
    .getByRole('button', { name: 'Drop 2 jobs' })
    .click()
  await expect.element(toast('2 jobs dropped')).toBeVisible()
  await expect.element(page.getByText('No job has failed every attempt.')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(closing).toEqual([expect.stringMatching(/^Drop “Bulk run”/), expect.stringMatching(/^Drop 2 jobs/)])
})

test('dead jobs that cannot be loaded or changed say so', async () => {
  const api = apiWith().refuses(systemHealth.deadJobs, 500, '')
  openSystem()
  await expect.element(page.getByText('Failed to load dead jobs')).toBeVisible()
  api
    .answers(systemHealth.deadJobs, { jobs: [aJob(1, 'A fault')], total: 1 })
    .refuses(systemHealth.dropJob, 404, 'This job is gone.')
  await button('Try again').click()
  await button('Drop').click()
  await dialog.getByRole('button', { name: 'Drop job' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This job is gone.')
})
