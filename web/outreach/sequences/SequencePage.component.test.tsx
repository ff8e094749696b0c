import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { contacts } from '#contract/crm/contacts.ts'
import { tags } from '#contract/crm/tags.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import {
  type Sequence,
  sequence,
  SEQUENCE_DEFAULTS,
  type SequenceMember,
  sequences,
  type SequenceStep,
  sequenceSummary,
} from '#contract/outreach/sequences.ts'
import { templates } from '#contract/outreach/templates.ts'
import { blank, blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const MAIL: SequenceStep = {
  id: 1,
  kind: 'mail',
  template_id: null,
  subject: 'Bread on Tuesdays',
  body: '{{ greeting }},\n\ndoes {{ company }} still bake on Mondays?',
  same_conversation: false,
}
const RUNNING: Sequence = blank(sequence, {
  ...SEQUENCE_DEFAULTS,
  id: 4,
  name: 'Slow bread',
  state: 'running',
  steps: [
    { id: 2, kind: 'wait', amount: 30, unit: 'days' },
    MAIL,
    { id: 3, kind: 'task', title: 'Call {{ name }}', due_in_days: 0 },
  ],
  members: { active: 2, paused: 0, done: 0, stopped: 0 },
  updated_at: '2027-03-01T08:00:00Z',
})
const ADDRESS = '/outreach/sequences/4'
const FIGURES = { sent: 0, replied: 0, positive: 0, bounced: 0, unsubscribed: 0 }
const NO_MAILS = blankReply(sequences.forecast)

const member = (id: number, name: string, fields: Partial<SequenceMember> = {}): SequenceMember => ({
  id,
  contact_id: id,
  name,
  email: `${name.toLowerCase()}@werk.example`,
  state: 'active',
  step: MAIL.id,
  version: 1,
  next_at: '2027-03-31T08:00:00Z',
  why: null,
  reason: null,
  started_by: 'hand',
  started_at: '2027-03-01T08:00:00Z',
  ended_at: null,
  ...fields,
})
const ANNA = member(1, 'Anna')
const BEN = member(2, 'Ben')

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })
const steps = () => page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
const row = (name: string) =>
  page.getByRole('table', { name: 'Contacts in it' }).getByRole('row').filter({ hasText: name })

function runningApi(running = RUNNING, members = [ANNA, BEN]): FakeApi {
  const waiting = (step: number, many: number, gaps = 0) => ({
    step,
    waiting: many,
    with_gap: gaps,
    ...FIGURES,
  })
  return fakeApi()
    .answers(sequences.list)
    .answers(sequences.get, running)
    .answers(sequences.members, ({ query }) =>
      members.filter(({ step }) => query.step === undefined || Number(query.step) === step),
    )
    .answers(sequences.figures, { total: FIGURES, steps: [waiting(1, 2)] })
    .answers(sequences.check, { ready: true, problems: [] })
    .answers(sequences.forecast, NO_MAILS)
    .answers(templates.list)
    .answers(templates.values)
    .answers(tags.list)
    .answers(mailboxes.accounts)
    .answers(mailboxes.get)
    .answers(automaticMail.accounts)
    .answers(briefs.get)
}

/** One contact waits because the email would have a gap. */
const withGap = (running = RUNNING): FakeApi =>
  runningApi(running, [ANNA, { ...BEN, why: 'company is not known' }]).answers(sequences.figures, {
    total: FIGURES,
    steps: [{ step: 1, waiting: 0, with_gap: 1, ...FIGURES }],
  })

test('a click on those who wait at a step shows them', async () => {
  runningApi()
  openPage(ADDRESS)
  await steps().nth(0).getByRole('button', { name: '2 waiting here', exact: true }).click()
  const next = page.getByRole('combobox', { name: 'Next step' })
  await expect.element(next).toHaveDisplayValue('2. Email: Bread on Tuesdays')
  for (const name of ['Anna', 'Ben']) await expect.element(row(name)).toBeVisible()
  await next.selectOptions('3. Task: Call (name)')
  await expect.element(page.getByText('Nobody is found')).toBeVisible()
  await next.selectOptions('At any step')
  await expect.element(row('Anna')).toBeVisible()
})

test('whoever would read a gap is told at the step, in the forecast and before it goes on', async () => {
  const api = withGap()
  openPage(ADDRESS)
  await button('1 with a gap in the email').click()
  await expect
    .element(page.getByRole('region', { name: 'Still to come' }))
    .toMatchTextContent(
      'Nobody else has an email before them. 1 contact with a gap in the email is not counted.',
    )
  await expect.element(row('Ben')).toMatchTextContent('company is not known')

  api.answers(sequences.pause, RUNNING).answers(sequences.get, { ...RUNNING, state: 'paused' })
  await button('Pause').click()
  await button('Go on…').click()
  const again = dialog('Go on with “Slow bread”')
  await expect.element(again).toMatchTextContent('1 contact with a gap in the email is not counted.')
  api.answers(sequences.start, RUNNING).answers(sequences.get, RUNNING)
  await again.getByRole('button', { name: 'Go on', exact: true }).click()
  await expect.element(toast('The sequence goes on')).toBeVisible()
})

test('changed steps reach those under way if that is chosen, and it is proposed where a gap waits', async () => {
  const api = withGap().answers(sequences.update, RUNNING)
  openPage(ADDRESS)
  await expect.element(button('1 with a gap in the email')).toBeVisible()
  await page.getByRole('link', { name: 'Edit' }).click()
  await button('Remove step 3').click()
  await button('Save').click()
  const asked = dialog('Save the changed steps')
  await expect
    .element(asked)
    .toMatchTextContent(
      '1 contact waits because the email would have a gap. A text without it reaches them only with the new steps.',
    )
  const isNew = asked.getByRole('radio', { name: /They go on with the new steps/ })
  await expect.element(isNew).toBeChecked()
  await asked.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => location.pathname).toBe(ADDRESS)
  expect(api.calls(sequences.update).map(({ body }) => body.under_way)).toEqual(['new'])
})

