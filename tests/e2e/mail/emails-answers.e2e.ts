import type { Email as ParsedMail } from 'postal-mime'
import { expect, test } from '../../support/e2e.ts'
import { makeMail } from '../../support/mail-parts.ts'
import { button, dialog, folder, list, row } from '../../support/mail-page.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { left, open, PASSWORD, words, writer } from '../../support/mail-writing.ts'
import { toast } from '../../support/toast.ts'

const NAMES = ['ada', 'bea', 'dan', 'fay', 'gus']
/** For stories in which a sent mail is seen waiting for its ten seconds. */
const held = test.extend({ takesBack: true })

let servers: MailServers

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

const QUESTION = makeMail(
  { Subject: 'Can we meet?', 'Message-ID': '<meet@bakery.example>' },
  { text: 'Could we meet next Tuesday at 10:00 for half an hour?' },
)

test('Generate Reply: a template with free times in their zone, changed and sent with its meeting', async ({
  page,
}) => {
  const { sent } = await writer(page, servers, 'dan', [QUESTION])
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
  await generated.getByLabel('Message').fill('Gladly, on Tuesday.')
  await button(generated, 'Send').click()
  await expect(page.locator('[aria-live]').getByText(/^Reply sent \(.+\) and meeting created$/)).toBeVisible()
  const reply = await left(sent, 1)
  expect(reply.text).toMatch(/^Gladly, on Tuesday\./)
  expect(flat(reply.inReplyTo)).toBe('<meet@bakery.example>')
  expect(reply.subject).toBe('Re: Can we meet?')
})

held(
  'Undo takes an answer back as often as it is pressed; it leaves once, as it is then',
  async ({ page }) => {
    const { sent } = await writer(page, servers, 'fay', [QUESTION])
    const mail = await open(page, 'Can we meet?')
    await mail.getByLabel('Quick reply').fill('Yes.')
    await mail.getByLabel('Quick reply').press('Control+Enter')
    await expect(toast(page, 'Reply sent (meeting request)')).toBeVisible()
    await expect(mail.getByLabel('Quick reply')).toHaveValue('')
    await page.getByRole('button', { name: 'Undo' }).click()
    const again = dialog(page, 'Edit draft')
    await expect(words(again)).toHaveText('Yes.')
    await expect(again.getByLabel('Quote the original below')).toBeChecked()
    const file = { name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('3') }
    await again.getByLabel('Files').setInputFiles(file)
    await expect(again.getByRole('button', { name: 'Remove list.txt' })).toBeVisible()
    await expect(again.getByRole('progressbar')).toHaveCount(0)
    await button(again, 'Send Email').click()
    await expect(again).toBeHidden()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect(again.getByRole('button', { name: 'Remove list.txt' })).toBeVisible()
    await expect(words(again)).toHaveText('Yes.')
    await words(again).fill('Yes, gladly.')
    // What is not taken back again need not wait for ten seconds.
    await page.route('**/emails/send', (route) => {
      const asked = route.request().postData() ?? ''
      return route.continue({ postData: asked.replace('"undo_seconds":10', '"undo_seconds":1') })
    })
    await page.keyboard.press('Control+Enter')
    const reply = await left(sent, 1)
    expect(reply.text).toMatch(/^Yes, gladly\.\s.*> Could we meet/s)
    expect(flat(reply.inReplyTo)).toBe('<meet@bakery.example>')
    // Plain words are a plain mail.
    expect(reply.html).toBeUndefined()
    expect(reply.attachments.map(({ filename }) => filename)).toEqual(['list.txt'])
    await folder(page, 'Drafts').click()
    await expect(list(page, 'Drafts')).toContainText('Drafts is empty')
    expect(sent()).toHaveLength(1)
  },
)
