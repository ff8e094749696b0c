import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { templates } from '#contract/outreach/templates.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { GenerateAndSend } from './GenerateAndSend.tsx'

const generate = page.getByRole('button', { name: 'Generate & Send Emails' })
const send = page.getByRole('button', { name: 'Send to 5 contacts', exact: true })
const needed = page.getByRole('dialog', { name: 'Email Configuration Required' })

/** A user who could write to five contacts at once. */
const readyApi = (): FakeApi =>
  fakeApi()
    .answers(emails.health, { ...blankReply(emails.health), configured: true })
    .answers(outreach.estimate, {
      ...blankReply(outreach.estimate),
      contacts: 5,
      to_send: 5,
      configured: true,
    })
    .answers(mailboxes.get)
    .answers(mailboxes.accounts)
    .answers(briefs.get)
    .answers(templates.list)
    .answers(templates.house)

test.each([
  [400, 'x', 'SMTP_NOT_CONFIGURED', 'Please configure your email settings before generating emails.', true],
  [
    400,
    'The SMTP password was not taken',
    undefined,
    'Email server configuration is missing or invalid. Please configure your email settings in Profile.',
    true,
  ],
  [400, 'You have no seat left.', undefined, 'You have no seat left.', false],
  [400, 'Invalid request', undefined, 'Invalid request - please check your configuration', false],
  [500, 'Oh', undefined, 'Failed to generate/send emails', false],
] as const)(
  'a run that is refused with %i (%s) says why',
  async (status, detail, code, sentence, settings) => {
    readyApi().refuses(outreach.generateAndSend, status, detail, code === undefined ? {} : { code })
    show(<GenerateAndSend />)
    await generate.click()
    await send.click()
    await expect.element(toast(sentence)).toBeVisible()
    if (!settings) return
    await needed.getByRole('button', { name: 'Maybe Later' }).click()
    await expect.element(needed).not.toBeInTheDocument()
  },
)

test('a server that cannot be reached is named', async () => {
  const api = readyApi().fails(outreach.generateAndSend)
  show(<GenerateAndSend />)
  await generate.click()
  await send.click()
  await expect
    .element(toast(`Network error - please check if the backend server is running on ${location.origin}`))
    .toBeVisible()
  api.fails(emails.health)
  await generate.click()
  const sentence = `Cannot connect to backend server. Please ensure the backend is running on ${location.origin}`
  await expect.element(toast(sentence)).toBeVisible()
})

test('a session that has ended leads out', async () => {
  readyApi().refuses(outreach.generateAndSend, 401, 'No session')
  show(<GenerateAndSend />)
  await generate.click()
  await send.click()
  await expect.element(toast('Authentication failed. Please log in again.')).toBeVisible()
  expect(localStorage.getItem('token')).toBeNull()
})

test('without a token nothing is asked for', async () => {
  const api = readyApi()
  show(<GenerateAndSend />)
  await expect.element(generate).toBeVisible()
  await expect.poll(() => api.calls(auth.me)).toHaveLength(1)
  localStorage.removeItem('token')
  await generate.click()
  await expect.element(toast('Please log in again.')).toBeVisible()
  expect(api.calls(emails.health)).toEqual([])
})

/** The same user, without a mailbox. */
const withoutMailbox = (): FakeApi => readyApi().answers(emails.health)

test('without a mailbox the button explains what is needed, and the practice mailbox will do', async () => {
  const api = withoutMailbox().answers(mailboxSetup.practice)
  show(<GenerateAndSend />)
  await generate.click()
  for (const text of [
    'SMTP host',
    'usually 587 or 465',
    'Email address',
    'app password',
    'smtp.gmail.com:587',
  ])
    await expect.element(needed).toMatchTextContent(text)
  await expectSound('[role=dialog]')
  await needed.getByRole('button', { name: 'Maybe Later' }).click()
  await expect.element(needed).not.toBeInTheDocument()
  await expect.element(generate).toHaveFocus()

  await generate.click()
  await expect.element(needed).toBeVisible()
  api.answers(emails.health, { ...blankReply(emails.health), configured: true })
  await needed.getByRole('button', { name: 'Use the practice mailbox' }).click()
  await expect.element(needed).not.toBeInTheDocument()
  expect(api.calls(mailboxSetup.practice)).toHaveLength(1)
  await generate.click()
  await expect.element(send).toBeVisible()
})

test('Configure Now leads to the profile', async () => {
  withoutMailbox()
  show(<GenerateAndSend />)
  await generate.click()
  await needed.getByRole('button', { name: 'Configure Now' }).click()
  await expect.poll(() => location.pathname).toBe('/profile')
  await expect.element(needed).not.toBeInTheDocument()
})

test('where nobody is left to write to, it is said why', async () => {
  const estimate = { ...blankReply(outreach.estimate), configured: true, contacts: 5, already_mailed: 5 }
  const api = readyApi().answers(outreach.estimate, { ...estimate, contacts: 0 })
  show(<GenerateAndSend />)
  await generate.click()
  await expect.element(toast('No contacts found. Please add contacts first.')).toBeVisible()
  api.answers(outreach.estimate, estimate)
  await generate.click()
  await expect
    .element(page.getByRole('dialog', { name: 'Nobody new to write to' }))
    .toMatchTextContent('5 of 5 contacts: 5 emailed before')
})

test('a double click is one run', async () => {
  const api = readyApi().never(outreach.generateAndSend)
  show(<GenerateAndSend />)
  await generate.dblClick()
  await send.dblClick()
  await expect.poll(() => api.calls(outreach.generateAndSend)).toHaveLength(1)
})
