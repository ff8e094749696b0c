import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readDeliveryReport } from '#server/formats/mail-text/bounces/delivery-report.ts'
import { isUnwanted, readComplaint } from '#server/formats/mail-text/bounces/complaints.ts'
import { mailKind } from '#server/formats/mail-text/mail-kind.ts'
import { parseMail } from '#server/formats/mail-text/parse.ts'
import { unsubscribeRequest } from '#server/formats/mail-text/unsubscribe-request.ts'

/** What a mail of machines says, by the judgement of people. */
type Expected = {
  about: string
  kind: string
  recipients?: { address: string; action: string; permanent: boolean; status?: string }[]
  originalMessageId?: string
  complaint?: object
  /** Whether a complaint is one of somebody who wants no more mail. */
  unwanted?: boolean
  unsubscribes?: boolean
  token?: string
}

const FOLDER = path.join(import.meta.dirname, 'reports')
const expected = Object.entries(
  JSON.parse(readFileSync(path.join(FOLDER, 'expected.json'), 'utf8')) as Record<string, Expected>,
)

test.each(expected)('%s', async (file, { kind, recipients, originalMessageId, ...of }) => {
  const mail = await parseMail(readFileSync(path.join(FOLDER, file)))
  const report = readDeliveryReport(mail)
  const told = report?.recipients.map(({ address, action, status, hard }) => ({
    address,
    action,
    permanent: hard,
    ...(status === undefined ? {} : { status }),
  }))
  const complaint = readComplaint(mail)
  const request = unsubscribeRequest(mail)
  expect({
    kind: mailKind(mail),
    recipients: told,
    originalMessageId: report?.originalMessageId,
    complaint: complaint ?? undefined,
    unwanted: complaint === null ? undefined : isUnwanted(complaint),
    unsubscribes: request !== null,
    token: request?.token,
  }).toEqual({
    kind,
    recipients,
    originalMessageId,
    complaint: of.complaint,
    unwanted: of.complaint === undefined ? undefined : (of.unwanted ?? true),
    unsubscribes: of.unsubscribes ?? false,
    token: of.token,
  })
})

test('every mail of the folder is expected something of', () => {
  const mails = readdirSync(FOLDER).filter((name) => name.endsWith('.eml'))
  expect(expected.map(([file]) => file).sort()).toEqual(mails.sort())
})
