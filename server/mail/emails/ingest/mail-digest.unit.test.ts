import { expect, test } from 'vitest'
import { draftDigest, mailDigest, withoutRecipients } from './mail-digest.ts'

const MAIL =
  'From: Bob <bob@far.example>\r\nSubject: A long\r\n subject\r\nDate: Sun, 1 Nov 2026 08:00:00 +0000\r\n\r\nHello\r\nAda\r\n'
const digest = (text: string) => mailDigest(Buffer.from(text))

test('what differs by folder does not change the digest of a mail', () => {
  const same = [
    `Received: by mx\r\n${MAIL}`,
    MAIL.replaceAll('\r\n', '\n'),
    `${MAIL}\r\n\r\n`,
    MAIL.replace('A long\r\n subject', 'A long subject'),
    MAIL.replace('Subject:', 'X-Folder: Archive\r\nSUBJECT:'),
  ]
  expect(new Set(same.map(digest))).toEqual(new Set([digest(MAIL)]))
})

test('what a mail says changes its digest', () => {
  const others = [
    MAIL,
    MAIL.replace('Ada', 'Eve'),
    MAIL.replace('Bob', 'Rob'),
    MAIL.replace('long', 'short'),
    MAIL.replace('08:00', '08:01'),
    MAIL.replace('\r\n\r\nHello', '\r\n\r\nSubject: Hello'),
    '',
  ]
  expect(new Set(others.map(digest)).size).toBe(others.length)
})

test('the digest of a draft changes with each of its recipients, and without them is that of any mail', () => {
  const drafts = [
    '',
    'To: a@x.example',
    'Cc: a@x.example',
    'Bcc: a@x.example',
    'To: a@x.example,\r\n b@x.example',
  ]
    .map((line) => (line === '' ? MAIL : `${line}\r\n${MAIL}`))
    .map((text) => draftDigest(Buffer.from(text)))
  expect(new Set(drafts).size).toBe(drafts.length)
  expect(new Set(drafts.map(withoutRecipients))).toEqual(new Set([digest(MAIL)]))
})
