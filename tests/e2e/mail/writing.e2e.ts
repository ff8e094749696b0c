import type { Page } from '@playwright/test'
import { expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { makeMail } from '../../support/mail-parts.ts'
import { button, dialog } from '../../support/mail-page.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { left, open, PASSWORD, writer } from '../../support/mail-writing.ts'
import { toast } from '../../support/toast.ts'

test.use({ timezoneId: 'Europe/Berlin' })
test.describe.configure({ timeout: 90_000 })

let servers: MailServers
const NAMES = ['ida', 'jon', 'kai']
test.beforeAll(async () => {
  servers = await startMailServers({ users: Object.fromEntries(NAMES.map((name) => [name, PASSWORD])) })
})
test.afterAll(() => servers?.stop())

const QUESTION = makeMail(
  { Subject: 'Can we meet?', 'Message-ID': '<meet@bakery.example>' },
  { text: 'Could we meet for half an hour, to talk about the rye bread?' },
)
const span = (start: string, end: string) => ({
  start_iso: `2027-01-${start}:00.000Z`,
  end_iso: `2027-01-${end}:00.000Z`,
})
const TIMES = [span('12T09:00', '12T09:30'), span('13T13:00', '13T13:30'), span('14T09:00', '14T09:30')]
const PROPOSAL = {
  body: 'Hello Anna,\n\nlet us talk about the rye bread. How about Tuesday 12 January at 10:00?\n\nKind regards,\nAda Muster',
  intent: 'meeting_request',
  schedule: { title: 'Meeting with Anna Berg', ...TIMES[0] },
  times: TIMES,
  meeting_id: null,
  templated: false,
  sources: [
    {
      line: 'let us talk about the rye bread',
      kind: 'email',
      email_id: 1,
      writer: 'Anna Berg',
      written_at: '2027-01-08T08:15:00.000Z',
      quote: 'to talk about the rye bread',
    },
    {
      line: 'How about Tuesday 12 January at 10:00?',
      kind: 'time',
      email_id: null,
      writer: '',
      written_at: null,
      quote: 'Tuesday 12 January at 10:00',
    },
    {
      line: 'Ada Muster',
      kind: 'profile',
      email_id: null,
      writer: '',
      written_at: null,
      quote: 'Ada Muster',
    },
  ],
}

/** Answers a preview as a server with a language model does. */
const proposes = (page: Page, answer: unknown) =>
  page.route('**/emails/reply/preview', (route) => route.fulfill({ json: answer }))

test('a proposed reply shows on demand what it is based on, and the meeting is at the time that is chosen', async ({
  page,
}) => {
  const { sent } = await writer(page, servers, 'ida', [QUESTION])
  await proposes(page, PROPOSAL)
  const mail = await open(page, 'Can we meet?')
  await button(mail, 'Generate Reply').click()
  const generated = dialog(page, 'Generate Reply')
  await expect(generated.getByLabel('Message')).toHaveValue(PROPOSAL.body)
  await expect(generated.getByText('Email from Anna Berg')).toBeHidden()
  await generated.getByText('What this is based on').focus()
  await page.keyboard.press('Enter')
  const sources = generated.getByRole('listitem')
  await expect(sources).toHaveCount(3)
  await expect(sources.nth(0)).toContainText(
    /let us talk about the rye bread.*Email from Anna Berg, .*09:15.*to talk about the rye bread/s,
  )
  await expect(sources.nth(1)).toContainText('A free time in your calendar (Europe/Berlin)')
  await expect(sources.nth(2)).toContainText('Your profile')

  const time = generated.getByRole('combobox', { name: 'Time of the meeting' })
  await expect(time.getByRole('option')).toHaveCount(3)
  await generated.getByRole('checkbox', { name: 'Add this meeting' }).uncheck()
  await expect(time).toBeDisabled()
  await generated.getByRole('checkbox', { name: 'Add this meeting' }).check()
  await time.selectOption({ index: 1 })
  const request = page.waitForRequest('**/emails/reply')
  await button(generated, 'Send').click()
  expect((await request).postDataJSON()).toMatchObject({
    schedule: { title: 'Meeting with Anna Berg', ...TIMES[1] },
  })
  await expect(page.locator('[aria-live]').getByText(/and meeting created$/)).toBeVisible()
  await left(sent, 1)
})

test('a reply from the template says that it is in English, and offers free times with their zone', async ({
  page,
}) => {
  await writer(page, servers, 'jon', [QUESTION])
  const mail = await open(page, 'Can we meet?')
  await button(mail, 'Generate Reply').click()
  const generated = dialog(page, 'Generate Reply')
  await expect(generated).toContainText('Written from a built-in template, in English.')
  await expect(generated.getByLabel('Message')).toHaveValue(
    /at 10:00 \(Europe\/Berlin\)\? I have kept that time free\. .* at 14:00 or .* at 10:00 would suit me as well\./,
  )
  await expect(
    generated.getByRole('combobox', { name: 'Time of the meeting' }).getByRole('option'),
  ).toHaveCount(3)
})

test('what the AI model may read is off at first, switched on, kept, and says so where there is no model', async ({
  page,
}) => {
  await signedIn(page)
  await page.goto('/profile')
  const card = page.getByRole('region', { name: 'What the AI Model May Read' })
  const tone = card.getByRole('switch', { name: 'Write in my tone' })
  const replies = card.getByRole('switch', {
    name: 'Let the AI model read replies that the rules do not understand',
  })
  await expect(tone).not.toBeChecked()
  await expect(replies).not.toBeChecked()
  await expect(tone).toHaveAccessibleDescription(/No AI model is set up/)
  await tone.click()
  await expect(toast(page, 'Setting saved')).toBeVisible()
  await expect(tone).toBeChecked()
  await page.reload()
  await expect(tone).toBeChecked()
  await expect(replies).not.toBeChecked()
  await page.route('**/writing/settings', (route) => route.abort())
  await replies.click()
  await expect(page.locator('[aria-live]').getByText('Failed to save the setting')).toBeVisible()
  await expect(replies).not.toBeChecked()
  await expect(tone).toBeChecked()
})

test('the proposed reply is accessible and fits', async ({ page }) => {
  await writer(page, servers, 'kai', [QUESTION])
  await proposes(page, PROPOSAL)
  const mail = await open(page, 'Can we meet?')
  const action = button(mail, 'Generate Reply')
  await action.click()
  const generated = dialog(page, 'Generate Reply')
  await generated.getByText('What this is based on').click()
  await expect(generated.getByRole('listitem')).toHaveCount(3)
  await expectSound(page, '[role=dialog]')
  expect(
    await generated.evaluate((dialog_) => dialog_.scrollWidth - dialog_.clientWidth),
  ).toBeLessThanOrEqual(0)
})
