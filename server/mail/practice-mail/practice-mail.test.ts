import { afterAll, beforeAll, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { openSmtp } from '../../platform/gateways/smtp.ts'
import { composeMail } from '../../formats/mail-text/compose.ts'
import { classifyReply } from '../../formats/mail-text/intents/intents.ts'
import { mailKind } from '../../formats/mail-text/mail-kind.ts'
import { type ParsedMail, parseMail } from '../../formats/mail-text/parse.ts'
import { dialGuardOf, type Mailbox, primaryMailbox, smtpAccountOf } from '../mailboxes/mailboxes.ts'
import { makeAnswerWriter } from './answer-writer.ts'
import { deliverAnswers } from './deliver-answers.ts'
import { addAnswers, type NewAnswer, takeDueAnswers } from './store.ts'

let app: TestApp

beforeAll(async () => {
  // Without a worker, answers stay in the queue, where the test can look at them.
  app = await startTestApp({ roles: ['web'] })
  app.clock.stand()
})

afterAll(() => app?.end())

async function practising(): Promise<{ user: TestUser; box: Mailbox }> {
  const user = await signUp(app.url)
  await call(app.url, mailboxSetup.practice, { token: user.token })
  const box = await primaryMailbox(app.context.db, user.id)
  if (box === undefined) throw new Error('There is no practice mailbox')
  return { user, box }
}

async function send(box: Mailbox, to: string[], fields: { from?: string; autoSubmitted?: string } = {}) {
  const session = await openSmtp(smtpAccountOf(app.context, box), { guard: dialGuardOf(app.context, box) })
  const from = fields.from ?? box.address
  for (const address of to) {
    const mail = await composeMail({
      messageId: `${address}/${from}`.replaceAll('@', '.') + '@muster.example',
      date: app.clock.now(),
      from: { name: 'Ada Muster', address: from },
      to: [{ name: '', address }],
      subject: 'A quick idea',
      text: 'Are you interested?',
      ...(fields.autoSubmitted === undefined ? {} : { autoSubmitted: fields.autoSubmitted }),
    })
    await session.send(mail.envelope, mail.raw)
  }
  session.close()
}

const atOnce = { count: 10_000, bytes: 1e9 }

/** Removes and returns all answers due by then. */
async function answersWithin(
  seconds: number,
  { count, bytes } = atOnce,
): Promise<(NewAnswer & { mail: ParsedMail })[]> {
  const by = new Date(app.clock.now().getTime() + seconds * 1000)
  const rows = await app.context.db.transaction().execute((tx) => takeDueAnswers(tx, by, count, bytes))
  return Promise.all(rows.map(async (row) => ({ ...row, mail: await parseMail(row.raw) })))
}

const whatIsIt = (mail: ParsedMail) =>
  mailKind(mail) === 'personal' ? classifyReply(mail.text) : mailKind(mail)

test('the first few people already show every manner, each after a different time', async () => {
  const { box, user } = await practising()
  await send(
    box,
    Array.from({ length: 8 }, (_, n) => `person.${n}@corp.example`),
  )
  expect(await answersWithin(2)).toEqual([])
  const answers = await answersWithin(41)
  const byPerson = answers.toSorted((one, other) =>
    (one.mail.inReplyTo[0] ?? '').localeCompare(other.mail.inReplyTo[0] ?? ''),
  )
  const inOrder = byPerson.map(({ mail }) => whatIsIt(mail))
  // Here the report comes first: it is no reply.
  expect(inOrder).toEqual([
    'report',
    'interested',
    'question',
    'meeting_request',
    'not_interested',
    'automatic',
    'interested',
    'unsubscribe',
  ])
  expect(answers.every((answer) => answer.user_id === user.id && answer.mailbox_id === box.id)).toBe(true)
  expect(answers[0]?.mail.to).toEqual([expect.objectContaining({ address: user.email })])
})

test('a name in the address sets the manner, the same mail gets the same answer, and the silent stay silent', async () => {
  const { box } = await practising()
  await send(box, ['ann+bounce@corp.example', 'ann+silent@corp.example', 'ann+question@corp.example'])
  const first = await answersWithin(41)
  expect(first.map(({ mail }) => whatIsIt(mail)).sort()).toEqual(['question', 'report'])
  await send(box, ['ann+question@corp.example'])
  const [again] = await answersWithin(41)
  expect(first.map(({ mail }) => mail.messageId)).toContain(again?.mail.messageId)
})

test('a mail to oneself arrives as it is; machines and strangers are not answered', async () => {
  const { box, user } = await practising()
  await send(box, [user.email])
  const [own] = await answersWithin(1)
  expect(own?.mail).toMatchObject({ subject: 'A quick idea', from: { address: user.email } })
  await send(box, ['ann+question@corp.example'], { autoSubmitted: 'auto-replied' })
  await send(box, ['ann+question@corp.example'], { from: 'somebody@else.example' })
  expect(await answersWithin(60)).toEqual([])
})

test('due answers arrive in the inbox and leave the queue', async () => {
  const { box, user } = await practising()
  await send(box, ['ann+question@corp.example', 'ann+bounce@corp.example', user.email])
  await deliverAnswers(app.context)
  const subjects = async () =>
    (await call(app.url, emails.list, { token: user.token, query: { folder: 'inbox' } })).body.map(
      ({ subject }) => subject,
    )
  expect(await subjects()).toEqual(['A quick idea'])
  app.clock.forward(41_000)
  await Promise.all([deliverAnswers(app.context), deliverAnswers(app.context)])
  expect((await subjects()).sort()).toEqual([
    'A quick idea',
    'Re: A quick idea',
    'Undelivered Mail Returned to Sender',
  ])
  expect(await answersWithin(100)).toEqual([])
})

test('an answer that cannot be ingested waits, and delays no other', async () => {
  const { box, user } = await practising()
  const row = { user_id: box.user_id, mailbox_id: box.id, due_at: new Date(0) }
  await addAnswers(app.context.db, [
    { ...row, raw: Buffer.alloc(0) },
    { ...row, raw: Buffer.from('From: ann@corp.example\r\nSubject: I am here\r\n\r\nHello.\r\n') },
  ])
  await deliverAnswers(app.context)
  const { body } = await call(app.url, emails.list, { token: user.token, query: { folder: 'inbox' } })
  expect(body.map(({ subject }) => subject)).toEqual(['I am here'])
  const by = new Date(app.clock.now().getTime() + 61_000)
  const waiting = await app.context.db.transaction().execute((tx) => takeDueAnswers(tx, by, 10, 1e9))
  expect(waiting.map(({ raw }) => raw.length)).toEqual([0])
})

test('another mailbox’s password is refused', async () => {
  const { box } = await practising()
  const other = (await practising()).box
  const account = { ...smtpAccountOf(app.context, box), password: smtpAccountOf(app.context, other).password }
  await expect(openSmtp(account, { guard: dialGuardOf(app.context, box) })).rejects.toMatchObject({
    kind: 'auth',
  })
  const elsewhere = { ...smtpAccountOf(app.context, box), host: 'localhost' }
  await expect(openSmtp(elsewhere, { guard: dialGuardOf(app.context, box) })).rejects.toMatchObject({
    kind: 'not_allowed',
  })
})

test('two workers take each answer once, and no more bytes than allowed', async () => {
  const { box } = await practising()
  const raw = Buffer.from(`Subject: x\r\n\r\n${'y'.repeat(1000)}`)
  const row: NewAnswer = { user_id: box.user_id, mailbox_id: box.id, due_at: new Date(0), raw }
  await addAnswers(
    app.context.db,
    Array.from({ length: 40 }, () => row),
  )
  const take = () =>
    app.context.db.transaction().execute((tx) => takeDueAnswers(tx, new Date(), 10, 5 * raw.length))
  const taken = await Promise.all([take(), take()])
  expect(taken.map((rows) => rows.length)).toEqual([5, 5])
  expect(new Set(taken.flat().map(({ id }) => id)).size).toBe(10)
  await answersWithin(0)
})

test('many answers are written in few statements, and one that cannot be written fails alone', async () => {
  const batches: number[] = []
  const bad = Buffer.from('bad')
  const writer = makeAnswerWriter(async (rows) => {
    if (rows.some(({ raw }) => raw === bad)) throw new Error('no such mailbox')
    batches.push(rows.length)
    await Promise.resolve()
  })
  const row = (raw: Buffer): NewAnswer => ({ user_id: 1, mailbox_id: 1, due_at: new Date(), raw })
  const written = Array.from({ length: 1000 }, () => writer.write([row(Buffer.from('x'))]))
  await Promise.all(written)
  expect(batches.length).toBeLessThan(10)
  expect(batches.reduce((sum, size) => sum + size, 0)).toBe(1000)
  const mixed = await Promise.allSettled(
    [bad, Buffer.from('x'), bad, Buffer.from('x')].map((raw) => writer.write([row(raw)])),
  )
  expect(mixed.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
})
