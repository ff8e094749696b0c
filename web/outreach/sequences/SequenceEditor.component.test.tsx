import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { tags } from '#contract/crm/tags.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import {
  type Sequence,
  sequence,
  SEQUENCE_DEFAULTS,
  sequences,
  sequenceSummary,
  type SequenceStep,
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
  body: '{{ greeting }},\n\nwe bake on Monday.',
  same_conversation: false,
}
const CALL: SequenceStep = { id: 3, kind: 'task', title: 'Call {{ name }}', due_in_days: 0 }
const DRAFT: Sequence = blank(sequence, {
  ...SEQUENCE_DEFAULTS,
  id: 4,
  name: 'Slow bread',
  state: 'draft',
  steps: [{ id: 2, kind: 'wait', amount: 30, unit: 'days' }, MAIL, CALL],
  updated_at: '2027-03-01T08:00:00Z',
})
const ADDRESS = '/outreach/sequences/4'

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const steps = () => page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
const step = (number: number) => page.getByRole('region', { name: `Step ${number}`, exact: true })
const region = (name: string) => page.getByRole('region', { name, exact: true })
const name = () => page.getByRole('textbox', { name: 'Name' })

/** A server that keeps the draft as it is saved. */
function draftApi(draft = DRAFT): FakeApi {
  let kept = draft
  return fakeApi()
    .answers(sequences.list)
    .answers(sequences.get, () => kept)
    .answers(sequences.update, ({ body }) => {
      const { under_way: _, version: __, ...changes } = body
      kept = {
        ...kept,
        ...changes,
        version: kept.version + 1,
        updated_at: '2027-03-01T09:00:00Z',
      } as Sequence
      return kept
    })
    .answers(sequences.check, { ready: true, problems: [] })
    .answers(sequences.forecast, {
      ...blankReply(sequences.forecast),
      mails: 100,
      days: [
        { day: '2027-03-02', mails: 60 },
        { day: '2027-03-04', mails: 40 },
      ],
      complete: true,
      last_at: '2027-03-04T10:00:00Z',
    })
    .answers(templates.list)
    .answers(templates.values)
    .answers(tags.list)
    .answers(mailboxes.accounts)
    .answers(automaticMail.accounts)
    .answers(mailboxes.get)
    .answers(briefs.get)
}

