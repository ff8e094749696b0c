import type { Email as ParsedMail } from 'postal-mime'
import { expect, test } from '../../support/e2e.ts'
import { makeMail } from '../../support/mail-parts.ts'
import { button, dialog, folder, opened, row, sendByCall } from '../../support/mail-page.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { left, open, PASSWORD, words, writer } from '../../support/mail-writing.ts'
import { toast } from '../../support/toast.ts'

const NAMES = ['ada', 'bea', 'cyd', 'dan', 'eve', 'fay', 'gus']
/** For stories in which a sent mail is seen waiting for its ten seconds. */
const held = test.extend({ takesBack: true })

let servers: MailServers

test.describe.configure({ timeout: 90_000 })
test.beforeAll(async () => {
  servers = await startMailServers({ users: Object.fromEntries(NAMES.map((name) => [name, PASSWORD])) })
})
test.afterAll(() => servers?.stop())

const ORIGINAL = makeMail(
  {
    Subject: 'RE: AW: Winter list',
    To: 'team@muster.example, "Ott, Ben" <ben@garden.example>',
    Cc: 'cleo@books.example',
    'Message-ID': '<second@bakery.example>',
    'In-Reply-To': '<first@bakery.example>',
    References: '<first@bakery.example>',
  },
  {
    text: 'How many loaves?\r\n\r\nAnna',
    files: [{ name: 'list.csv', type: 'text/csv', content: Buffer.from('rye;3\n') }],
  },
)
const SUBJECT = 'RE: AW: Winter list'
const flat = (header: string | undefined) => header?.replaceAll(/\s+/g, ' ').trim()
const headerOf = (mail: ParsedMail, name: string) => flat(mail.headers.find(({ key }) => key === name)?.value)

test('Reply and Reply all stay in the conversation, with one Re: and the quote below', async ({ page }) => {
  const { sent } = await writer(page, servers, 'ada', [ORIGINAL])
  const mail = await open(page, SUBJECT)
  await button(mail, 'Reply').click()
  const reply = dialog(page, /^Reply$/)
  await expect(reply.getByLabel('Subject')).toHaveValue('Re: Winter list')
  await expect(words(reply)).toBeFocused()
  await expect(words(reply)).toHaveText('')
  await expect(reply.getByLabel('Quote the original below')).toBeChecked()
  await page.keyboard.type('Twelve.')
  await page.route('**/emails/send', (route) => route.abort())
  await button(reply, 'Send Email').click()
  await expect(reply.getByRole('alert')).toHaveText('Failed to send reply')
  await page.unrouteAll()
  await reply.getByLabel('Subject').fill('RE: Winter list')
  await button(reply, 'Send Email').click()
  await expect(toast(page, 'Reply sent (question)')).toBeVisible()

  const answered = await left(sent, 1)
  expect(answered.envelopeTo).toEqual(['anna@bakery.example'])
  expect(answered.subject).toBe('Re: Winter list')
  expect(flat(answered.inReplyTo)).toBe('<second@bakery.example>')
  expect(flat(answered.references)).toBe('<first@bakery.example> <second@bakery.example>')
  expect(answered.text).toMatch(/^Twelve\.\s+.*Anna Berg.*wrote:\s+> How many loaves\?/s)
  expect(answered.attachments).toEqual([])

  await page.keyboard.press('a')
  const all = dialog(page, 'Reply all')
  await expect(all.getByLabel('Cc', { exact: true })).toBeVisible()
  await all.getByLabel('Quote the original below').uncheck()
  await words(all).fill('Twelve, everybody.')
  await button(all, 'Send Email').click()
  await expect(toast(page, 'Reply sent (question)')).toBeVisible()
  const everybody = await left(sent, 2)
  expect(everybody.envelopeTo).toEqual([
    'anna@bakery.example',
    'ben@garden.example',
    'cleo@books.example',
    'team@muster.example',
  ])
  expect(everybody.text).not.toContain('loaves')
  expect(flat(everybody.inReplyTo)).toBe('<second@bakery.example>')
})

