import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { type SinkScript, startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'
import { newestSystemMail, systemMailTo } from '../../../tests/support/system-mail.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'
import { wakeLoops } from '../../platform/jobs/loop.ts'
import { sendSystemMail } from './send-system-mail.ts'
import { REMOVING } from './system-sender.ts'
import { until } from '../../../tests/support/until.ts'

const NOTICE = writeSystemMail('Something happened', [
  'It did, <b>really</b>.',
  { link: 'https://a.example/?a=1&b=2', label: 'Look' },
])
const BEA = 'bea@far.example'

let app: TestApp | undefined
let sink: SmtpSink | undefined

afterEach(async () => {
  await app?.end()
  await sink?.stop()
  app = sink = undefined
})

async function start(script?: SinkScript) {
  sink = await startSmtpSink(script === undefined ? {} : { script })
  app = await startTestApp({ environment: systemMailTo(sink) })
  return { app, sink }
}

async function statesOf({ context }: TestApp): Promise<string[]> {
  const { rows } = await runSql(context.db, 'SELECT state FROM system_mails ORDER BY id')
  return (rows as { state: string }[]).map(({ state }) => state)
}

async function rowsLeft({ context }: TestApp): Promise<unknown> {
  const { rows } = await runSql(
    context.db,
    `SELECT (SELECT count(*)::int FROM emails) AS emails, (SELECT count(*)::int FROM correspondents) AS correspondents,
      (SELECT count(*)::int FROM suppressions) AS suppressions,
      (SELECT count(*)::int FROM system_mails WHERE content_box IS NOT NULL) AS contents`,
  )
  return rows[0]
}
const NOTHING = { emails: 0, correspondents: 0, suppressions: 0, contents: 0 }

test('a mail from Howl arrives once with text and HTML, and leaves no trace', async () => {
  const { app, sink } = await start()
  await queueSystemMail(app.context, app.context.db, { to: BEA, ...NOTICE })
  await Promise.all([1, 2, 3].map(() => sendSystemMail(app.context)))
  const mail = await newestSystemMail(sink, BEA)
  expect(mail.text).toBe('It did, <b>really</b>.\n\nLook:\nhttps://a.example/?a=1&b=2\n\nHowl')
  expect(mail.html).toContain('It did, &lt;b&gt;really&lt;/b&gt;.')
  expect(mail.html).toContain('<a href="https://a.example/?a=1&amp;b=2">Look</a>')
  await expect.poll(() => statesOf(app)).toEqual(['sent'])
  await expect.poll(() => rowsLeft(app)).toEqual(NOTHING)
  expect(sink.count).toBe(1)
})

test('ten minutes after a mail left, its row is removed', async () => {
  const { app, sink } = await start()
  app.clock.stand()
  await queueSystemMail(app.context, app.context.db, { to: BEA, ...NOTICE })
  await newestSystemMail(sink, BEA)
  await expect.poll(() => statesOf(app)).toEqual(['sent'])
  app.clock.forward(599_000)
  await wakeLoops(app.context.db, REMOVING)
  await queueSystemMail(app.context, app.context.db, { to: 'cid@far.example', ...NOTICE })
  await expect.poll(() => statesOf(app)).toEqual(['sent', 'sent'])
  app.clock.forward(60_000)
  await wakeLoops(app.context.db, REMOVING)
  await expect.poll(() => statesOf(app)).toEqual(['sent'])
})

test('what its transaction takes back never leaves', async () => {
  const { app, sink } = await start()
  await expect(
    app.context.db.transaction().execute(async (tx) => {
      await queueSystemMail(app.context, tx, { to: BEA, ...NOTICE })
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await queueSystemMail(app.context, app.context.db, { to: 'cid@far.example', ...NOTICE })
  await newestSystemMail(sink, 'cid@far.example')
  expect(sink.count).toBe(1)
})

test('an address that was refused once gets the next mail', async () => {
  let refuses = true
  const { app, sink } = await start(({ step }) =>
    step === 'rcpt' && refuses ? { reply: '550 5.1.1 No such user' } : undefined,
  )
  await queueSystemMail(app.context, app.context.db, { to: BEA, ...NOTICE })
  await expect.poll(() => statesOf(app)).toEqual(['failed'])
  refuses = false
  await queueSystemMail(app.context, app.context.db, { to: BEA, ...NOTICE })
  await newestSystemMail(sink, BEA)
  await expect.poll(() => rowsLeft(app)).toEqual(NOTHING)
})

test('a mail that is deferred beyond its use is not sent any more', async () => {
  const { app, sink } = await start(({ step }) =>
    step === 'rcpt' ? { reply: '451 4.7.1 Greylisted' } : undefined,
  )
  const expiresAt = new Date(app.clock.now().getTime() + 600_000)
  await queueSystemMail(app.context, app.context.db, { to: BEA, ...NOTICE, expiresAt })
  await until(async () => {
    const { rows } = await runSql(app.context.db, 'SELECT state FROM deliveries')
    expect(rows).toEqual([{ state: 'deferred' }])
  })
  app.clock.forward(601_000)
  await expect.poll(() => statesOf(app)).toEqual(['failed'])
  expect(await rowsLeft(app)).toEqual(NOTHING)
  expect(sink.count).toBe(0)
})

test('without a mail server the text goes to the terminal, and whoever waits is told so', async () => {
  const lines: string[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter(Boolean)))
  app = await startTestApp({ log: pino({ level: 'warn' }, stream) })
  const { email } = await signUp(app.url)
  const answer = await call(app.url, passwordReset.requestOtp, { body: { email } })
  expect(answer.body).toEqual({ exists: true, otp_sent: true, printed: true })
  const printed = lines
    .map((line) => JSON.parse(line) as { to?: string; text?: string })
    .find(({ to, text = '' }) => to === email && text.includes('Your code is'))
  const code = /Your code is (\w{6})\./.exec(printed?.text ?? '')?.[1] ?? ''
  const verified = await call(app.url, passwordReset.verifyOtp, { body: { email, otp: code } })
  expect(verified.body).toEqual({ valid: true })
})
