import { expect, test } from 'vitest'
import { readDeliveryReport } from '../../formats/mail-text/bounces/delivery-report.ts'
import { composeMail } from '../../formats/mail-text/compose.ts'
import { classifyReply } from '../../formats/mail-text/intents/intents.ts'
import { mailKind } from '../../formats/mail-text/mail-kind.ts'
import { headerOf, parseMail } from '../../formats/mail-text/parse.ts'
import { answerWords } from './answer-words.ts'
import { composeAnswer, type Received } from './compose-answer.ts'
import { FIRST_MANNERS, type Manner, namedManner, nameFrom, usualManner } from './people.ts'

const at = new Date('2026-03-06T10:00:00Z')

async function received(fields: { autoSubmitted?: string; inReplyTo?: string } = {}): Promise<Received> {
  const { raw } = await composeMail({
    messageId: 'original@muster.example',
    date: new Date('2026-03-06T09:59:30Z'),
    from: { name: 'Ada Muster', address: 'ada@muster.example' },
    to: [{ name: 'Anna Smith', address: 'anna@corp.example' }],
    subject: 'A quick idea',
    text: 'Hi Anna,\n\nare you interested in a call?\n\nAda',
    listUnsubscribe: { url: 'https://howl.example/u/1' },
    ...fields,
  })
  return { raw, mail: await parseMail(raw) }
}

const answered = async (manner: Manner, fields?: Parameters<typeof received>[0]) => {
  const raw = await composeAnswer(await received(fields), 'anna@corp.example', manner, at)
  return raw === null ? null : parseMail(raw)
}

test.each([
  ['interested', 'interested'],
  ['question', 'question'],
  ['meeting', 'meeting_request'],
  ['not_interested', 'not_interested'],
  ['out_of_office', 'out_of_office'],
  ['unsubscribe', 'unsubscribe'],
] as const)('every variant of %s reads as what it is', (manner, intent) => {
  const facts = { sender: 'Ada', person: 'Anna Smith', day: 'Thursday' }
  const first = answerWords(manner, facts, 0)
  let words = first
  // They come round again.
  for (let pick = 1; pick === 1 || words !== first; pick += 1) {
    expect(classifyReply(words), words).toBe(intent)
    words = answerWords(manner, facts, pick)
  }
})

test('an answer is a proper reply from the recipient, with the mail quoted below', async () => {
  const mail = await answered('question')
  expect(mail).toMatchObject({
    from: { name: 'Anna Smith', address: 'anna@corp.example' },
    to: [{ name: 'Ada Muster', address: 'ada@muster.example' }],
    subject: 'Re: A quick idea',
    inReplyTo: ['original@muster.example'],
    references: ['original@muster.example'],
    date: at,
  })
  expect(mail?.text).toContain('On Mar 6, 2026, Ada Muster wrote:\n> Hi Anna,')
  expect(mail && classifyReply(mail.text)).toBe('question')
  expect(mail && mailKind(mail)).toBe('personal')
})

test('the same mail gets the same answer under the same id', async () => {
  expect((await answered('meeting'))?.messageId).toBe((await answered('meeting'))?.messageId)
})

test('a meeting is proposed on a working day', async () => {
  expect((await answered('meeting'))?.text).toMatch(/\b(Monday|Tuesday|Wednesday|Thursday|Friday)\b/)
})

test('out of office is marked as automatic', async () => {
  const mail = await answered('out_of_office')
  expect(mail?.autoSubmitted).toBe('auto-replied')
  expect(mail && mailKind(mail)).toBe('automatic')
})

test('a bounce is a delivery report that names the address and the mail', async () => {
  const mail = await answered('bounce')
  expect(mail && mailKind(mail)).toBe('report')
  expect(mail && headerOf(mail, 'return-path')).toBe('<>')
  expect(mail && readDeliveryReport(mail)).toMatchObject({
    originalMessageId: 'original@muster.example',
    recipients: [{ address: 'anna@corp.example' }],
  })
})

test('machines are not answered, and conversations come to an end', async () => {
  for (const manner of ['interested', 'out_of_office', 'bounce'] as const) {
    expect(await answered(manner, { autoSubmitted: 'auto-replied' })).toBeNull()
  }
  expect(await answered('silent')).toBeNull()
  expect(await answered('unsubscribe', { inReplyTo: 'practice-1@corp.example' })).toBeNull()
  const closing = await answered('question', { inReplyTo: 'practice-1@corp.example' })
  expect(closing?.text).toMatch(/thank you/)
})

test('a name in the address sets the manner; otherwise the shares hold', () => {
  expect(namedManner('anna+question@corp.example')).toBe('question')
  expect(namedManner('anna+no@corp.example')).toBe('not_interested')
  expect(namedManner('question@corp.example')).toBeUndefined()
  const count: Record<string, number> = {}
  for (let n = 0; n < 5000; n++) {
    const manner = usualManner(`person${n}@corp.example`)
    count[manner] = (count[manner] ?? 0) + 1
  }
  expect((count['interested'] ?? 0) / 5000).toBeCloseTo(0.3, 1)
  expect((count['bounce'] ?? 0) / 5000).toBeCloseTo(0.05, 1)
  expect((count['silent'] ?? 0) / 5000).toBeCloseTo(0.17, 1)
  expect(new Set(FIRST_MANNERS).size).toBe(7)
  expect(nameFrom('anna.smith+x@corp.example')).toBe('Anna Smith')
})
