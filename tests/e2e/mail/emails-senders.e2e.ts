import type { Page } from '@playwright/test'
import { expect, test } from '../../support/e2e.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { button, deliver, dialog, opened, row } from '../../support/mail-page.ts'
import { ARRIVES_MS, left, open, PASSWORD, words, writer } from '../../support/mail-writing.ts'

let servers: MailServers
test.beforeAll(async () => {
  servers = await startMailServers({ users: { ana: PASSWORD } })
})
test.afterAll(() => servers?.stop())

const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

/** A mail: its subject, its From, what its row and its From line say. */
const MAILS: readonly [subject: string, from: string, inRow: string, inFrom: string][] = [
  ['Split', `${encoded('Boss <ceo@bank.test>')}, <real@attack.test>`, 'real@attack.test', 'real@attack.test'],
  [
    'Named',
    `${encoded('Boss <ceo@bank.test>')} <real@attack.test>`,
    'real@attack.test',
    'real@attack.test calls itself “Boss <ceo@bank.test>”',
  ],
  [
    'Wide',
    `${encoded('ceo＠bank.test')} <real@attack.test>`,
    'real@attack.test',
    'real@attack.test calls itself “ceo＠bank.test”',
  ],
  ['Quoted', '"ceo@bank.test"@attack.test', '"ceo@bank.test"@attack.test', '"ceo@bank.test"@attack.test'],
  [
    'Turned',
    `${encoded('\u202eknab ehT')} <real@attack.test>`,
    '[U+202E]knab ehT',
    '[U+202E]knab ehT real@attack.test',
  ],
  ['Mixed', 'Boss <ceo@bаnk.test>', 'Boss', 'Boss ceo@bаnk.test (xn--bnk-6cd.test)'],
  ['Persian', `${encoded('می\u200cخواهم')} <m@far.test>`, 'می\u200cخواهم', 'می\u200cخواهم m@far.test'],
  [
    'Several',
    'Anna Lee <anna@far.test>, Bea <bea@far.test>',
    'Anna Lee, Bea',
    'Anna Lee anna@far.testBea bea@far.test',
  ],
  ['Nobody', '<>', 'No sender', 'No sender'],
  ['Hollow', encoded('ceo@bank.test'), 'No sender', 'No sender, only the name “ceo@bank.test”'],
]

const OPENED = ['Named', 'Turned', 'Several', 'Hollow']

/** These are one conversation. */
const headersOf = (subject: string): Record<string, string> => {
  if (subject === 'Split') return { 'Message-ID': '<first@far.test>' }
  return ['Named', 'Nobody'].includes(subject) ? { 'In-Reply-To': '<first@far.test>' } : {}
}

const fromLine = (page: Page, subject: string) =>
  opened(page, subject)
    .locator('dt', { hasText: /^From$/ })
    .first()
    .locator('+ dd')

test('the list and an opened mail show who a mail is really from, and a reply goes there', async ({
  page,
}) => {
  await deliver(
    servers,
    'ana',
    MAILS.map(([subject, from]) => ({ subject, from, headers: headersOf(subject) })),
  )
  const { sent } = await writer(page, servers, 'ana')
  for (const [subject, , inRow] of MAILS) {
    const name = row(page, 'Inbox', subject).locator('bdi').first()
    await expect(name).toHaveText(inRow, { timeout: ARRIVES_MS })
  }
  // How each is shown once it is opened has component tests of its own.
  for (const [subject, , , inFrom] of MAILS.filter(([each]) => OPENED.includes(each))) {
    await open(page, subject)
    await expect(fromLine(page, subject)).toHaveText(inFrom)
  }
  const conversation = (await open(page, 'Split')).getByRole('list', { name: 'Conversation' })
  for (const other of [/real@attack\.test/, /No sender/])
    await expect(conversation.getByRole('button', { name: other })).toBeVisible()

  const expected = [
    ['Quoted', '"ceo@bank.test"@attack.test', ['"ceo@bank.test"@attack.test']],
    ['Several', '"Anna Lee" <anna@far.test>, "Bea" <bea@far.test>', ['anna@far.test', 'bea@far.test']],
  ] as const
  for (const [index, [subject, to, envelope]] of expected.entries()) {
    await button(await open(page, subject), 'Reply').click()
    const writing = dialog(page, 'Reply')
    await expect(writing.getByLabel('To', { exact: true })).toHaveValue(to)
    await words(writing).fill('Hello.')
    await button(writing, 'Send Email').click()
    const mail = await left(sent, index + 1)
    expect(mail.envelopeTo).toEqual([...envelope])
  }
  await button(await open(page, 'Nobody'), 'Reply').click()
  await expect(dialog(page, 'Reply').getByLabel('To', { exact: true })).toHaveValue('')
})