test('steps are added between others, moved by keys, taken back and lead only on', async () => {
  draftApi()
  openPage(ADDRESS)
  await button('Add a step before step 2').click()
  await page.getByRole('menuitem', { name: 'Condition' }).click()
  const condition = step(2)
  await condition.getByRole('combobox', { name: 'If', exact: true }).selectOptions('They have a tag')
  await condition.getByRole('combobox', { name: 'Tag' }).fill('Customer')
  await userEvent.keyboard('{Enter}')
  await condition.getByRole('combobox', { name: 'If so' }).selectOptions(String(CALL.id))
  await condition.getByRole('combobox', { name: 'Otherwise' }).selectOptions('Go on with the next step')
  const words = condition.getByRole('button', { name: /If they have the tag/ })
  await expect.element(words).toMatchTextContent('If so, go on with step 4. Otherwise, go on with step 3.')
  // Below the step that it led to it can only lead on.
  words.element().focus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await expect.element(step(3).getByRole('button', { name: /If they have the tag/ })).toHaveFocus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  const moved = step(4).getByRole('button', { name: /If they have the tag/ })
  await expect.element(moved).toHaveFocus()
  await expect.element(moved).toMatchTextContent('If so, it ends here. Otherwise, it ends here.')

  await button('Remove step 3').click()
  await expect.element(steps()).toHaveLength(3)
  await page
    .getByRole('status')
    .filter({ hasText: 'Step removed' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect.element(steps()).toHaveLength(4)
})

test('what is wrong is said at its field and not saved; what is right is saved as it is shown', async () => {
  const api = draftApi()
  openPage(ADDRESS)
  await step(1).getByRole('button', { name: /Wait/ }).click()
  const howLong = step(1).getByRole('textbox', { name: 'How long' })
  await howLong.fill('soon')
  await button('Save').click()
  await expect
    .element(page.getByRole('main').getByRole('alert'))
    .toMatchTextContent('Step 1: Please enter a whole number from 1 to 365')
  expect(api.calls(sequences.update)).toEqual([])
  await howLong.fill('3')

  await page.getByRole('link', { name: 'All sequences' }).click()
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  const hours = region('When it writes')
  await hours.getByRole('combobox', { name: 'From', exact: true }).selectOptions('22:00')
  await hours.getByRole('combobox', { name: 'Until', exact: true }).selectOptions('06:00 next day')
  await expect.element(hours).toMatchTextContent('It writes 22:00 to 06:00 of the next day.')
  await button('Let it begin by itself').click()
  await region('How it begins')
    .getByRole('combobox', { name: 'Beginning 1' })
    .selectOptions('a new contact is added')
  await button('Save').click()
  await expect.element(toast('Sequence saved')).toBeVisible()
  expect(api.calls(sequences.update).map(({ body }) => body)).toMatchObject([
    {
      steps: [{ kind: 'wait', amount: 3 }, { kind: 'mail' }, { kind: 'task' }],
      hours: { from_hour: 22, until_hour: 6 },
      starts: [{ on: 'contact' }],
    },
  ])

  api.answers(sequences.remove, { ok: true })
  await button('Delete').click()
  await page
    .getByRole('dialog', { name: 'Delete “Slow bread”?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect.element(page.getByText('Emails that follow each other by themselves')).toBeVisible()
  expect(location.pathname).toBe('/outreach/sequences')
})

test('what was saved is there for whoever comes back to it', async () => {
  const api = draftApi()
  openPage(ADDRESS)
  await name().fill('Slower bread')
  await button('Remove step 3').click()
  await button('Save').click()
  await expect.element(toast('Sequence saved')).toBeVisible()
  api.answers(sequences.list, [
    blank(sequenceSummary, { id: DRAFT.id, name: 'Slower bread', state: 'draft' }),
  ])
  await page.getByRole('link', { name: 'All sequences' }).click()
  await page.getByRole('link', { name: 'Slower bread' }).click()
  await expect.element(name()).toHaveValue('Slower bread')
  await expect.element(steps()).toHaveLength(2)
})

test('what is being written is kept when another tab saves, and only what was changed is saved', async () => {
  const api = draftApi()
  openPage(ADDRESS)
  await page.getByRole('checkbox', { name: 'They pay an invoice' }).click()
  const before = api.calls(sequences.get).length
  api.answers(sequences.get, { ...DRAFT, name: 'Bread in spring', updated_at: '2027-03-01T08:30:00Z' })
  api.tells({ topic: 'outreach' })
  await expect.poll(() => api.calls(sequences.get).length).toBeGreaterThan(before)
  await expect.element(page.getByRole('checkbox', { name: 'They pay an invoice' })).not.toBeChecked()
  await button('Save').click()
  await expect.element(toast('Sequence saved')).toBeVisible()
  expect(api.calls(sequences.update).map(({ body }) => body)).toEqual([
    { stops: { ...DRAFT.stops, payment: false }, version: DRAFT.version },
  ])
})

test('it cannot start with what hinders it, and says with how many it begins', async () => {
  const api = draftApi({ ...DRAFT, members: { active: 2, paused: 0, done: 0, stopped: 0 } })
    .answers(sequences.members)
    .answers(sequences.figures)
    .answers(sequences.check, {
      ready: false,
      problems: [{ kind: 'stop', step: 1, message: 'An example in [ ] is left.', contacts: 0, names: [] }],
    })
  openPage(ADDRESS)
  await button('Start…').click()
  const start = page.getByRole('dialog', { name: 'Start “Slow bread”' })
  await expect.element(start).toMatchTextContent('It begins with 2 contacts.')
  await expect.element(start).toMatchTextContent('Step 2: An example in [ ] is left.')
  await expect.element(start.getByRole('button', { name: 'Start', exact: true })).toBeDisabled()
  await expect.element(start.getByRole('figure', { name: 'Forecast' })).toMatchTextContent('Emails100')
  await expect
    .element(start)
    .toMatchTextContent('The last email leaves about 4 March, if it begins now and nobody replies.')
  await expectSound()
  await start.getByRole('button', { name: 'Cancel' }).click()
  expect(api.calls(sequences.start)).toEqual([])
})

test('the page without a sequence is sound', async () => {
  draftApi()
  openPage('/outreach/sequences')
  await expect.element(page.getByRole('list', { name: 'Begin with' })).toBeVisible()
  await expectSound()
})

test('the editor with an open step is sound', async () => {
  draftApi()
  openPage(ADDRESS)
  await step(2).getByRole('button', { name: /Email/ }).click()
  await expect.element(page.getByRole('article', { name: 'Preview of the mail' })).toBeVisible()
  await expect.element(page.getByRole('figure', { name: 'Forecast' })).toBeVisible()
  await expectSound()
})

test('failures are said and can be tried again', async () => {
  const busy = 'Howl is busy or restarting.'
  const api = draftApi().refuses(sequences.get, 503, busy, { code: 'UNAVAILABLE' })
  openPage(ADDRESS)
  await expect.element(page.getByRole('main').getByRole('alert')).toMatchTextContent(busy)
  api.answers(sequences.get, DRAFT).refuses(sequences.list, 503, busy, { code: 'UNAVAILABLE' })
  await button('Try again').click()
  await expect.element(step(1)).toBeVisible()
  await page.getByRole('link', { name: 'All sequences' }).click()
  await expect.element(page.getByRole('main').getByRole('alert')).toMatchTextContent(busy)
})

test('a sequence that does not exist is said to be none', async () => {
  draftApi().refuses(sequences.get, 404, 'There is none.', { code: 'NOT_FOUND' })
  openPage('/outreach/sequences/999999999')
  await expect.element(page.getByText('This sequence does not exist.')).toBeVisible()
})
