import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { MAIL } from '../../../tests/support/a-mail.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { toast } from '../../../tests/support/component-page.tsx'
import {
  button,
  dialog,
  fakeMailbox,
  folder,
  opened,
  openMail,
  stopDate,
} from '../../../tests/support/fake-mailbox.ts'
import { answersWriting, compose, content, to, write } from '../../../tests/support/fake-writing.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const BEN = 'ben@garden.example'
const keys = (text: string) => userEvent.keyboard(text)
const writing = () => answersWriting(fakeMailbox())
const alert = compose.getByRole('alert')

test('what is wrong is said beside its field', async () => {
  const api = writing()
  await openMail()
  await write({ to: 'nobody', subject: '', content: '' })
  await button(compose, 'Send Email').click()
  await expect.element(compose).toMatchTextContent('Please enter a valid email address')
  await expect.element(compose).toMatchTextContent('Please enter a subject')
  await expect.element(compose).toMatchTextContent('Please write something')
  await expect.element(to(compose)).toHaveFocus()
  await expectSound('[role=dialog]')
  await to(compose).fill('ben@garden.example')
  await compose.getByLabelText('Subject').fill('Tulips')
  await expect.element(compose).not.toMatchTextContent('Please enter a subject')
  await content(compose).fill('Three')
  // Half a draft is not sent by Enter.
  await compose.getByLabelText('Subject').click()
  await keys('{Enter}')
  await expect.element(compose).toBeVisible()
  expect(api.calls(emails.send)).toEqual([])
})

test('a draft is written by keyboard alone', async () => {
  const api = writing()
  await openMail()
  await page.getByRole('heading', { level: 1 }).click()
  await keys('c')
  await expect.element(to(compose)).toHaveFocus()
  await expect.element(content(compose)).toBeVisible()
  await keys('ben@garden.example{Tab}Tulips{Tab}Three boxes, {Tab}')
  await expect.element(button(compose, 'Bold')).toHaveFocus()
  await keys('{ArrowRight}')
  await expect.element(button(compose, 'Italic')).toHaveFocus()
  await keys('{Enter}')
  await expect.element(content(compose)).toHaveFocus()
  await keys('please')
  await expect.element(button(compose, 'Italic')).toHaveAttribute('aria-pressed', 'true')
  await keys('{Control>}{Enter}{/Control}')
  await expect.element(toast('Email sent')).toBeVisible()
  await expect.element(compose).not.toBeInTheDocument()
  expect(api.calls(emails.send).map(({ body }) => body)).toMatchObject([
    { to: 'ben@garden.example', subject: 'Tulips', content: 'Three boxes, please' },
  ])
  expect(api.calls(emails.send)[0]?.body?.html).toContain('<em>please</em>')
})

test.each([
  [400, 'The mail server refused this mail: 550 No such user', {}],
  [503, 'There is no room left on the server, so this could not be kept.', { code: 'UNAVAILABLE' }],
] as const)(
  'a refusal (%i) is said in the draft, which stays; the same again is a slip',
  async (status, detail, more) => {
    stopDate()
    const api = writing().refuses(emails.send, status, detail, more)
    await openMail()
    await write()
    await button(compose, 'Send Email').click()
    await expect.element(alert).toHaveTextContent(detail)
    await button(compose, 'Send Email').click()
    await expect.element(toast('Duplicate click ignored')).toBeVisible()
    await expect.element(content(compose)).toHaveTextContent('Three boxes, please.')
    api.fails(emails.send)
    await compose.getByLabelText('Subject').fill('Tulips!')
    await button(compose, 'Send Email').click()
    await expect.element(alert).toHaveTextContent('Failed to send email')
  },
)

test('a double click is one mail, known by recipient, subject and text', async () => {
  const api = writing()
  await openMail()
  await write({ subject: 'Roses' })
  await button(compose, 'Send Email').dblClick()
  await expect.element(toast('Email sent')).toBeVisible()
  // In characters that any header can carry.
  expect(api.calls(emails.send).map(({ headers }) => headers.get('Idempotency-Key'))).toEqual([
    'ben@garden.example-Roses-Three_boxes_please.',
  ])
})

test('a draft that cannot be kept stays open and says so', async () => {
  const api = writing().fails(emails.saveDraft)
  await openMail()
  await write()
  await expect.element(compose.getByText('Not saved yet')).toBeVisible()
  await keys('{Escape}')
  await expect.element(alert).toHaveTextContent('Failed to save draft')
  await expect.element(content(compose)).toHaveTextContent('Three boxes, please.')
  answersWriting(api)
  await keys('{Escape}')
  await expect.element(toast('Kept in Drafts')).toBeVisible()
  await expect.element(compose).not.toBeInTheDocument()
})

test('half a draft is not saved by its button; Cancel throws away what was kept', async () => {
  const api = writing()
  await openMail()
  await write({ content: '' })
  await button(compose, 'Save Draft').click()
  await expect.element(alert).toHaveTextContent('Please fill in all required fields before saving draft')
  await expect.element(compose.getByText('Saved in Drafts')).toBeVisible()
  await button(compose, 'Cancel').click()
  await expect.element(compose).not.toBeInTheDocument()
  await expect.poll(() => api.calls(emails.discard).map(({ params }) => params)).toEqual([{ id: '70' }])
})

