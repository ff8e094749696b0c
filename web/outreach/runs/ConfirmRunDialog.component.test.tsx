import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import { outreach, preview, type Preview } from '#contract/outreach/runs.ts'
import { houseTemplate, template, templates } from '#contract/outreach/templates.ts'
import { blank, blankReply } from '../../../tests/support/blank-reply.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { ACCOUNT } from '../../../tests/support/fake-mailbox.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { GenerateAndSend } from './GenerateAndSend.tsx'

type Estimate = ReplyOf<typeof outreach.estimate>

const NAMES = ['Anna Berg', 'Ben Ott', 'Cleo Roth']
const FAIR = blank(template, { id: 1, name: 'After the fair', subject: 'The fair', body: 'Hello' })
const BREAD = { ...FAIR, id: 2, name: 'Bread' }
const OPEN = { ...FAIR, id: 3, name: 'Not finished' }
const HARBOUR = 'Please replace what stands in square brackets first: [the harbour].'

const OFFICE = { ...ACCOUNT, id: 2, address: 'office@muster.example', primary: false, default: false }

const question = page.getByRole('dialog', { name: /^Send to/ })
const within = (name: string | RegExp) => question.getByRole('button', { name, exact: true })
const choice = question.getByRole('combobox', { name: 'Written from' })
const annas = question.getByRole('region', { name: 'Email to Anna Berg' })

const estimate = (fields: Partial<Estimate>): Estimate => ({
  ...blankReply(outreach.estimate),
  contacts: 3,
  to_send: 3,
  configured: true,
  practice: true,
  links_reach: true,
  ...fields,
})

/** A server with three contacts, which keeps what is done with the first mails. */
function runApi(first: Partial<Preview> = {}): FakeApi {
  let mails: Preview[] = NAMES.map((name, at) =>
    blank(preview, { contact_id: at + 1, name, subject: 'Hello', body: 'Words', text: `Words for ${name}` }),
  )
  mails = mails.map((mail, at) => (at === 0 ? { ...mail, ...first } : mail))
  const leftOut = () => mails.filter((mail) => mail.left_out).length
  return fakeApi()
    .answers(emails.health, { ...blankReply(emails.health), configured: true })
    .answers(outreach.estimate, ({ query }) => {
      const counted = {
        left_out: leftOut(),
        to_send: 3 - leftOut(),
        edited: mails.filter((mail) => mail.edited).length,
      }
      if (query.template_id === '3') return estimate({ template: { name: OPEN.name, fault: HARBOUR } })
      if (query.template_id === '2')
        return estimate({
          to_send: 2,
          with_gap: 1,
          gaps: [{ field: 'company', contacts: 1, names: ['Ben Ott'] }],
          template: { name: BREAD.name, fault: null },
        })
      return estimate({
        ...counted,
        template: query.template_id === '1' ? { name: FAIR.name, fault: null } : null,
      })
    })
    .answers(outreach.previews, () => mails)
    .answers(outreach.changePreview, ({ params, body }) => {
      const at = Number(params['id']) - 1
      const { template_id: _, ...change } = body
      const isEdit = change.subject !== undefined
      const changed = {
        ...mails[at],
        ...change,
        ...(isEdit ? { edited: true, text: change.body } : {}),
      } as Preview
      mails = mails.with(at, changed)
      return changed
    })
    .answers(outreach.discardPreview, () => {
      mails = mails.with(0, {
        ...(mails[0] as Preview),
        edited: false,
        outdated: false,
        text: 'Hotel Mond, too.',
      })
      return { ok: true }
    })
    .answers(mailboxes.get)
    .answers(mailboxes.accounts)
    .answers(briefs.get)
    .answers(templates.list, [FAIR, BREAD, OPEN])
    .answers(templates.house, [blank(houseTemplate, { key: 'thanks', name: 'Thanks' })])
}

async function openRun(api: FakeApi): Promise<FakeApi> {
  show(<GenerateAndSend />)
  await page.getByRole('button', { name: 'Generate & Send Emails' }).click()
  await expect.element(question).toBeVisible()
  return api
}

