import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseMail } from '#server/formats/mail-text/parse.ts'
import { baseSubject } from '#server/formats/mail-text/threading.ts'

type Named = { name: string; address: string }
/** What a mail says, by the judgement of people; only what is named is looked at. */
type Expected = {
  about: string
  subject?: string
  baseSubject?: string
  sender?: Named
  to?: Named[]
  text?: string
  /** Whether there is an HTML form. */
  html?: boolean
  attachments?: { name: string; type: string }[]
  date?: string | null
  messageId?: string
  references?: string[]
  inReplyTo?: string[]
}

const FOLDER = path.join(import.meta.dirname, 'parsing')
const expected = Object.entries(
  JSON.parse(readFileSync(path.join(FOLDER, 'expected.json'), 'utf8')) as Record<string, Expected>,
)

test.each(expected)('%s', async (file, { about: _, ...of }) => {
  const mail = await parseMail(readFileSync(path.join(FOLDER, file)))
  const told: Required<Omit<Expected, 'about'>> = {
    subject: mail.subject,
    baseSubject: baseSubject(mail.subject),
    sender: mail.from ?? { name: '', address: '' },
    to: mail.to,
    text: mail.text,
    html: mail.html !== undefined,
    attachments: mail.attachments.map(({ name, type }) => ({ name, type })),
    date: mail.date?.toISOString() ?? null,
    messageId: mail.messageId ?? '',
    references: mail.references,
    inReplyTo: mail.inReplyTo,
  }
  expect(told).toMatchObject(of)
})

test('every mail of the folder is expected something of', () => {
  const mails = readdirSync(FOLDER).filter((name) => name.endsWith('.eml'))
  expect(expected.map(([file]) => file).sort()).toEqual(mails.sort())
})
