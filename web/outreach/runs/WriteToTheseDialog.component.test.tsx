import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mailAccount, mailboxes } from '#contract/mail/mailboxes.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import { batch, type Batch, outreach, preview } from '#contract/outreach/runs.ts'
import { templates } from '#contract/outreach/templates.ts'
import { currentToasts, dismissToast } from '#web/platform/ui/toast.ts'
import { blank, blankReply } from '../../../tests/support/blank-reply.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { WriteToTheseDialog } from './WriteToTheseDialog.tsx'

const THREE = {
  ...blankReply(outreach.estimateAudience),
  name: 'To 4 contacts tagged fair',
  contacts: 4,
  to_send: 3,
  configured: true,
  links_reach: true,
  skipped: [{ reason: 'On your do-not-mail list', contacts: 1, names: ['Dan'] }],
}
const RUN: Batch = blank(batch, {
  batch_id: 7,
  state: 'running',
  summary: { total: 5, sent: 0, errors: 0, skipped: 0, warnings: 0, pending: 5, unwritten: 5 },
})
const account = (id: number, address: string) =>
  blank(mailAccount, { id, address, connected: true, primary: id === 1, default: id === 1 })

const dialog = (name: string) => page.getByRole('dialog', { name })
const asked = dialog('Send to 3 contacts?')

function writeApi(): FakeApi {
  return fakeApi()
    .answers(outreach.estimateAudience, THREE)
    .answers(outreach.previews, [
      blank(preview, { contact_id: 1, name: 'Anna', subject: 'Hello', body: 'Words', text: 'Words' }),
    ])
    .answers(mailboxes.get)
    .answers(mailboxes.accounts, [account(1, 'sales@muster.example'), account(2, 'office@muster.example')])
    .answers(briefs.get)
    .answers(templates.list)
    .answers(templates.house)
}

/** The dialog of a page that would let go of it. */
function open(): string[] {
  const done: string[] = []
  show(
    <WriteToTheseDialog
      audience={{ filter: { tag: 'fair' } }}
      open
      onClose={() => done.push('closed')}
      onStarted={() => done.push('started')}
    />,
  )
  return done
}

test('who gets it and who is left out is shown before anything leaves', async () => {
  const api = writeApi().answers(outreach.generateAndSend, RUN)
  const done = open()
  await expect.element(asked).toMatchTextContent('To 4 contacts tagged fair')
  const out = asked.getByRole('region', { name: 'Left out: 1 of 4' })
  await expect.element(out.getByRole('listitem')).toMatchTextContent(/On your do-not-mail list.*1.*Dan/)
  await expectSound('[role=dialog]')
  await asked.getByRole('button', { name: 'Send to 3 contacts' }).click()
  await expect.poll(() => done).toContain('started')
  await expect
    .poll(() => api.calls(outreach.generateAndSend).map(({ body }) => body))
    .toEqual([{ audience: { filter: { tag: 'fair' } }, write_again: false, expected: 4, mailbox_id: 1 }])
})

test('a large run to these asks whether it is to go over several days', async () => {
  const spread = { sent_lately: 0, days: 4, recommended: true, selected: true }
  const api = writeApi()
    .answers(outreach.estimateAudience, { ...THREE, spread })
    .answers(outreach.generateAndSend, RUN)
  open()
  const pace = asked.getByRole('group', { name: 'Sending pace' })
  await expect
    .element(pace)
    .toHaveAccessibleDescription('Nothing was sent from this address in the last 30 days.')
  await expect
    .element(pace.getByRole('radio', { name: 'Spread over 4 days (recommended for a new address)' }))
    .toBeChecked()
  await pace.getByRole('radio', { name: 'Send all today' }).click()
  await expectSound('[role=dialog]')
  await asked.getByRole('button', { name: 'Send to 3 contacts' }).click()
  await expect
    .poll(() => api.calls(outreach.generateAndSend).map(({ body }) => body))
    .toMatchObject([{ spread: false }])
})

test('where nobody is left, nothing can be sent', async () => {
  writeApi().answers(outreach.estimateAudience, {
    ...THREE,
    to_send: 0,
    skipped: [{ reason: 'Emailed in the last 7 days', contacts: 4, names: ['Anna', 'Bert', 'Cleo'] }],
  })
  open()
  const nobody = dialog('Nobody to write to')
  await nobody.getByLabelText('Also write to those who were mailed before').click()
  await expect
    .element(nobody.getByRole('region', { name: 'Left out: 4 of 4' }))
    .toMatchTextContent('Emailed in the last 7 days')
  await expect.element(nobody.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
})

test('without a mail account the settings are asked for', async () => {
  writeApi().answers(outreach.estimateAudience, { ...THREE, configured: false })
  open()
  await expect.element(dialog('Email Configuration Required')).toBeVisible()
})

test('a first mail that is being written is not lost by leaving, by another choice or by another run', async () => {
  const api = writeApi()
  const done = open()
  await asked.getByRole('button', { name: 'See the first emails' }).click()
  await asked.getByRole('button', { name: 'Edit the email to Anna' }).click()
  const form = asked.getByRole('form', { name: 'Edit the email to Anna' })
  await form.getByLabelText('Subject').fill('Half a thought')

  const said = page
    .getByRole('alert')
    .or(page.getByRole('status'))
    .filter({ hasText: 'Save or cancel your change' })
  const from = asked.getByRole('combobox', { name: 'Send from' })
  const again = asked.getByLabelText('Also write to those who were mailed before')
  for (const leave of [
    () => userEvent.keyboard('{Escape}'),
    () => asked.getByRole('button', { name: 'Close' }).click(),
    () => asked.getByRole('button', { name: 'Cancel', exact: true }).last().click(),
    () => asked.getByRole('link', { name: 'Write a template' }).click(),
    () => from.selectOptions('office@muster.example'),
    () => again.click(),
  ]) {
    await leave()
    await expect.element(toast('Save or cancel your change to the email first.')).toBeVisible()
    await expect.element(form.getByLabelText('Subject')).toHaveValue('Half a thought')
    for (const { id } of currentToasts()) dismissToast(id)
    await expect.element(said).not.toBeInTheDocument()
  }
  await expect.element(from).toHaveDisplayValue('sales@muster.example')
  await expect.element(again).not.toBeChecked()
  expect(done).toEqual([])
  expect(location.pathname).toBe('/dashboard')

  // In another tab a run begins meanwhile.
  const sentence = 'A run is under way. Its emails can no longer be changed.'
  api.answers(outreach.current, RUN).refuses(outreach.changePreview, 409, sentence, { code: 'CONFLICT' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(form.getByText(sentence)).toBeVisible()
  await expect.element(form.getByLabelText('Subject')).toHaveValue('Half a thought')
})

test('while another run is under way, nothing is asked', async () => {
  writeApi().answers(outreach.current, RUN)
  open()
  await expect
    .element(dialog('Another run is under way'))
    .toMatchTextContent('Sending to 5 contacts. Wait until it is over, or cancel it, then write to these.')
})
