import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { makeDialGuard, MAIL_PORTS } from '#server/platform/security/addresses.ts'
import {
  startSmtpSink,
  type SinkAction,
  type SinkOptions,
  type SinkStep,
  type SmtpSink,
} from '../../../tests/support/smtp-sink.ts'
import { openSmtp, SmtpFailure, testSmtp, type SmtpAccount, type SmtpDeadlines } from './smtp.ts'

const guard = makeDialGuard({ allowPrivate: true, ports: MAIL_PORTS })
const envelope = { from: 'ann@example.com', to: ['bob@example.com'] }
const raw = Buffer.from('Message-ID: <1@test>\r\nSubject: Hello\r\n\r\n.a dot\r\n..two\r\nend\r\n')
const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function sinkWith(options: SinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options)
  closers.push(() => sink.stop())
  return sink
}

function accountAt(port: number, more: Partial<SmtpAccount> = {}): SmtpAccount {
  return { host: '127.0.0.1', port, security: 'plain', username: 'ann', password: 'right', ...more }
}

async function open(account: SmtpAccount, deadlines?: Partial<SmtpDeadlines>) {
  const session = await openSmtp(account, { guard, ...(deadlines ? { deadlines } : {}) })
  closers.push(() => session.close())
  return session
}

/** Sends one mail through a sink that does `action` at `step`. */
async function sendThrough(step: SinkStep, action: SinkAction, options: SinkOptions = {}) {
  const sink = await sinkWith({ ...options, script: (event) => (event.step === step ? action : undefined) })
  // Only what the sink holds up is given up soon: a busy machine is slow, too.
  const held = { connect: 'greeting', dot: 'answer' }[step as string] ?? 'command'
  const holds = action === 'stall' || (typeof action === 'object' && 'drip' in action)
  const deadlines = holds ? { [held]: 300 } : undefined
  const sending = (async () => await (await open(accountAt(sink.port), deadlines)).send(envelope, raw))()
  const failure = await sending.then(
    () => undefined,
    (error: unknown) => error as SmtpFailure,
  )
  return { sink, failure }
}

describe('sending', () => {
  test('delivers the bytes unchanged to every recipient, many mails over one connection', async () => {
    const sink = await sinkWith()
    const session = await open(accountAt(sink.port))
    const big = Buffer.concat([Buffer.from('Subject: big\r\n\r\n'), Buffer.alloc(300_000, 'line\r\n.\r\n')])
    await session.send({ from: '', to: ['a@example.com', 'b@example.com'] }, raw)
    await session.send(envelope, Buffer.concat([big, Buffer.from('\r\n')]))
    const acceptance = await session.send(envelope, raw)
    expect(acceptance).toEqual({
      response: expect.stringMatching(/^250 /),
      accepted: ['bob@example.com'],
      rejected: [],
    })
    expect(sink.received[0]).toMatchObject({
      envelope: { from: '', to: ['a@example.com', 'b@example.com'] },
      raw,
    })
    expect(sink.received[1]?.raw.equals(Buffer.concat([big, Buffer.from('\r\n')]))).toBe(true)
    expect(sink.connections.total).toBe(1)
    expect(sink.byMessageId.get('1@test')).toEqual([1, 1])
  })

  test('works without PIPELINING and without AUTH', async () => {
    const sink = await sinkWith({ hidePipelining: true })
    const session = await open(accountAt(sink.port, { username: '' }))
    await session.send(envelope, raw)
    await session.send(envelope, raw)
    expect(sink.count).toBe(2)
  })

  test('reports which recipients were refused while others were accepted', async () => {
    const sink = await sinkWith({
      script: ({ address }) =>
        address === 'no@example.com' ? { reply: '550 5.1.1 No such user' } : undefined,
    })
    const session = await open(accountAt(sink.port))
    const acceptance = await session.send(
      { from: 'a@example.com', to: ['no@example.com', 'yes@example.com'] },
      raw,
    )
    expect(acceptance.accepted).toEqual(['yes@example.com'])
    expect(acceptance.rejected).toEqual([
      { address: 'no@example.com', kind: 'refused', code: 550, words: '550 5.1.1 No such user' },
    ])
  })

  test('goes on with the next mail after a refused one', async () => {
    const sink = await sinkWith({
      script: ({ address }) =>
        address === 'no@example.com' ? { reply: '550 5.1.1 No such user' } : undefined,
    })
    const session = await open(accountAt(sink.port))
    await expect(session.send({ from: 'a@example.com', to: ['no@example.com'] }, raw)).rejects.toMatchObject({
      kind: 'refused',
      perRecipient: [{ address: 'no@example.com', kind: 'refused' }],
    })
    expect(session.usable).toBe(true)
    await session.send(envelope, raw)
    expect(sink.count).toBe(1)
    expect(sink.connections.total).toBe(1)
  })

  test('reports that the server ends the connection after a number of mails', async () => {
    const sink = await sinkWith({ maxMailsPerConnection: 1 })
    const session = await open(accountAt(sink.port))
    await session.send(envelope, raw)
    await expect(session.send(envelope, raw)).rejects.toMatchObject({ kind: 'later', code: 421 })
    expect(session.usable).toBe(false)
    expect(sink.count).toBe(1)
  })

  test('lets no address smuggle in a command', async () => {
    const sink = await sinkWith()
    const session = await open(accountAt(sink.port))
    const to = ['bob@example.com>\r\nRCPT TO:<eve@example.com']
    await expect(session.send({ from: 'a@example.com', to }, raw)).rejects.toMatchObject({ kind: 'refused' })
    await session.send(envelope, raw)
    expect(sink.received.map((mail) => mail.envelope.to)).toEqual([['bob@example.com']])
  })

  test.each([
    '"a"> RCPT TO:<eve@example.com',
    '"a\r\nRCPT TO:<eve@example.com>"@example.com',
    '"a@example.com> SIZE=1',
    '"a\\\\"> "@example.com',
    'a<b@example.com',
  ])('nor one in quotes: %j', async (address) => {
    const session = await open(accountAt((await sinkWith()).port))
    for (const each of [
      { from: 'a@example.com', to: [address] },
      { from: address, to: ['bob@example.com'] },
    ])
      await expect(session.send(each, raw)).rejects.toMatchObject({ kind: 'refused' })
  })

  test('writes to an address that needs its quotes', async () => {
    const sink = await sinkWith()
    const session = await open(accountAt(sink.port))
    const to = ['"ceo@bank.test"@attack.test', '"a, b"@example.com', '"a> "@example.com']
    await session.send({ from: 'a@example.com', to }, raw)
    expect(sink.received.map((mail) => mail.envelope.to)).toEqual([to])
  })
})

