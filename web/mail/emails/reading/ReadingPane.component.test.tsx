import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { emails } from '#contract/mail/emails.ts'
import { openPage } from '../../../../tests/support/component-page.tsx'
import { MAIL } from '../../../../tests/support/a-mail.ts'
import {
  button,
  dialog,
  fakeMailbox,
  folder,
  opened,
  openMail,
  opens,
  row,
  rows,
} from '../../../../tests/support/fake-mailbox.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

/** Opens a mail of which the list knows the subject, and of which this is said when it is opened. */
async function reading(...[more]: [Parameters<typeof opens>[1]]) {
  const api = fakeMailbox({ subject: 'Offers', attachments: [] })
  api.answers(emails.get, () => opens(api.mails[0]!, more))
  await openMail('Offers')
  return { api, mail: opened('Offers') }
}

test('a mail is read by opening it', async () => {
  const api = fakeMailbox({ subject: 'Offers' })
  await openMail('Offers')
  await expect.element(row('Inbox', 'Offers')).not.toMatchTextContent('(unread)')
  await expect.element(folder('Inbox')).toHaveTextContent('Inbox')
  await expect.poll(() => api.calls(emails.markRead)).toHaveLength(1)
})

test('a plain mail: links with their host, the quote behind a button', async () => {
  const own = 'Hello Ada, see https://bakery.example/offers?x=1.'
  const { mail } = await reading({
    content: `${own}\n\nOn Mon, Nov 16, 2026 Ada wrote:\n> Do you have rye bread?`,
    new_words: own,
  })
  const link = mail.getByRole('link', { name: 'https://bakery.example/offers?x=1', exact: true })
  await expect.element(link).toHaveAttribute('title', 'bakery.example')
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect.element(link).toHaveAttribute('target', '_blank')
  await expect.element(mail).not.toMatchTextContent('rye bread')
  await button(mail, 'Show quoted text').click()
  await expect.element(mail).toMatchTextContent('rye bread')
  await button(mail, 'Hide quoted text').click()
  await expect.element(mail).not.toMatchTextContent('rye bread')
})

test('an invitation says what, when and where, in the user’s zone', async () => {
  const { mail } = await reading({
    content: 'Please come.',
    new_words: 'Please come.',
    invitation: {
      method: 'request',
      title: 'Tasting of the winter bread',
      starts_at: '2026-12-01T09:00:00.000Z',
      ends_at: '2026-12-01T10:00:00.000Z',
      all_day: false,
      location: 'Bakery, Hauptstr. 1',
      organizer: 'Anna Berg',
      attendees: [],
      recurs: false,
    },
  })
  const invitation = mail.getByRole('region', { name: 'Invitation' })
  await expect.element(invitation.getByRole('heading')).toHaveTextContent('Tasting of the winter bread')
  await expect.element(invitation).toMatchTextContent('Tuesday, December 1, 2026 at 10:00 to 11:00')
  await expect.element(invitation).toMatchTextContent('Bakery, Hauptstr. 1')
  await expect.element(mail).toMatchTextContent('Please come.')
  await expectSound('main')
})

test('a conversation of twelve: the last is open, the middle folds, others open one by one', async () => {
  const talk = Array.from({ length: 12 }, (_, at) => ({
    ...MAIL,
    id: at + 1,
    subject: 'Re: Twelve words',
    from: at % 2 === 0 ? 'anna@bakery.example' : 'ben@garden.example',
    sender: at % 2 === 0 ? 'Anna Berg' : 'Ben Ott',
    from_name: at % 2 === 0 ? 'Anna Berg' : 'Ben Ott',
    attachments: [],
    content: `Words number ${at}.`,
  }))
  fakeMailbox({ ...talk[11], subject: 'Re: Twelve words' })
    .answers(emails.thread, talk)
    .answers(emails.get, ({ params }) => opens(talk[Number(params['id']) - 1] ?? MAIL))
    .answers(emails.markRead, { ok: true })
  await openMail('Re: Twelve words')
  const shown = page.getByRole('list', { name: 'Conversation' })
  const parts = shown.getByRole('listitem')
  await expect.element(shown).toMatchTextContent('Words number 11.')
  await expect.poll(() => parts.elements().length).toBe(4)
  await button(shown, '9 more emails').click()
  await expect.poll(() => parts.elements().length).toBe(12)
  const third = parts.nth(2)
  await third.getByRole('button', { name: /^Anna Berg/ }).click()
  await expect.element(third).toMatchTextContent('anna@bakery.example')
  await expect
    .element(third.getByRole('button', { name: /^Anna Berg/ }))
    .toHaveAttribute('aria-expanded', 'true')
  await expectSound('main')
})

test('a draft within a conversation is marked as one', async () => {
  const draft = { ...MAIL, id: 2, status: 'draft' as const, to_names: 'Anna Berg' }
  const api = fakeMailbox({ subject: 'Offers' })
  api.answers(emails.thread, () => [api.mails[0]!, draft])
  await openMail('Offers')
  const conversation = page.getByRole('list', { name: 'Conversation' })
  await expect.element(conversation.getByRole('button', { name: /You, to Anna Berg.*Draft/ })).toBeVisible()
})