test('without a gap those under way finish with the old steps, unless the user chooses', async () => {
  const api = runningApi().answers(sequences.update, RUNNING)
  openPage(`${ADDRESS}/edit`)
  await button('Remove step 3').click()
  await button('Save').click()
  const asked = dialog('Save the changed steps')
  await expect.element(asked.getByRole('radio', { name: /They finish with the old steps/ })).toBeChecked()
  await asked.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => api.calls(sequences.update).map(({ body }) => body.under_way)).toEqual(['old'])
})

test('members are found by name, held and taken out, which can be undone', async () => {
  const ben = { ...BEN, state: 'paused' as const }
  const api = runningApi()
    .answers(sequences.members, ({ query }) => (query.search === 'ben' ? [ben] : [ANNA, ben]))
    .answers(sequences.act, { changed: 1, unchanged: 0 })
  openPage(ADDRESS)
  const act = async (what: string) => {
    await button('More actions for Anna').click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await expect.element(row('Anna')).toMatchTextContent('Under way')
  await act('Pause')
  await act('Take out')
  await expect.element(toast('1 contact taken out')).toBeVisible()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  await expect
    .poll(() => api.calls(sequences.act).map(({ body }) => body))
    .toEqual(['pause', 'take_out', 'undo_take_out'].map((each) => ({ ids: [ANNA.id], act: each })))
  await expect.element(row('Ben')).toMatchTextContent('Paused')
  await button('More actions for Ben').click()
  await page.getByRole('menuitem', { name: 'Go on' }).click()
  await expect.poll(() => api.calls(sequences.act).at(-1)?.body).toEqual({ ids: [BEN.id], act: 'go_on' })
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('ben')
  await expect.element(row('Anna')).not.toBeInTheDocument()
  await expect.element(row('Ben')).toBeVisible()
})

test('contacts are added by a filter, and those who were in it already are told of', async () => {
  const api = runningApi()
    .answers(contacts.count, { total: 2 })
    .answers(sequences.enrol, {
      warnings: [],
      others: 0,
      enrolment: '0b7c1c0e-3b1e-4a52-9c4e-1f4f6d2f8a11',
      enrolled: 1,
      skipped: 1,
      reasons: [{ reason: 'already_in', contacts: 1 }],
    })
  openPage(ADDRESS)
  await button('Add contacts').click()
  await dialog('Add contacts to “Slow bread”').getByRole('button', { name: 'Add 2 contacts' }).click()
  await expect.element(toast('1 contact added to “Slow bread”. 1 skipped: 1 in it already.')).toBeVisible()
  expect(api.calls(sequences.enrol).map(({ body }) => body)).toEqual([
    { filter: {}, expected: 2, on_warning: 'ask' },
  ])
})

test('before somebody is added whom the user is in touch with, it asks once', async () => {
  const nobody = { enrolment: null, enrolled: 0, skipped: 0, reasons: [] }
  const api = runningApi()
    .answers(contacts.count, { total: 39 })
    .answers(sequences.enrol, {
      ...nobody,
      warnings: [
        { reason: 'replied', contacts: 5, names: ['Ann', 'Ben', 'Cem'] },
        { reason: 'meeting', contacts: 1, names: ['Dora'] },
      ],
      others: 33,
    })
  openPage(ADDRESS)
  await button('Add contacts').click()
  await dialog('Add contacts to “Slow bread”').getByRole('button', { name: 'Add 39 contacts' }).click()
  const asks = dialog('Add 6 contacts you’re in touch with?')
  await expect.element(asks.getByText('5 have replied before: Ann, Ben, Cem and 2 more')).toBeVisible()
  await expect.element(asks.getByText('1 has a meeting coming up: Dora')).toBeVisible()
  await expect.element(asks.getByText(/33 other contacts will be added either way\.$/)).toBeVisible()
  // The question is read out, and a second press of Enter does not answer it.
  await expect.element(asks.getByRole('list')).toHaveFocus()
  api.answers(sequences.enrol, {
    ...nobody,
    warnings: [],
    others: 0,
    enrolled: 33,
    skipped: 6,
    reasons: [
      { reason: 'replied', contacts: 5 },
      { reason: 'meeting', contacts: 1 },
    ],
  })
  await asks.getByRole('button', { name: 'Skip them' }).click()
  await expect
    .element(
      toast(
        '33 contacts added to “Slow bread”. 6 skipped: 5 who replied before, 1 with a meeting coming up.',
      ),
    )
    .toBeVisible()
  expect(api.calls(sequences.enrol).at(-1)?.body).toEqual({ filter: {}, expected: 39, on_warning: 'skip' })
})

test('a sequence that runs is sound, and so is the list', async () => {
  runningApi()
    .answers(sequences.list, [
      blank(sequenceSummary, { id: RUNNING.id, name: RUNNING.name, state: 'running' }),
    ])
    .answers(sequences.forecast, {
      ...NO_MAILS,
      mails: 2,
      days: [{ day: '2027-03-31', mails: 2 }],
      complete: true,
      last_at: '2027-03-31T10:00:00Z',
    })
  openPage(ADDRESS)
  await expect.element(row('Anna')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Still to come' }).getByRole('figure')).toBeVisible()
  await expectSound()
  await page.getByRole('link', { name: 'All sequences' }).click()
  await expect.element(page.getByRole('link', { name: 'Slow bread' })).toBeVisible()
  await expectSound()
})
