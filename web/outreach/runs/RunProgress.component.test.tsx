import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { tags } from '#contract/crm/tags.ts'
import { batch, type Batch, outreach } from '#contract/outreach/runs.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { dashboardApi } from '../../../tests/support/dashboard-api.ts'
import type { FakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const RUN: Batch = blank(batch, {
  batch_id: 7,
  state: 'running',
  seconds_left: 170,
  waiting_for: 'Your limit of 100 mails an hour sets the pace.',
  summary: { total: 212, sent: 120, errors: 2, skipped: 12, warnings: 0, pending: 78, unwritten: 70 },
  skipped: 12,
})
const NOW = new Date().toISOString()
const ENDED: Batch = {
  ...RUN,
  state: 'done',
  done: true,
  finished_at: NOW,
  waiting_for: null,
  summary: { total: 3, sent: 1, errors: 0, skipped: 2, warnings: 0, pending: 0, unwritten: 0 },
}

const region = (name: string) => page.getByRole('region', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const generate = button('Generate & Send Emails')

/** A server with a run that can be held and ended. */
function runApi(): FakeApi {
  let run = RUN
  const become = (change: Partial<Batch>) => () => (run = { ...run, ...change })
  return dashboardApi()
    .answers(outreach.current, () => run)
    .answers(outreach.pause, become({ state: 'paused', waiting_for: 'You have paused this run.' }))
    .answers(outreach.resume, become({ state: 'running', waiting_for: null }))
    .answers(
      outreach.cancel,
      become({ state: 'cancelled', done: true, message: 'Successfully sent 120 email(s).' }),
    )
    .answers(tags.list)
    .answers(contactImports.list)
}

test('a run shows how far it is, and can be held', async () => {
  runApi()
  openPage('/dashboard')
  const card = region('Sending to 200 contacts')
  await expect.element(card).toMatchTextContent('120 of 200 sent, 2 failed, about 3 minutes left')
  await expect.element(card).toMatchTextContent('Your limit of 100 mails an hour sets the pace.')
  const bar = card.getByRole('progressbar', { name: 'Sending to 200 contacts' })
  expect((bar.element() as HTMLProgressElement).value).toBe(122)
  await expectSound()
  await card.getByRole('button', { name: 'Pause' }).click()
  await expect.element(region('Paused: 78 emails waiting')).toMatchTextContent('You have paused this run.')
  await generate.click()
  await expect.element(toast('This run is paused. Resume it to send the rest.')).toBeVisible()
  await button('Resume').click()
  await expect.element(card).toBeVisible()
  await generate.click()
  await expect.element(toast('Your emails are already on their way.')).toBeVisible()
})

test('a run that waits for its language model says why, and goes on from the template after a question', async () => {
  const said =
    'The language model is busy (Rate limit reached). Your emails will wait, and Howl tries again today at 14:05.'
  let run: Batch = {
    ...RUN,
    seconds_left: null,
    waiting_for: said,
    waits: { kind: 'model', until: NOW, mailbox_id: 1 },
  }
  const api = dashboardApi()
    .answers(outreach.current, () => run)
    .answers(outreach.withoutModel, () => (run = { ...run, waiting_for: null, waits: null }))
  openPage('/dashboard')
  const card = region('Sending to 200 contacts')
  await expect.element(card).toMatchTextContent(`120 of 200 sent, 2 failed${said}`)
  await expectSound()
  const write = button('Write the rest from the template')
  await write.click()
  const question = page.getByRole('dialog', { name: 'Write the remaining 70 emails from the template?' })
  await expect.element(question).toMatchTextContent('This can’t be undone.')
  await expectSound()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(question).not.toBeInTheDocument()
  expect(api.calls(outreach.withoutModel)).toEqual([])
  await write.click()
  await question.getByRole('button', { name: 'Write from the template' }).click()
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(write).not.toBeInTheDocument()
  await expect.element(card).not.toMatchTextContent('The language model is busy')
  expect(api.calls(outreach.withoutModel)).toMatchObject([{ params: { id: '7' } }])
})

test('a run is shown on every page, and is ended after a question', async () => {
  const api = runApi()
  openPage('/contacts')
  const bar = region('Background work')
  await expect.element(bar).toMatchTextContent('Sending to 200 contacts')
  await expect.element(bar).toMatchTextContent('Your limit of 100 mails an hour sets the pace.')
  await bar.getByRole('button', { name: 'Cancel run' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel the run?' })
  await expect.element(question).toMatchTextContent('120 emails have already been sent.')
  await expect.element(question).toMatchTextContent('78 contacts will get no email from this run')
  await question.getByRole('button', { name: 'Keep sending' }).click()
  expect(api.calls(outreach.cancel)).toEqual([])
  await bar.getByRole('button', { name: 'Cancel run' }).click()
  await question.getByRole('button', { name: 'Cancel run' }).click()
  await expect.element(bar).not.toBeInTheDocument()
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(toast('Successfully sent 120 email(s).')).toBeVisible()
})

test('results are listed with their reasons, narrowed by status, and put away for good', async () => {
  const result = (
    id: number,
    name: string,
    status: 'sent' | 'warning' | 'skipped',
    reason: string | null,
  ) => ({
    contact_id: id,
    name,
    email: `p${id}@x.example`,
    status,
    reason,
    email_id: null,
  })
  const results = [
    result(1, 'Anna Berg', 'skipped', 'Already emailed before'),
    result(2, 'Ben Ott', 'skipped', 'Left out by you'),
    result(3, 'Finn Holm', 'warning', 'No language model is set up.'),
  ]
  const ended = {
    ...ENDED,
    audience: 'To 3 contacts tagged fair',
    template: 'Bread',
    summary: { ...ENDED.summary, warnings: 1 },
  }
  runApi()
    .answers(outreach.current, ended)
    .answers(outreach.get, { ...ended, results })
  openPage('/dashboard')
  const card = region('Sent to 1 contact')
  const about = 'To 3 contacts tagged fair · Written from your template “Bread”'
  await expect.element(card).toMatchTextContent(about)
  await card.getByRole('button', { name: 'See results' }).click()
  const shown = page.getByRole('dialog', { name: 'Results of the run' })
  await expect.element(shown).toMatchTextContent(about)
  const rows = shown.getByRole('row')
  await expect.element(rows).toHaveLength(4)
  await expectSound()
  await shown.getByLabelText('Status').selectOptions('Skipped (2)')
  await expect.element(rows).toHaveLength(3)
  await expect
    .element(shown.getByRole('row', { name: /Anna Berg/ }))
    .toMatchTextContent('Already emailed before')
  await shown.getByLabelText('Status').selectOptions('Sent, template (1)')
  await expect.element(rows).toHaveLength(2)
  await expect
    .element(shown.getByRole('row', { name: /Finn Holm/ }))
    .toMatchTextContent('No language model is set up.')
  await shown.getByRole('button', { name: 'Close' }).click()
  await expectSound()
  await card.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(card).not.toBeInTheDocument()
  expect(localStorage.getItem('outreach.dismissedRun')).toBe('7')
})