describe('beforeFinalDot', () => {
  test('runs once the server is ready for the mail, and before the server has it', async () => {
    const sink = await sinkWith()
    const session = await open(accountAt(sink.port))
    let countBeforeDot = -1
    await session.send(envelope, raw, async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      countBeforeDot = sink.count
    })
    expect(countBeforeDot).toBe(0)
    expect(sink.count).toBe(1)
  })

  test('when it fails, the server accepts nothing, and send rejects with its error', async () => {
    const sink = await sinkWith()
    const session = await open(accountAt(sink.port))
    const diskFull = new Error('no space left on device')
    await expect(session.send(envelope, raw, () => Promise.reject(diskFull))).rejects.toBe(diskFull)
    expect(session.usable).toBe(false)
    const next = await open(accountAt(sink.port))
    await next.send(envelope, raw)
    expect(sink.count).toBe(1)
  })

  test('does not run for a mail that is refused before', async () => {
    const sink = await sinkWith({ script: ({ step }) => (step === 'rcpt' ? { reply: '550 no' } : undefined) })
    const session = await open(accountAt(sink.port))
    let calls = 0
    const sending = session.send(envelope, raw, async () => void (calls += 1))
    await expect(sending).rejects.toMatchObject({ kind: 'refused' })
    expect(calls).toBe(0)
  })

  test('when the connection breaks while it runs, nothing is accepted, and send waits for it to settle', async () => {
    const sink = await sinkWith()
    const session = await open(accountAt(sink.port))
    let settled = false
    const sending = session.send(envelope, raw, async () => {
      await sink.stop()
      await new Promise((resolve) => setTimeout(resolve, 100))
      settled = true
    })
    await expect(sending).rejects.toMatchObject({ kind: 'unreachable' })
    expect(settled).toBe(true)
    expect(sink.count).toBe(0)
  })
})