const SOURCE = 'Message-ID: <a@far.example>\r\nX-Odd: Kürbis\r\nSubject: Offers\r\n\r\nHello.'

test('the source is shown as it came', async () => {
  const { api, mail } = await reading({})
  api.responds(emails.source, () => new Response(SOURCE))
  await button(mail, 'More about this email').click()
  await page.getByRole('menuitem', { name: 'View source' }).click()
  const source = dialog('Source of this email')
  await expect.element(source).toMatchTextContent('Message-ID: <a@far.example>')
  await expect.element(source).toMatchTextContent('X-Odd: Kürbis')
  await expectSound('[role=dialog]')
  await button(source, 'Close').last().click()
  await expect.element(source).not.toBeInTheDocument()
})

test('a mail that is too long says that only a part is shown, and opens its source', async () => {
  const { api, mail } = await reading({ shown_in_full: false })
  api.responds(emails.source, () => new Response(SOURCE))
  const note = mail.getByRole('note')
  await expect.element(note).toMatchTextContent('Only a part of this email is shown.')
  await expectSound('main')
  await button(note, 'View source').click()
  await expect.element(dialog('Source of this email')).toMatchTextContent('Subject: Offers')
})

test('a mail without text says so', async () => {
  const { mail } = await reading({ content: '', new_words: '' })
  await expect.element(mail).toMatchTextContent('This email has no text.')
})

test('an address without a mail says so', async () => {
  fakeMailbox().refuses(emails.get, 404, 'Email not found').refuses(emails.thread, 404, 'Email not found')
  openPage('/emails?email=999999')
  await expect.element(opened('Email')).toMatchTextContent('Email not found')
})

test('what could not be loaded can be tried again', async () => {
  const api = fakeMailbox({ subject: 'Slow one', content: 'About it.' })
  api.refuses(emails.get, 500, 'x')
  await openMail('Slow one')
  await expect.element(opened('Slow one')).toMatchTextContent('This email could not be loaded')
  api.answers(emails.get, () => opens(api.mails[0]!, { content: 'The whole.', new_words: 'The whole.' }))
  await button(opened('Slow one'), 'Try again').click()
  await expect.element(opened('Slow one')).toMatchTextContent('The whole.')
})

test.each([
  ['real@attack.test', 'Boss <ceo@bank.test>', '', 'real@attack.test calls itself “Boss <ceo@bank.test>”'],
  ['real@attack.test', 'ceo＠bank.test', '', 'real@attack.test calls itself “ceo＠bank.test”'],
  ['"ceo@bank.test"@attack.test', '', '', '"ceo@bank.test"@attack.test'],
  ['real@attack.test', '\u202eknab ehT', '', '[U+202E]knab ehT real@attack.test'],
  ['ceo@bаnk.test', 'Boss', '', 'Boss ceo@bаnk.test (xn--bnk-6cd.test)'],
  ['m@far.test', 'می\u200cخواهم', '', 'می\u200cخواهم m@far.test'],
  [
    'anna@far.test',
    'Anna Lee',
    '"Anna Lee" <anna@far.test>, "Bea" <bea@far.test>',
    'Anna Lee anna@far.testBea bea@far.test',
  ],
  ['', '', '', 'No sender'],
  ['', 'ceo@bank.test', '', 'No sender, only the name “ceo@bank.test”'],
])('From shows who a mail is really from: %s, %s', async (from, from_name, from_line, shown) => {
  fakeMailbox({ subject: 'Offers', from, from_name, from_line })
  await openMail('Offers')
  const names = () => opened('Offers').getByRole('definition').elements()
  await expect.poll(() => names()[0]?.textContent).toBe(shown)
})

test('a mail without a sender has nobody to answer quickly', async () => {
  fakeMailbox({ subject: 'From nobody', from: '', from_name: '', sender: 'No sender' })
  await openMail('From nobody')
  await expect.element(opened('From nobody')).toMatchTextContent(MAIL.content)
  await expect.element(opened('From nobody').getByText('No sender')).toBeVisible()
  await expect.element(opened('From nobody').getByLabelText('Quick reply')).not.toBeInTheDocument()
})

test('delivery reports are one line of the inbox, which leads to each of them', async () => {
  const report = { is_report: true, isRead: true }
  const api = fakeMailbox({ ...report, subject: 'Undelivered 1', collapsed: 12 }, { subject: 'Good day' })
  await openMail()
  await row('Inbox', '12 delivery reports').getByRole('link').click()
  await expect.poll(() => location.search).toContain('filter=reports')
  await expect.element(page.getByLabelText('Filter')).toHaveValue('reports')
  await expect.poll(() => api.calls(emails.list).at(-1)?.query.filter).toBe('reports')
  await expectSound('main')
  await page.getByLabelText('Filter').selectOptions('All')
  await expect.element(rows('Inbox').first()).toMatchTextContent('12 delivery reports')
})