test('an answer begins with its words, however late the editor comes; kept, it is marked as a draft', async ({
  page,
}) => {
  await writer(page, servers, 'gus', [ORIGINAL])
  const mail = await open(page, SUBJECT)
  const editor = Promise.withResolvers<void>()
  await page.route('**/assets/Editor-*.js', async (route) => {
    await editor.promise
    await route.continue()
  })
  await button(mail, 'Reply').click()
  const reply = dialog(page, /^Reply$/)
  await expect(reply.getByLabel('Subject')).toHaveValue('Re: Winter list')
  // Whoever types at once does not write among the recipients.
  await page.keyboard.type('Six')
  await expect(reply.getByLabel('To', { exact: true })).toHaveValue('"Anna Berg" <anna@bakery.example>')
  editor.resolve()
  await expect(words(reply)).toBeFocused()
  await page.keyboard.type('Six of them.')
  await expect(reply.getByText('Saved in Drafts')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(toast(page, 'Kept in Drafts')).toBeVisible()
  const conversation = page.getByRole('list', { name: 'Conversation' })
  await expect(conversation.getByRole('button', { name: /You, to .*Draft/ })).toBeVisible()
})

test('Forward begins a conversation of its own and takes the files along', async ({ page }) => {
  const { sent } = await writer(page, servers, 'bea', [ORIGINAL])
  await open(page, SUBJECT)
  await page.keyboard.press('f')
  const forward = dialog(page, 'Forward')
  await expect(forward.getByLabel('Subject')).toHaveValue(/^Fwd: .*Winter list$/)
  await expect(forward.getByLabel('To', { exact: true })).toBeFocused()
  await forward.getByLabel('To', { exact: true }).fill('dan@bikes.example')
  await words(forward).fill('For you.')
  // A draft of it forwards as well.
  await expect(forward.getByText('Saved in Drafts')).toBeVisible()
  await page.keyboard.press('Escape')
  await folder(page, 'Drafts').click()
  await row(page, 'Drafts', 'Winter list').getByRole('link').click()
  await page.getByRole('button', { name: 'Edit draft' }).click()
  const draft = dialog(page, 'Edit draft')
  await expect(draft.getByLabel('Forward the original with its files')).toBeChecked()
  await button(draft, 'Send Email').click()
  const mail = await left(sent, 1)
  expect(mail.envelopeTo).toEqual(['dan@bikes.example'])
  expect(headerOf(mail, 'in-reply-to')).toBeUndefined()
  expect(headerOf(mail, 'references')).toBeUndefined()
  expect(mail.text).toMatch(/^For you\.\s.*anna@bakery\.example.*How many loaves\?/s)
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['list.csv'])
})

const PROPOSAL = {
  body: 'Dear Anna,\n\nTuesday at ten suits me.',
  intent: 'meeting_request',
  schedule: {
    title: 'Tasting with Anna',
    start_iso: '2027-01-12T09:00:00.000Z',
    end_iso: '2027-01-12T10:00:00.000Z',
  },
  times: [{ start_iso: '2027-01-12T09:00:00.000Z', end_iso: '2027-01-12T10:00:00.000Z' }],
  meeting_id: null,
  templated: false,
  sources: [],
}
const QUESTION = makeMail(
  { Subject: 'Can we meet?', 'Message-ID': '<meet@bakery.example>' },
  { text: 'Could we meet next Tuesday at 10:00 for half an hour?' },
)

test('Generate Reply: proposed, changed, sent, with the meeting it arranges', async ({ page }) => {
  const { sent } = await writer(page, servers, 'cyd', [QUESTION])
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/emails/reply/preview', async (route) => {
    await asked
    await route.fulfill({ json: PROPOSAL })
  })
  const mail = await open(page, 'Can we meet?')
  await button(mail, 'Generate Reply').click()
  const generated = dialog(page, 'Generate Reply')
  await expect(generated.getByLabel('Generating a reply')).toBeVisible()
  await expect(button(generated, 'Send')).toBeDisabled()
  answer()
  await expect(generated.getByLabel('Message')).toHaveValue(PROPOSAL.body)
  await expect(generated).toContainText('Understood as: meeting request.')
  await expect(generated).toContainText('Tasting with Anna')
  await expect(generated).toContainText('10:00')
  await generated.getByLabel('Message').fill('  ')
  await expect(button(generated, 'Send')).toBeDisabled()
  await generated.getByLabel('Message').fill('Gladly, on Tuesday.')
  await button(generated, 'Send').click()
  await expect(page.locator('[aria-live]').getByText(/^Reply sent \(.+\) and meeting created$/)).toBeVisible()
  const reply = await left(sent, 1)
  expect(reply.text).toMatch(/^Gladly, on Tuesday\./)
  expect(flat(reply.inReplyTo)).toBe('<meet@bakery.example>')
  expect(reply.subject).toBe('Re: Can we meet?')
})