describe('the kind of a failure', () => {
  const cases: [string, SinkStep, SinkAction, string, number][] = [
    ['greylisted', 'rcpt', { reply: '451 4.7.1 Greylisted' }, 'later', 0],
    ['sender refused', 'mail', { reply: '550 5.7.1 Not your address' }, 'refused', 0],
    ['no such user', 'rcpt', { reply: '550 5.1.1 No such user' }, 'refused', 0],
    ['mailbox full', 'rcpt', { reply: '552 5.2.2 Mailbox full' }, 'refused', 0],
    ['must sign in', 'mail', { reply: '530 5.7.0 Authentication required' }, 'auth', 0],
    ['content refused', 'dot', { reply: '554 5.7.1 Spam' }, 'refused', 0],
    ['no storage now', 'dot', { reply: '452 4.3.1 Try later' }, 'later', 0],
    ['too large after the data', 'dot', { reply: '552 5.3.4 Too big' }, 'too_large', 0],
    ['shutting down', 'dot', { reply: '421 4.3.2 Shutting down' }, 'later', 0],
    ['connection lost before the final dot', 'mail', 'drop', 'unreachable', 0],
    ['connection lost after it', 'dot', 'drop', 'unsure', 0],
    ['accepted, then connection lost', 'dot', 'keep-and-drop', 'unsure', 1],
    ['no reply to MAIL', 'mail', 'stall', 'unreachable', 0],
    ['no reply to the final dot', 'dot', 'stall', 'unsure', 0],
    ['an endless reply', 'dot', { drip: 20 }, 'unsure', 0],
    ['an endless reply to MAIL', 'mail', { drip: 20 }, 'unreachable', 0],
    ['wrong password', 'auth', { reply: '535 5.7.8 Bad credentials' }, 'auth', 0],
    ['sign-in not possible now', 'auth', { reply: '454 4.7.0 Temporary failure' }, 'later', 0],
    ['no reply to AUTH', 'auth', 'stall', 'unreachable', 0],
    ['refused on connecting', 'connect', { reply: '554 5.7.1 No service for you' }, 'unreachable', 0],
    ['busy on connecting', 'connect', { reply: '421 4.7.0 Too many connections' }, 'later', 0],
    ['closed on connecting', 'connect', 'drop', 'unreachable', 0],
    ['no greeting', 'connect', 'stall', 'unreachable', 0],
    ['an endless greeting', 'connect', { drip: 20 }, 'unreachable', 0],
  ]
  test.each(cases)('%s', async (_name, step, action, kind, accepted) => {
    const { sink, failure } = await sendThrough(step, action)
    expect(failure).toBeInstanceOf(SmtpFailure)
    expect(failure).toMatchObject({ kind })
    if (typeof action === 'object' && 'reply' in action) {
      expect(failure?.words).toBe(action.reply)
      expect(failure?.code).toBe(Number(action.reply.slice(0, 3)))
    }
    expect(sink.count).toBe(accepted)
  })

  test('larger than the server announced: not even tried', async () => {
    const sink = await sinkWith({ maxBytes: 50 })
    const session = await open(accountAt(sink.port))
    await expect(session.send(envelope, raw)).rejects.toMatchObject({ kind: 'too_large' })
    expect(session.usable).toBe(true)
  })

  test('no listener, an unknown host, a forbidden host', async () => {
    await expect(open(accountAt(2525))).rejects.toMatchObject({
      kind: 'unreachable',
      words: 'connection refused',
    })
    await expect(open(accountAt(25, { host: 'no-such-host.invalid' }))).rejects.toMatchObject({
      kind: 'unreachable',
    })
    const strict = makeDialGuard({ allowPrivate: false, ports: MAIL_PORTS })
    const forbidden = openSmtp(accountAt(25), { guard: strict })
    await expect(forbidden).rejects.toMatchObject({ kind: 'not_allowed' })
  })

  test.each(['tls', 'starttls'] as const)('an untrusted certificate (%s)', async (security) => {
    const sink = await sinkWith({ security })
    await expect(open(accountAt(sink.port, { security }))).rejects.toMatchObject({ kind: 'certificate' })
    const session = await open(accountAt(sink.port, { security, allowInvalidCertificate: true }))
    await session.send(envelope, raw)
    expect(sink.count).toBe(1)
  })

  test('no encryption although it is required: no password is sent', async () => {
    const passwords: unknown[] = []
    const sink = await sinkWith({
      script: ({ password }) => {
        if (password) passwords.push(password)
        return undefined
      },
    })
    await expect(open(accountAt(sink.port, { security: 'starttls' }))).rejects.toMatchObject({
      kind: 'certificate',
    })
    await expect(open(accountAt(sink.port, { security: 'tls' }))).rejects.toMatchObject({
      kind: 'certificate',
    })
    expect(passwords).toEqual([])
  })
})