test('a template that is not finished is not sent, and leads to where it is written', async () => {
  await openRun(runApi())
  await expect.element(question).toMatchTextContent('These emails introduce you')
  await choice.selectOptions(OPEN.name)
  await expect.element(choice).toHaveAccessibleDescription(HARBOUR)
  const send = question.getByRole('button', { name: /^Send to/ })
  await expect.element(send).toBeDisabled()
  await expect.element(within('See the first emails')).not.toBeInTheDocument()
  await expect.element(question.getByRole('link', { name: 'Open the template' })).toBeVisible()
  await expectSound('[role=dialog]')
  await choice.selectOptions('Thanks')
  await expect.element(send).toBeDisabled()
  await expect
    .element(choice)
    .toHaveAccessibleDescription('It shows examples in square brackets. Put your own words there first.')
  await choice.selectOptions('About you')
  await expect.element(send).toBeEnabled()
  await choice.selectOptions('Thanks')
  await expect
    .element(question.getByRole('link', { name: 'Make it yours' }))
    .toHaveAttribute('href', '/outreach/templates/new?from=thanks')
})

test('who would get a gap is named before, and gets none', async () => {
  await openRun(runApi())
  await choice.selectOptions(BREAD.name)
  await expect
    .element(question)
    .toMatchTextContent('1 contact would have a gap in their email, and get none.')
  await expect.element(question).toMatchTextContent('The company is not known of one contact: Ben Ott.')
  await expect.element(question).toMatchTextContent('1 of 3 contacts: 1 with a gap in the template')
  await expect.element(within('Send to 2 contacts')).toBeEnabled()
  await expectSound('[role=dialog]')
})

test('the choice is made by keyboard alone', async () => {
  await openRun(runApi())
  await expect.element(choice.getByRole('option', { name: FAIR.name })).toBeInTheDocument()
  choice.element().focus()
  await userEvent.keyboard('Afte')
  await expect.element(choice).toHaveDisplayValue(FAIR.name)
  await expect
    .element(question)
    .toMatchTextContent('Your template “After the fair”, filled in for each contact')
  await expect.element(choice).toHaveFocus()
})

test('an email that is being written is kept until it is saved or cancelled', async () => {
  const api = await openRun(runApi())
  await within('See the first emails').click()
  await within('Edit the email to Anna Berg').click()
  const form = question.getByRole('form', { name: 'Edit the email to Anna Berg' })
  await expect.element(form.getByLabelText('Subject')).toHaveFocus()
  await expect.element(within('Send to 3 contacts')).toBeDisabled()
  await expectSound('[role=dialog]')
  await form.getByLabelText('Subject').fill('Bread on the terrace')
  await form.getByLabelText('Text').fill('I had coffee at your place on Friday.')
  await userEvent.keyboard('{Escape}')
  await expect.element(toast('Save or cancel your change to the email first.')).toBeVisible()
  await choice.selectOptions(FAIR.name)
  await expect.element(choice).toHaveDisplayValue('About you')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(question.getByText('Changed by you', { exact: true })).toBeVisible()
  await expect.element(annas).toMatchTextContent('I had coffee at your place on Friday.')
  await expect.element(question).toMatchTextContent('1 email, by you')
  expect(api.calls(outreach.changePreview).map(({ body }) => body)).toMatchObject([
    { subject: 'Bread on the terrace', body: 'I had coffee at your place on Friday.' },
  ])
})

test('an email that was changed says when it is older than “About you”, and can be written again', async () => {
  await openRun(runApi({ edited: true, outdated: true, text: 'My own words for Anna.' }))
  await within('See the first emails').click()
  await expect.element(question.getByText('Older version', { exact: true })).toBeVisible()
  await expect.element(annas).toMatchTextContent('My own words for Anna.')
  await within('Write it again, the email to Anna Berg').click()
  await expect.element(annas).toMatchTextContent('Hotel Mond, too.')
  await expect.element(question.getByText('Changed by you', { exact: true })).not.toBeInTheDocument()
})