test('without a mailbox the settings are explained, and nothing typed is lost', async () => {
  writing()
    .answers(mailboxes.get)
    .answers(mailboxes.accounts, [])
    .refuses(emails.send, 400, 'x', { code: 'SMTP_NOT_CONFIGURED' })
  await openMail()
  await write()
  const needed = dialog('Email Configuration Required')
  await expect.element(compose.getByRole('status', { name: 'From' })).toHaveTextContent('you@example.com')
  await button(compose, 'Connect your mailbox').click()
  await expect.element(needed).toBeVisible()
  await expectSound('[role=dialog]')
  await button(needed, 'Maybe Later').click()
  await expect.element(content(compose)).toHaveTextContent('Three boxes, please.')
  await button(compose, 'Send Email').click()
  await expect.element(needed).toBeVisible()
  await expect.element(compose).not.toBeInTheDocument()
  await button(needed, 'Maybe Later').click()
  await expect.element(content(compose)).toHaveTextContent('Three boxes, please.')
})

test('send later: what is proposed, another time, and what is none', async () => {
  const api = writing()
  await openMail()
  await write()
  await button(compose, 'Send later').click()
  const later = dialog('Send later')
  await expect.element(later).toMatchTextContent('Europe/Berlin')
  await expect.element(later.getByRole('button', { name: /^Tomorrow morning.*08:00/ })).toBeVisible()
  await button(later, 'Schedule').click()
  await expect.element(later).toMatchTextContent('Please choose a day and a time')
  await later.getByLabelText('Day').fill('2020-01-01')
  await button(later, 'Schedule').click()
  await expect.element(later).toMatchTextContent('Please choose a time in the future')
  await expectSound('[role=dialog]')
  await keys('{Escape}')
  await expect.element(content(compose)).toHaveTextContent('Three boxes, please.')
  await button(compose, 'Send later').click()
  await later.getByLabelText('Day').fill('2099-01-05')
  await button(later, 'Schedule').click()
  await expect.element(toast('Email scheduled')).toBeVisible()
  await expect.element(folder('Scheduled')).toHaveAttribute('aria-current', 'page')
  expect(api.calls(emails.send).map(({ body }) => body)).toMatchObject([
    { subject: 'Tulips', schedule_at: '2099-01-05T08:00:00.000Z' },
  ])
})

const SIGNED = {
  ...blankReply(auth.me),
  id: 1,
  name: 'Eve Muster',
  email: 'eve@howl.example',
  signature: 'Eve Muster\nMuster Ltd, Berlin',
}

test('a signature stands below what is written, and alone makes no draft', async () => {
  const api = writing().answers(auth.me, SIGNED)
  await openMail()
  await button(page, 'Compose').click()
  await expect.element(content(compose)).toMatchTextContent(/-- ?Eve MusterMuster Ltd, Berlin/)
  await keys('{Escape}')
  await expect.element(compose).not.toBeInTheDocument()
  expect(api.calls(emails.saveDraft)).toEqual([])
})

test('an answer begins above the signature', async () => {
  const api = answersWriting(fakeMailbox({ subject: 'Roses', from: 'ben@garden.example' })).answers(
    auth.me,
    SIGNED,
  )
  await openMail('Roses')
  await keys('r')
  const reply = dialog('Reply')
  await expect.element(content(reply)).toHaveFocus()
  await keys('Twelve, please.')
  await button(reply, 'Send Email').click()
  await expect.element(toast('Reply sent (question)')).toBeVisible()
  expect(api.calls(emails.send)[0]?.body).toMatchObject({
    content: 'Twelve, please.\n\n-- \nEve Muster\nMuster Ltd, Berlin',
    quote_of: 1,
  })
})

test('once Send is pressed, a draft that is still being kept cannot be given up', async () => {
  const api = writing()
  const { promise: held, resolve: answer } = Promise.withResolvers<Response>()
  api.responds(emails.saveDraft, () => held)
  await openMail()
  await write()
  await expect.element(compose.getByText('Saving…')).toBeVisible()
  await button(compose, 'Send Email').click()
  await expect.element(button(compose, 'Cancel')).toBeDisabled()
  await keys('{Escape}')
  await expect.element(compose).toBeVisible()
  answer(Response.json({ ...MAIL, id: 70, status: 'draft' }))
  await expect.element(toast('Email sent')).toBeVisible()
  expect(api.calls(emails.send)[0]?.body).toMatchObject({ draft_id: 70 })
})

/** A fake server that keeps what is saved into its one draft. */
function withDraft() {
  const box = fakeMailbox({ subject: 'Tulips', status: 'draft', to: BEN, content: 'Three boxes' })
  const [draft] = box.mails
  const keep = (content: string | undefined) => Object.assign(draft!, { content })
  return answersWriting(box).answers(emails.update, ({ body }) => keep(body?.content))
}

test('a draft that is opened again holds what was kept a moment ago', async () => {
  withDraft()
  await openMail('Tulips', 'Drafts')
  const edit = dialog('Edit draft')
  await button(opened('Tulips'), 'Edit draft').click()
  await content(edit).fill('Five boxes')
  await button(edit, 'Close').click()
  await expect.element(edit).not.toBeInTheDocument()
  await button(opened('Tulips'), 'Edit draft').click()
  await expect.element(content(edit)).toHaveTextContent('Five boxes')
})

test('a draft that is given up is what it was before it can be opened again', async () => {
  const api = withDraft()
  await openMail('Tulips', 'Drafts')
  const edit = dialog('Edit draft')
  await button(opened('Tulips'), 'Edit draft').click()
  await content(edit).fill('Five boxes')
  await expect.element(edit.getByText('Saved in Drafts')).toBeVisible()
  const { promise: held, resolve: answer } = Promise.withResolvers<Response>()
  api.responds(emails.update, () => held)
  await button(edit, 'Cancel').click()
  await expect.element(button(edit, 'Cancel')).toBeDisabled()
  answer(Response.json({ detail: 'The draft is locked' }, { status: 409 }))
  await expect.element(toast('The draft is locked')).toBeVisible()
  await expect.element(edit).not.toBeInTheDocument()
  expect(api.calls(emails.update).map(({ body }) => body?.content)).toEqual(['Five boxes', 'Three boxes'])
})
