import type { Locator, Page } from '@playwright/test'
import PostalMime, { type Email as ParsedMail } from 'postal-mime'
import { contacts } from '#contract/contacts.ts'
import { pathOf } from '#contract/endpoint.ts'
import { type E2eUser, expect, test } from '../support/e2e.ts'
import { makeMail } from '../support/mail-parts.ts'
import {
  act,
  bearer,
  dialog,
  folder,
  inMail,
  list,
  openMail,
  opened,
  row,
  rows,
  sendByCall,
  toast,
  withMailbox,
} from '../support/mail-page.ts'
import { type MailServers, startMailServers } from '../support/mail-servers.ts'
import type { SinkMail } from '../support/smtp-sink.ts'

const PASSWORD = 'open sesame'
/** How long an answer may take from the mail server to the screen. */
const ARRIVES_MS = 20_000
/** A mail waits ten seconds, in which it can be taken back. */
const LEAVES_MS = 25_000
const NAMES = ['ada', 'bea', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal', 'ivy', 'jon', 'kim', 'leo', 'mia']

let servers: MailServers
let used = 0

test.describe.configure({ timeout: 90_000 })
test.beforeAll(async () => {
  servers = await startMailServers({ users: Object.fromEntries(NAMES.map((name) => [name, PASSWORD])) })
})
test.afterAll(() => servers?.stop())

/** A user with a mailbox of their own on the servers, and what has left it so far. */
async function writer(page: Page, mails: readonly string[] = []) {
  const name = NAMES[used++] ?? 'ada'
  for (const raw of mails) await servers.dovecot.deliver(name, 'INBOX', raw, new Date())
  const user = await withMailbox(page, servers, name, PASSWORD)
  await openMail(page)
  const sent = () =>
    servers.sink.received.filter(({ envelope }) => envelope.from === `${name}@muster.example`)
  return { user, name, sent }
}

/** Opens a mail of the inbox. */
async function open(page: Page, subject: string): Promise<Locator> {
  await expect(row(page, 'Inbox', subject)).toBeVisible({ timeout: ARRIVES_MS })
  await row(page, 'Inbox', subject).getByRole('link').click()
  return opened(page, subject)
}

/** Waits until so many mails have left, and reads the last one. */
async function left(
  sent: () => SinkMail[],
  count: number,
): Promise<ParsedMail & { envelopeTo: string[]; raw: string }> {
  await expect.poll(() => sent().length, { timeout: LEAVES_MS }).toBe(count)
  const mail = sent().at(-1)
  if (mail === undefined) throw new Error('Nothing has left')
  const parsed = await PostalMime.parse(mail.raw)
  return { ...parsed, envelopeTo: mail.envelope.to.toSorted(), raw: mail.raw.toString() }
}

const compose = (page: Page): Locator => dialog(page, 'Compose')
const composeButton = (page: Page) => page.getByRole('button', { name: 'Compose', exact: true })
const words = (within: Locator) => within.getByRole('textbox', { name: 'Content' })

type Letter = { to: string; subject: string; content: string }

async function write(page: Page, mail: Letter): Promise<Locator> {
  await composeButton(page).click()
  await compose(page).getByLabel('To', { exact: true }).fill(mail.to)
  await compose(page).getByLabel('Subject').fill(mail.subject)
  await words(compose(page)).fill(mail.content)
  return compose(page)
}
const TULIPS: Letter = { to: 'ben@garden.example', subject: 'Tulips', content: 'Three boxes, please.' }

async function addContact(page: Page, user: E2eUser, name: string, email: string): Promise<void> {
  const answer = await page.request.post(pathOf(contacts.add), {
    headers: bearer(user),
    data: { name, email },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
}

test('a whole letter: contacts, copies, looks, a link and files leave as an honest mail', async ({
  page,
}) => {
  const { user, sent } = await writer(page)
  await addContact(page, user, 'Anna Berg', 'anna@bakery.example')
  await addContact(page, user, 'Koch, Ines', 'ines@koch.example')
  await composeButton(page).click()
  const letter = compose(page)
  const to = letter.getByRole('combobox', { name: 'To', exact: true })
  await expect(to).toBeFocused()
  await page.keyboard.type('ann')
  await expect(letter.getByRole('option', { name: /Anna Berg/ })).toBeVisible()
  // Esc closes the suggestions, and no more.
  await page.keyboard.press('Escape')
  await expect(letter.getByRole('option')).toHaveCount(0)
  await page.keyboard.type('a')
  await expect(letter.getByRole('option', { name: /Anna Berg/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type('ines')
  await letter.getByRole('option', { name: /Koch, Ines/ }).click()
  await act(letter, 'Cc and Bcc').click()
  await letter.getByLabel('Cc', { exact: true }).fill('cy@far.example')
  await letter.getByLabel('Bcc').fill('secret@far.example')
  await letter.getByLabel('Subject').fill('Bread on Fridays – für alle')
  await words(letter).click()
  await page.keyboard.type('Hello Anna,')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('Twelve loaves')
  await page.keyboard.press('Control+b')
  await page.keyboard.type(' as on ')
  await act(letter, 'Link').click()
  await page.keyboard.type('bakery.example/list')
  await page.keyboard.press('Enter')
  await expect(words(letter)).toBeFocused()
  await page.keyboard.press('Enter')
  await act(letter, 'Bulleted list').click()
  await page.keyboard.type('Rye')

  await letter
    .getByLabel('Files')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan') })
  await drop(page, letter.getByLabel('Subject'), 'dropped.csv', 'a;b')
  await expect(letter.getByRole('button', { name: 'Remove plan.txt' })).toBeVisible()
  await expect(letter.getByRole('button', { name: 'Remove dropped.csv' })).toBeVisible()
  await expect(letter.getByRole('progressbar')).toHaveCount(0)
  await act(letter, 'Send Email').click()
  await expect(toast(page, 'Email sent')).toBeVisible()
  await expect(letter).toBeHidden()

  const mail = await left(sent, 1)
  expect(mail.envelopeTo).toEqual([
    'anna@bakery.example',
    'cy@far.example',
    'ines@koch.example',
    'secret@far.example',
  ])
  expect(mail.raw).not.toContain('secret@far.example')
  expect(mail.to).toMatchObject([
    { name: 'Anna Berg', address: 'anna@bakery.example' },
    { name: 'Koch, Ines', address: 'ines@koch.example' },
  ])
  expect(mail.cc).toMatchObject([{ address: 'cy@far.example' }])
  expect(mail.subject).toBe('Bread on Fridays – für alle')
  expect(mail.text?.trim()).toBe('Hello Anna,\n\nTwelve loaves as on https://bakery.example/list \n- Rye')
  expect(mail.html).toContain('<strong>Twelve loaves</strong>')
  expect(mail.html).toContain('href="https://bakery.example/list"')
  expect(mail.html).toMatch(/<ul><li><p[^>]*>Rye<\/p><\/li><\/ul>/)
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['plan.txt', 'dropped.csv'])
  expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString()).toBe('The plan')
  expect(mail.raw).toMatch(/^Content-Type: multipart\/mixed/im)
  expect(mail.raw).toMatch(/^Content-Type: multipart\/alternative/im)

  await folder(page, 'Sent').click()
  await expect(rows(page, 'Sent')).toHaveCount(1)
  await folder(page, 'Drafts').click()
  await expect(list(page, 'Drafts')).toContainText('Drafts is empty')
})

async function drop(page: Page, on: Locator, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([file, text]) => {
      const carried = new DataTransfer()
      carried.items.add(new File([text ?? ''], file ?? '', { type: 'text/csv' }))
      return carried
    },
    [name, content],
  )
  await on.dispatchEvent('dragover', { dataTransfer })
  await on.dispatchEvent('drop', { dataTransfer })
}

test('Undo takes a mail back: the letter opens again, and leaves once, as it is then', async ({ page }) => {
  const { sent } = await writer(page)
  const letter = await write(page, TULIPS)
  await letter
    .getByLabel('Files')
    .setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('3') })
  await expect(letter.getByRole('button', { name: 'Remove list.txt' })).toBeVisible()
  await act(letter, 'Send Email').click()
  await expect(toast(page, 'Email sent')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  const again = dialog(page, 'Edit draft')
  await expect(again.getByLabel('Subject')).toHaveValue('Tulips')
  await expect(words(again)).toHaveText('Three boxes, please.')
  await expect(again.getByRole('button', { name: 'Remove list.txt' })).toBeVisible()
  await words(again).fill('Four boxes, please.')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Email sent')).toBeVisible()
  const mail = await left(sent, 1)
  expect(mail.text?.trim()).toBe('Four boxes, please.')
  // Plain words are a plain mail.
  expect(mail.html).toBeUndefined()
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['list.txt'])
  await folder(page, 'Drafts').click()
  await expect(list(page, 'Drafts')).toContainText('Drafts is empty')
  expect(sent()).toHaveLength(1)
})

test('drafts: kept while written, by Esc and by Save Draft; Cancel throws away', async ({ page }) => {
  await writer(page)
  const letter = await write(page, TULIPS)
  await expect(letter.getByText('Saved in Drafts')).toBeVisible()
  await letter.getByLabel('Subject').fill('Tulips and roses')
  await page.keyboard.press('Escape')
  await expect(toast(page, 'Kept in Drafts')).toBeVisible()
  await expect(letter).toBeHidden()
  await expect(composeButton(page)).toBeFocused()
  await expect(folder(page, 'Drafts')).toHaveText(/^Drafts\s*1$/)

  await write(page, { ...TULIPS, subject: 'To be forgotten' })
  await expect(letter.getByText('Saved in Drafts')).toBeVisible()
  await act(letter, 'Cancel').click()
  await expect(letter).toBeHidden()
  await expect(folder(page, 'Drafts')).toHaveText(/^Drafts\s*1$/)
  // What was thrown away does not come back.
  await composeButton(page).click()
  await expect(letter.getByLabel('Subject')).toHaveValue('')
  await act(letter, 'Save Draft').click()
  await expect(letter.getByRole('alert')).toHaveText('Please fill in all required fields before saving draft')
  await page.keyboard.press('Escape')
  await expect(letter).toBeHidden()

  await folder(page, 'Drafts').click()
  await expect(rows(page, 'Drafts')).toHaveCount(1)
  await row(page, 'Drafts', 'Tulips and roses').getByRole('link').click()
  await act(opened(page, 'Tulips and roses'), 'Edit draft').click()
  const draft = dialog(page, 'Edit draft')
  await expect(words(draft)).toHaveText('Three boxes, please.')
  await words(draft).fill('Five boxes, please.')
  await expect(draft.getByText('Saved in Drafts')).toBeVisible()
  // An older draft is again what it was.
  await act(draft, 'Cancel').click()
  await expect(opened(page, 'Tulips and roses')).toContainText('Three boxes, please.')
  await act(opened(page, 'Tulips and roses'), 'Edit draft').click()
  await words(draft).fill('Six boxes, please.')
  await act(draft, 'Save Draft').click()
  await expect(toast(page, 'Draft saved successfully')).toBeVisible()
  await expect(opened(page, 'Tulips and roses')).toContainText('Six boxes, please.')
  await page.reload()
  await expect(opened(page, 'Tulips and roses')).toContainText('Six boxes, please.')
})

test('a draft that cannot be kept stays open and says so', async ({ page }) => {
  await writer(page)
  await page.route('**/api/v1/emails/save-draft', (route) => route.abort())
  const letter = await write(page, TULIPS)
  await expect(letter.getByText('Not saved yet')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(letter.getByRole('alert')).toHaveText('Failed to save draft')
  await expect(words(letter)).toHaveText('Three boxes, please.')
  await page.unrouteAll()
  await page.keyboard.press('Escape')
  await expect(toast(page, 'Kept in Drafts')).toBeVisible()
  await expect(letter).toBeHidden()
})

test('send later: proposals, another time, edit, and taken back', async ({ page }) => {
  const { sent } = await writer(page)
  const letter = await write(page, TULIPS)
  await act(letter, 'Send later').click()
  const later = dialog(page, 'Send later')
  await expect(later).toContainText('Europe/Berlin')
  await expect(later.getByRole('button', { name: /^Tomorrow morning.*08:00/ })).toBeVisible()
  await act(later, 'Schedule').click()
  await expect(later).toContainText('Please choose a day and a time')
  await later.getByLabel('Day').fill('2020-01-01')
  await act(later, 'Schedule').click()
  await expect(later).toContainText('Please choose a time in the future')
  await page.keyboard.press('Escape')
  await expect(words(letter)).toHaveText('Three boxes, please.')
  await act(letter, 'Send later').click()
  await later.getByRole('button', { name: /^Tomorrow morning/ }).click()
  await expect(toast(page, 'Email scheduled')).toBeVisible()
  await expect(folder(page, 'Scheduled')).toHaveAttribute('aria-current', 'page')
  await expect(folder(page, 'Scheduled')).toHaveText(/^Scheduled\s*1$/)

  await row(page, 'Scheduled', 'Tulips').getByRole('link').click()
  await act(opened(page, 'Tulips'), 'Edit').click()
  const edited = dialog(page, 'Edit scheduled email')
  await expect(edited).toContainText(/Leaves on .* at 08:00/)
  await words(edited).fill('Seven boxes, please.')
  await page.keyboard.press('Escape')
  await act(dialog(page, 'Discard your changes?'), 'Cancel').click()
  await expect(words(edited)).toHaveText('Seven boxes, please.')
  await act(edited, 'Save changes').click()
  await expect(toast(page, 'Email scheduled')).toBeVisible()
  await expect(opened(page, 'Tulips')).toContainText('Seven boxes, please.')

  await act(opened(page, 'Tulips'), 'Cancel sending').click()
  await expect(toast(page, 'Sending cancelled. The email is in Drafts.')).toBeVisible()
  await expect(list(page, 'Scheduled')).toContainText('Scheduled is empty')
  await expect(folder(page, 'Drafts')).toHaveText(/^Drafts\s*1$/)
  expect(sent()).toHaveLength(0)
})

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
  const { sent } = await writer(page, [ORIGINAL])
  const mail = await open(page, SUBJECT)
  await act(mail, 'Reply').click()
  const reply = dialog(page, /^Reply$/)
  await expect(reply.getByLabel('Subject')).toHaveValue('Re: Winter list')
  await expect(words(reply)).toBeFocused()
  await expect(words(reply)).toHaveText('')
  await expect(reply.getByLabel('Quote the original below')).toBeChecked()
  await page.keyboard.type('Twelve.')
  await act(reply, 'Send Email').click()
  await expect(toast(page, 'Email sent')).toBeVisible()

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
  await act(all, 'Send Email').click()
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

test('Forward begins a conversation of its own and takes the files along', async ({ page }) => {
  const { sent } = await writer(page, [ORIGINAL])
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
  await act(draft, 'Send Email').click()
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
  meeting_id: null,
  templated: false,
}
const QUESTION = makeMail(
  { Subject: 'Can we meet?', 'Message-ID': '<meet@bakery.example>' },
  { text: 'Could we meet next Tuesday at 10:00 for half an hour?' },
)

test('Generate Reply: proposed, changed, sent, with the meeting it arranges', async ({ page }) => {
  const { sent } = await writer(page, [QUESTION])
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/emails/reply/preview', async (route) => {
    await asked
    await route.fulfill({ json: PROPOSAL })
  })
  const mail = await open(page, 'Can we meet?')
  await act(mail, 'Generate Reply').click()
  const generated = dialog(page, 'Generate Reply')
  await expect(generated.getByLabel('Generating a reply')).toBeVisible()
  await expect(act(generated, 'Send')).toBeDisabled()
  answer()
  await expect(generated.getByLabel('Message')).toHaveValue(PROPOSAL.body)
  await expect(generated).toContainText('Read as: meeting request.')
  await expect(generated).toContainText('Tasting with Anna')
  await expect(generated).toContainText('10:00')
  await generated.getByLabel('Message').fill('  ')
  await expect(act(generated, 'Send')).toBeDisabled()
  await generated.getByLabel('Message').fill('Gladly, on Tuesday.')
  await act(generated, 'Send').click()
  await expect(page.locator('[aria-live]').getByText(/^Reply sent \(.+\) and meeting created$/)).toBeVisible()
  const reply = await left(sent, 1)
  expect(reply.text).toMatch(/^Gladly, on Tuesday\./)
  expect(flat(reply.inReplyTo)).toBe('<meet@bakery.example>')
  expect(reply.subject).toBe('Re: Can we meet?')
})

test('Generate Reply of the house: its own words, no meeting, and its failures', async ({ page }) => {
  const { sent } = await writer(page, [QUESTION])
  const mail = await open(page, 'Can we meet?')
  await page.route('**/emails/reply/preview', (route) => route.abort())
  await act(mail, 'Generate Reply').click()
  const generated = dialog(page, 'Generate Reply')
  await expect(generated.getByRole('alert')).toHaveText('Failed to generate reply')
  await page.unrouteAll()
  await act(generated, 'Generate again').click()
  await expect(generated.getByLabel('Message')).toHaveValue(/Anna/)
  await page.route('**/emails/reply', (route) => route.abort())
  await generated.getByLabel('Message').fill('Not this week.')
  const meeting = generated.getByLabel('Add this meeting')
  if (await meeting.isVisible()) await meeting.uncheck()
  await act(generated, 'Send').click()
  await expect(generated.getByRole('alert')).toHaveText('Failed to send reply')
  await expect(generated.getByLabel('Message')).toHaveValue('Not this week.')
  await page.unrouteAll()
  await act(generated, 'Send').click()
  await expect(page.locator('[aria-live]').getByText(/^Reply sent \([a-z ]+\)$/)).toBeVisible()
  expect((await left(sent, 1)).text).toMatch(/^Not this week\./)
})

test('Generate Follow-up answers the mail before it', async ({ page }) => {
  const { user, sent } = await writer(page)
  await sendByCall(page, user, 'anna@bakery.example', 'Bread on Fridays')
  const first = await left(sent, 1)
  await page.goto('/emails?folder=sent')
  await row(page, 'Sent', 'Bread on Fridays').getByRole('link').click()
  await act(opened(page, 'Bread on Fridays'), 'Generate Follow-up').click()
  const followUp = dialog(page, 'Generate Follow-up')
  await expect(followUp.getByLabel('To')).toHaveValue('anna@bakery.example')
  await expect(act(followUp, 'Send')).toBeDisabled()
  await followUp.getByLabel('To').fill('')
  await act(followUp, 'Generate').click()
  await expect(followUp).toContainText('Please enter an email address to generate follow-up')
  await followUp.getByLabel('To').fill('anna@bakery.example')
  await page.route('**/emails/follow-up/preview', (route) => route.abort())
  await act(followUp, 'Generate').click()
  await expect(followUp.getByRole('alert')).toHaveText('Failed to generate follow-up')
  await page.unrouteAll()
  await act(followUp, 'Generate').click()
  await expect(followUp.getByLabel('Message')).not.toHaveValue('')
  await page.route('**/emails/send', (route) => route.abort())
  await act(followUp, 'Send').click()
  await expect(followUp.getByRole('alert')).toHaveText('Failed to send follow-up')
  await page.unrouteAll()
  await act(followUp, 'Send').click()
  await expect(toast(page, 'Follow-up sent successfully')).toBeVisible()
  const second = await left(sent, 2)
  expect(second.subject).toBe('Re: Bread on Fridays')
  expect(flat(second.inReplyTo)).toBe(first.messageId)
})

test('Quick reply: one for two clicks, kept when it fails, taken back by Undo', async ({ page }) => {
  const { sent } = await writer(page, [QUESTION])
  const mail = await open(page, 'Can we meet?')
  const field = mail.getByLabel('Quick reply')
  await page.route('**/emails/reply', (route) =>
    route.fulfill({ status: 400, json: { detail: 'The mail server refused this mail: 550 No such user' } }),
  )
  await field.fill('Yes.')
  await act(mail, 'Send reply').click()
  await expect(mail.getByRole('alert')).toHaveText('The mail server refused this mail: 550 No such user')
  await act(mail, 'Send reply').click()
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
  await act(again, 'Send Email').click()
  const reply = await left(sent, 1)
  expect(reply.text).toMatch(/^Yes, gladly\.\s.*> Could we meet/s)
  expect(flat(reply.inReplyTo)).toBe('<meet@bakery.example>')
})

test('what is wrong is said beside its field', async ({ page }) => {
  await inMail(page)
  const letter = await write(page, { to: 'nobody', subject: '', content: '' })
  await act(letter, 'Send Email').click()
  await expect(letter).toContainText('Please enter a valid email address')
  await expect(letter).toContainText('Please enter a subject')
  await expect(letter).toContainText('Please write something')
  await expect(letter.getByLabel('To', { exact: true })).toBeFocused()
  // Half a letter is not sent by Enter.
  await letter.getByLabel('To', { exact: true }).fill('ben@garden.example')
  await letter.getByLabel('Subject').fill('Tulips')
  await expect(letter).not.toContainText('Please enter a subject')
  await words(letter).fill('Three')
  await letter.getByLabel('Subject').press('Enter')
  await expect(letter).toBeVisible()
})

test('without a mailbox the settings are explained, and nothing typed is lost', async ({ page }) => {
  await inMail(page, { mailbox: false })
  const letter = await write(page, TULIPS)
  await act(letter, 'Send Email').click()
  const needed = dialog(page, 'Email Configuration Required')
  await expect(needed).toBeVisible()
  await expect(letter).toBeHidden()
  await act(needed, 'Maybe Later').click()
  await expect(words(letter)).toHaveText('Three boxes, please.')

  // Within two seconds it would be a duplicate.
  await letter.getByLabel('Subject').fill('Tulips and roses')
  await act(letter, 'Send Email').click()
  await act(needed, 'Configure Now').click()
  await expect(page).toHaveURL(/\/profile$/)
  await page.goto('/emails?folder=drafts')
  await expect(row(page, 'Drafts', 'Tulips and roses')).toBeVisible()
})

test('a refusal keeps the letter; a double click is one mail', async ({ page }) => {
  await inMail(page)
  await page.route('**/api/v1/emails/send', (route) =>
    route.fulfill({ status: 400, json: { detail: 'The mail server refused this mail: 550 No such user' } }),
  )
  const letter = await write(page, TULIPS)
  await act(letter, 'Send Email').click()
  await expect(letter.getByRole('alert')).toHaveText('The mail server refused this mail: 550 No such user')
  await act(letter, 'Send Email').click()
  await expect(toast(page, 'Duplicate click ignored')).toBeVisible()
  await page.unrouteAll()
  await page.route('**/api/v1/emails/send', (route) => route.abort())
  await letter.getByLabel('Subject').fill('Tulips!')
  await act(letter, 'Send Email').click()
  await expect(letter.getByRole('alert')).toHaveText('Failed to send email')
  await page.unrouteAll()

  let calls = 0
  page.on('request', (request) => (calls += request.url().endsWith('/emails/send') ? 1 : 0))
  await letter.getByLabel('Subject').fill('Roses')
  await act(letter, 'Send Email').dblclick()
  await expect(toast(page, 'Email sent')).toBeVisible()
  expect(calls).toBe(1)
})

test('files: too large is said at once, one can be taken out, and sending waits for them', async ({
  page,
}) => {
  await inMail(page)
  const letter = await write(page, TULIPS)
  const input = letter.getByLabel('Files')
  const small = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
  await input.setInputFiles(Array.from({ length: 20 }, (_, index) => small(`file-${index}.txt`)))
  await expect(letter.getByRole('button', { name: /^Remove file-/ })).toHaveCount(20)
  await act(letter, 'Remove file-3.txt').click()
  await expect(letter.getByRole('button', { name: /^Remove file-/ })).toHaveCount(19)
  await input.setInputFiles({ ...small('huge.bin'), buffer: Buffer.alloc(25 * 1024 * 1024 + 1) })
  await expect(letter).toContainText('Larger than 25 MB')
  await act(letter, 'Remove huge.bin').click()

  let finish = () => {}
  const uploaded = new Promise<void>((resolve) => (finish = resolve))
  await page.route('**/emails/attachments', async (route) => {
    await uploaded
    await route.continue()
  })
  await input.setInputFiles(small('slow.txt'))
  await expect(letter.getByRole('progressbar', { name: 'Uploading slow.txt' })).toBeVisible()
  await act(letter, 'Send Email').click()
  await expect(letter.getByRole('alert')).toHaveText('Please wait until all files are uploaded.')
  finish()
  await expect(letter.getByRole('progressbar')).toHaveCount(0)
  await act(letter, 'Send Email').click()
  await expect(toast(page, 'Email sent')).toBeVisible()
})

test('a letter is written by keyboard alone', async ({ page }) => {
  await inMail(page)
  await page.keyboard.press('c')
  await expect(compose(page).getByLabel('To', { exact: true })).toBeFocused()
  await page.keyboard.type('ben@garden.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Tulips')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Three boxes, ')
  await page.keyboard.press('Tab')
  await expect(act(compose(page), 'Bold')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(act(compose(page), 'Italic')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('please')
  await expect(words(compose(page)).locator('em')).toHaveText('please')
  await expect(act(compose(page), 'Italic')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Email sent')).toBeVisible()
  await expect(compose(page)).toBeHidden()
})