test('whoever has left out everybody can take them back in', async () => {
  await openRun(runApi())
  await within('See the first emails').click()
  for (const name of NAMES) {
    if (name !== 'Anna Berg') await question.getByRole('button', { name }).first().click()
    await within(`Leave out ${name}`).click()
    await expect.element(within(`Write to them after all, ${name}`)).toBeVisible()
  }
  await expect.element(within('Send to 0 contacts')).toBeDisabled()
  await expectSound('[role=dialog]')
  await within('Write to them after all, Ben Ott').click()
  await expect.element(page.getByRole('dialog', { name: 'Send to 1 contact?' })).toBeVisible()
})

test('of two changes the figures of the later one stay, even if they come first', async () => {
  const api = await openRun(runApi())
  await within('See the first emails').click()
  const slow = Promise.withResolvers<void>()
  let asked = 0
  await expect.element(within('Leave out Anna Berg')).toBeVisible()
  api.responds(outreach.estimate, async () => {
    asked += 1
    await slow.promise
    return Response.json(estimate({ left_out: 1, to_send: 2 }))
  })
  await within('Leave out Anna Berg').click()
  await expect.poll(() => asked).toBeGreaterThan(0)
  api.answers(outreach.estimate, estimate({ left_out: 2, to_send: 1 }))
  await question.getByRole('button', { name: 'Ben Ott' }).first().click()
  await within('Leave out Ben Ott').click()
  const one = page.getByRole('dialog', { name: 'Send to 1 contact?' })
  await expect.element(one).toBeVisible()
  slow.resolve()
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  await expect.element(one).toBeVisible()
})

test('a run asks which account it is to send from, and says how long that takes', async () => {
  const api = runApi()
    .answers(outreach.estimate, ({ query }) => estimate({ seconds: query.mailbox_id === '2' ? 60 : 7200 }))
    .answers(mailboxes.get, { ...blankReply(mailboxes.get), configured: true })
    .answers(mailboxes.accounts, [ACCOUNT, OFFICE])
    .never(outreach.generateAndSend)
  await openRun(api)
  const from = question.getByRole('combobox', { name: 'Send from' })
  await expect.element(from).toHaveDisplayValue(ACCOUNT.address)
  await from.selectOptions(OFFICE.address)
  await expect.element(question.getByText('About 1 minute')).toBeVisible()
  await expectSound('[role=dialog]')
  await question.getByRole('button', { name: 'Send to 3 contacts' }).click()
  await expect
    .poll(() => api.calls(outreach.generateAndSend).map(({ body }) => body))
    .toMatchObject([{ mailbox_id: 2 }])
})

test('what was chosen in a dialog that was cancelled does not come into the next one', async () => {
  const api = runApi()
    .answers(mailboxes.get, { ...blankReply(mailboxes.get), configured: true })
    .answers(mailboxes.accounts, [ACCOUNT, OFFICE])
    .never(outreach.generateAndSend)
  await openRun(api)
  const from = question.getByRole('combobox', { name: 'Send from' })
  const slow = Promise.withResolvers<Response>()
  api.responds(outreach.estimate, () => slow.promise)
  await from.selectOptions(OFFICE.address)
  await expect.poll(() => api.calls(outreach.estimate).at(-1)?.query).toMatchObject({ mailbox_id: '2' })
  await within('Cancel').click()
  await expect.element(question).not.toBeInTheDocument()
  api.answers(outreach.estimate, estimate({}))
  await page.getByRole('button', { name: 'Generate & Send Emails' }).click()
  await expect.element(from).toHaveDisplayValue(ACCOUNT.address)
  slow.resolve(Response.json(estimate({})))
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  await question.getByRole('button', { name: 'Send to 3 contacts' }).click()
  await expect.poll(() => api.calls(outreach.generateAndSend)).toHaveLength(1)
  expect(api.calls(outreach.generateAndSend)[0]?.body).not.toMatchObject({ mailbox_id: OFFICE.id })
})