test('Generate Reply of the house: its own words, no meeting, and its failures', async ({ page }) => {
  const { sent } = await writer(page, servers, 'dan', [QUESTION])
  const mail = await open(page, 'Can we meet?')
  await page.route('**/emails/reply/preview', (route) => route.abort())
  await button(mail, 'Generate Reply').click()
  const generated = dialog(page, 'Generate Reply')
  await expect(generated.getByRole('alert')).toHaveText('Failed to generate reply')
  await page.unrouteAll()
  await button(generated, 'Generate again').click()
  await expect(generated.getByLabel('Message')).toHaveValue(/Anna/)
  await page.route('**/emails/reply', (route) => route.abort())
  await generated.getByLabel('Message').fill('Not this week.')
  const meeting = generated.getByLabel('Add this meeting')
  if (await meeting.isVisible()) await meeting.uncheck()
  await button(generated, 'Send').click()
  await expect(generated.getByRole('alert')).toHaveText('Failed to send reply')
  await expect(generated.getByLabel('Message')).toHaveValue('Not this week.')
  await page.unrouteAll()
  await button(generated, 'Send').click()
  await expect(page.locator('[aria-live]').getByText(/^Reply sent \([a-z ]+\)$/)).toBeVisible()
  expect((await left(sent, 1)).text).toMatch(/^Not this week\./)
})

test('Generate Follow-up answers the mail before it', async ({ page }) => {
  const { user, sent } = await writer(page, servers, 'eve')
  await sendByCall(page, user, 'anna@bakery.example', 'Bread on Fridays')
  const first = await left(sent, 1)
  await page.goto('/emails?folder=sent')
  await row(page, 'Sent', 'Bread on Fridays').getByRole('link').click()
  await button(opened(page, 'Bread on Fridays'), 'Generate Follow-up').click()
  const followUp = dialog(page, 'Generate Follow-up')
  await expect(followUp.getByLabel('To')).toHaveValue('anna@bakery.example')
  await expect(button(followUp, 'Send')).toBeDisabled()
  await followUp.getByLabel('To').fill('')
  await button(followUp, 'Generate').click()
  await expect(followUp).toContainText('Please enter an email address to generate follow-up')
  await followUp.getByLabel('To').fill('anna@bakery.example')
  await page.route('**/emails/follow-up/preview', (route) => route.abort())
  await button(followUp, 'Generate').click()
  await expect(followUp.getByRole('alert')).toHaveText('Failed to generate follow-up')
  await page.unrouteAll()
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/emails/follow-up/preview', async (route) => {
    await asked
    await route.continue()
  })
  await button(followUp, 'Generate').click()
  await expect(followUp.getByLabel('Generating a follow-up')).toBeVisible()
  await expect(button(followUp, 'Send')).toBeDisabled()
  answer()
  await expect(followUp.getByLabel('Message')).not.toHaveValue('')
  await page.route('**/emails/send', (route) => route.abort())
  await button(followUp, 'Send').click()
  await expect(followUp.getByRole('alert')).toHaveText('Failed to send follow-up')
  await page.unrouteAll()
  await button(followUp, 'Send').click()
  await expect(toast(page, 'Follow-up sent successfully')).toBeVisible()
  const second = await left(sent, 2)
  expect(second.subject).toBe('Re: Bread on Fridays')
  expect(flat(second.inReplyTo)).toBe(first.messageId)
})

held('Quick reply: one for two clicks, kept when it fails, taken back by Undo', async ({ page }) => {
  const { sent } = await writer(page, servers, 'fay', [QUESTION])
  const mail = await open(page, 'Can we meet?')
  const field = mail.getByLabel('Quick reply')
  await page.route('**/emails/reply', (route) =>
    route.fulfill({ status: 400, json: { detail: 'The mail server refused this mail: 550 No such user' } }),
  )
  await field.fill('Yes.')
  await button(mail, 'Send reply').click()
  await expect(mail.getByRole('alert')).toHaveText('The mail server refused this mail: 550 No such user')
  await button(mail, 'Send reply').click()
  await expect(toast(page, 'Duplicate click ignored')).toBeVisible()
  await expect(field).toHaveValue('Yes.')
  await page.unrouteAll()
  await expect(async () => {
    await field.press('Control+Enter')
    await expect(page.locator('[aria-live]').getByText(/^Reply sent \([a-z ]+\)$/)).toBeVisible({
      timeout: 500,
    })
  }).toPass()
  await expect(field).toHaveValue('')
  await page.getByRole('button', { name: 'Undo' }).click()
  const again = dialog(page, 'Edit draft')
  await expect(words(again)).toHaveText('Yes.')
  await expect(again.getByLabel('Quote the original below')).toBeChecked()
  await words(again).fill('Yes, gladly.')
  await button(again, 'Send Email').click()
  const reply = await left(sent, 1)
  expect(reply.text).toMatch(/^Yes, gladly\.\s.*> Could we meet/s)
  expect(flat(reply.inReplyTo)).toBe('<meet@bakery.example>')
})