describe('a server that breaks the protocol', () => {
  /** A raw server: `answer` gets each line and returns what to write. */
  async function rawServer(answer: (line: string, socket: Socket) => string | undefined): Promise<number> {
    const server = createServer((socket) => {
      let rest = ''
      socket.on('error', () => {})
      socket.write('220 hello\r\n')
      socket.on('data', (piece: Buffer) => {
        const lines = (rest + piece.toString()).split('\r\n')
        rest = lines.pop() ?? ''
        for (const line of lines) socket.write(answer(line, socket) ?? '')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => server.close())
    return (server.address() as AddressInfo).port
  }
  const usual = (line: string) => (/^(EHLO|MAIL|RCPT)/.test(line) ? '250 ok\r\n' : undefined)

  test('"250" before the end of the mail does not count', async () => {
    const port = await rawServer(
      (line) => usual(line) ?? (line === 'DATA' ? '354 go\r\n250 thanks, got it\r\n' : undefined),
    )
    const session = await open(accountAt(port, { username: '' }))
    const sending = session.send(envelope, raw, () => new Promise((resolve) => setTimeout(resolve, 100)))
    await expect(sending).rejects.toMatchObject({ kind: 'unreachable' })
    expect(session.usable).toBe(false)
  })

  test('DATA itself can be refused', async () => {
    const port = await rawServer(
      (line) => usual(line) ?? (line === 'DATA' ? '451 not now\r\n' : '250 ok\r\n'),
    )
    const session = await open(accountAt(port, { username: '' }))
    await expect(session.send(envelope, raw)).rejects.toMatchObject({ kind: 'later', code: 451 })
    expect(session.usable).toBe(true)
  })

  test('a reply to the final dot that is not SMTP leaves the mail unsure', async () => {
    const port = await rawServer((line) => usual(line) ?? { DATA: '354 go\r\n', '.': 'banana\r\n' }[line])
    const session = await open(accountAt(port, { username: '' }))
    await expect(session.send(envelope, raw)).rejects.toMatchObject({ kind: 'unsure' })
  })

  test('an endless reply is cut off, a long one is shortened and cleaned', async () => {
    const flood = await rawServer((line, socket) => {
      if (line.startsWith('EHLO')) for (let n = 0; n < 200; n++) socket.write(`250-${'x'.repeat(1000)}\r\n`)
      return undefined
    })
    await expect(open(accountAt(flood, { username: '' }))).rejects.toMatchObject({ kind: 'unreachable' })
    const bell = await rawServer((line) =>
      line.startsWith('MAIL') ? `550 no\u0007\u202e${'y'.repeat(2000)}\r\n` : '250 ok\r\n',
    )
    const session = await open(accountAt(bell, { username: '' }))
    const failure = await session.send(envelope, raw).catch((error: unknown) => error as SmtpFailure)
    if (!(failure instanceof SmtpFailure)) throw new Error('it was sent')
    expect(failure.words).toMatch(/^550 no y+$/)
    expect(failure.words.length).toBe(500)
  })
})

describe('testSmtp', () => {
  test('describes success and failure in a sentence', async () => {
    const sink = await sinkWith({ users: { ann: 'right' } })
    expect(await testSmtp(accountAt(sink.port), { guard })).toEqual({
      ok: true,
      detail: 'Connected and signed in.',
    })
    expect(await testSmtp(accountAt(sink.port, { password: 'wrong' }), { guard })).toEqual({
      ok: false,
      detail: 'The server did not accept the user name and password. (535 5.7.8 Authentication failed)',
    })
    const { ok, detail } = await testSmtp(accountAt(2525), { guard })
    expect(ok).toBe(false)
    expect(detail).toBe('The server could not be reached. Check the host and the port. (connection refused)')
  })

  test.each([
    ['SSH', 'SSH-2.0-OpenSSH_9.9 inner-secret\r\n'],
    ['HTTP', 'HTTP/1.1 400 inner-secret\r\n\r\n'],
    ['POP3', '+OK inner-secret\r\n'],
    ['a code that is not a greeting', '500 inner-secret\r\n'],
    ['an unfinished line', '500 inner-secret'],
    ['IMAP', '* OK inner-secret\r\n'],
  ])('shows nothing of a server that speaks %s', async (_, greeting) => {
    const port = await serverSaying(greeting)
    expect(await testSmtp(accountAt(port), { guard })).toEqual({
      ok: false,
      detail: 'The server at 127.0.0.1 does not speak SMTP. Check the host and the port.',
    })
    const failure = await open(accountAt(port)).catch((error: unknown) => error as SmtpFailure)
    expect(failure).toMatchObject({ kind: 'unreachable', words: 'it does not speak SMTP' })
  })

  test.each(['554 5.7.1 not from your address\r\n', '421 too many connections\r\n'])(
    'shows the reply of a mail server that refuses: %s',
    async (greeting) => {
      const { detail } = await testSmtp(accountAt(await serverSaying(greeting)), { guard })
      expect(detail).toContain(greeting.trim())
    },
  )

  /** Says this to everybody, and hangs up. */
  async function serverSaying(greeting: string): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(greeting)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => server.close())
    return (server.address() as AddressInfo).port
  }
})