test('a dialog that is opened again lists first emails of its own, though others were still being written', async () => {
  const api = await openRun(runApi())
  const slow = Promise.withResolvers<Response>()
  api.responds(outreach.previews, () => slow.promise)
  await within('See the first emails').click()
  await choice.selectOptions(FAIR.name)
  await expect.poll(() => api.calls(outreach.estimate).at(-1)?.query).toMatchObject({ template_id: '1' })
  slow.resolve(Response.json([]))
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  await expect.element(within('See the first emails')).toBeVisible()
})

const spread = { sent_lately: 12, days: 5, recommended: true, selected: true }
const today = question.getByRole('radio', { name: 'Send all today' })
const overDays = question.getByRole('radio', { name: /^Spread over/ })
/** A server whose office address has a choice of its own; nothing is ever answered to the run. */
const spreadApi = (fields: Partial<typeof spread> = {}) =>
  runApi()
    .answers(outreach.estimate, ({ query }) =>
      estimate({
        to_send: 200,
        seconds: 60,
        spread: query.mailbox_id === '2' ? { ...spread, selected: false } : { ...spread, ...fields },
      }),
    )
    .never(outreach.generateAndSend)
const started = (api: FakeApi) => api.calls(outreach.generateAndSend).map(({ body }) => body)
const sendAll = question.getByRole('button', { name: 'Send to 200 contacts' })

test('a large run from a new address is recommended to go over several days', async () => {
  onTestFinished(() => page.viewport(1440, 900))
  await page.viewport(390, 844)
  const api = await openRun(spreadApi())
  await expect.element(overDays).toHaveAccessibleName('Spread over 5 days (recommended for a new address)')
  await expect.element(overDays).toBeChecked()
  await expect
    .element(question.getByRole('group', { name: 'Sending pace' }))
    .toHaveAccessibleDescription('12 emails were sent from this address in the last 30 days.')
  // How long it takes is said by the choice.
  await expect.element(question.getByText('About 1 minute')).not.toBeInTheDocument()
  await expectSound('[role=dialog]')
  await sendAll.click()
  await expect.poll(() => started(api)).toEqual([{ spread: true }])
})

test('by keyboard alone all emails are sent today instead', async () => {
  const api = await openRun(spreadApi())
  overDays.element().focus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(today).toBeChecked()
  await expect.element(today).toHaveFocus()
  await expect.element(question.getByText('About 1 minute')).toBeVisible()
  sendAll.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => started(api)).toEqual([{ spread: false }])
})

test('what was chosen the last time is proposed, with nothing recommended to a known address', async () => {
  await openRun(spreadApi({ recommended: false, selected: false, sent_lately: 1 }))
  await expect.element(today).toBeChecked()
  await expect.element(overDays).toHaveAccessibleName('Spread over 5 days')
  await expect.element(question).toMatchTextContent('1 email was sent from this address in the last 30 days.')
})

test('another account has a choice of its own', async () => {
  const api = spreadApi()
    .answers(mailboxes.get, { ...blankReply(mailboxes.get), configured: true })
    .answers(mailboxes.accounts, [ACCOUNT, OFFICE])
  await openRun(api)
  await today.click()
  await overDays.click()
  await question.getByRole('combobox', { name: 'Send from' }).selectOptions(OFFICE.address)
  await expect.element(today).toBeChecked()
  await sendAll.click()
  await expect.poll(() => started(api)).toEqual([{ mailbox_id: 2, spread: false }])
})

test('a run that fits into today asks for no pace', async () => {
  const api = await openRun(runApi().never(outreach.generateAndSend))
  await expect.element(within('Send to 3 contacts')).toBeEnabled()
  await expect.element(today).not.toBeInTheDocument()
  await within('Send to 3 contacts').click()
  await expect.poll(() => started(api)).toEqual([undefined])
})
