import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { makeDialGuard, MAIL_PORTS } from '#server/platform/security/addresses.ts'
import { startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { openSmtp, type SmtpMail } from './smtp.ts'

const guard = makeDialGuard({ allowPrivate: true, ports: MAIL_PORTS })
const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const mailTo = (...to: string[]): SmtpMail => ({
  envelope: { from: 'ann@example.com', to },
  raw: Buffer.from(`Message-ID: <${to.join('-')}>\r\n\r\nhello\r\n`),
})

/** A scripted server: `reply` gets each line and returns what to write. `lines` and `pieces` keep everything that was read. */
async function wireServer(
  reply: (line: string, socket: Socket) => string | undefined,
  extensions = ['PIPELINING'],
): Promise<{ port: number; lines: string[]; pieces: string[] }> {
  const lines: string[] = []
  const pieces: string[] = []
  const server = createServer((socket) => {
    let rest = ''
    socket.on('error', () => {})
    socket.write('220 hello\r\n')
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece.toString())
      const found = (rest + piece.toString()).split('\r\n')
      rest = found.pop() ?? ''
      for (const line of found) {
        lines.push(line)
        const hello = line.startsWith('EHLO')
          ? `250-wire\r\n250 ${extensions.join('\r\n250 ')}\r\n`
          : undefined
        socket.write(hello ?? reply(line, socket) ?? '')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  return { port: (server.address() as AddressInfo).port, lines, pieces }
}

async function open(port: number) {
  const session = await openSmtp(
    { host: '127.0.0.1', port, security: 'plain', username: '', password: '' },
    { guard },
  )
  closers.push(() => session.close())
  return session
}

const USUAL: Record<string, string> = { DATA: '354 go\r\n', '.': '250 accepted\r\n', RSET: '250 ok\r\n' }
const usual = (line: string) => (/^(MAIL|RCPT)/.test(line) ? '250 ok\r\n' : USUAL[line])

describe('a server with PIPELINING', () => {
  test('gets a mail in one write, with the next envelope after its final dot', async () => {
    const { port, pieces } = await wireServer(usual)
    const session = await open(port)
    const [one, two] = [mailTo('one@example.com'), mailTo('two@example.com')]
    await session.send(one.envelope, one.raw, undefined, () => two)
    await session.send(two.envelope, two.raw)
    const groups = pieces.slice(1)
    expect(groups).toHaveLength(3)
    expect(groups[0]).toMatch(/^MAIL .*\r\nRCPT TO:<one@example.com>\r\nDATA\r\n$/)
    expect(groups[1]).toMatch(/hello\r\n\.\r\nMAIL .*\r\nRCPT TO:<two@example.com>\r\nDATA\r\n$/)
    expect(groups[2]).toMatch(/<two@example.com>\r\n\r\nhello\r\n\.\r\n$/)
  })

  test('may refuse the only recipient and wait for data all the same: it gets an empty mail', async () => {
    const { port, lines } = await wireServer((line) =>
      line.startsWith('RCPT TO:<no')
        ? '550 5.1.1 No such user\r\n'
        : line === '.'
          ? '554 nobody\r\n'
          : usual(line),
    )
    const session = await open(port)
    const mail = mailTo('no@example.com')
    await expect(session.send(mail.envelope, mail.raw)).rejects.toMatchObject({
      kind: 'refused',
      words: '550 5.1.1 No such user',
      perRecipient: [{ address: 'no@example.com', kind: 'refused', code: 550 }],
    })
    expect(lines.slice(-3)).toEqual(['DATA', '.', 'RSET'])
    expect(lines.join('\n')).not.toContain('hello')
    expect(session.usable).toBe(true)
  })

  test('may refuse the sender and wait for data: the connection is closed, and nothing of the mail is written', async () => {
    const { port, lines } = await wireServer((line) =>
      line.startsWith('MAIL') ? '550 5.7.1 Not you\r\n' : usual(line),
    )
    const session = await open(port)
    const mail = mailTo('bob@example.com')
    await expect(session.send(mail.envelope, mail.raw)).rejects.toMatchObject({ kind: 'refused', code: 550 })
    expect(session.usable).toBe(false)
    expect(lines).not.toContain('.')
  })

  test('may refuse the next envelope: the mails before and after it arrive', async () => {
    const { port } = await wireServer((line) =>
      line.startsWith('RCPT TO:<no') ? '450 4.2.1 Later\r\n' : usual(line),
    )
    const session = await open(port)
    const [one, no, two] = [mailTo('one@example.com'), mailTo('no@example.com'), mailTo('two@example.com')]
    const acceptance = await session.send(one.envelope, one.raw, undefined, () => no)
    expect(acceptance.response).toBe('250 accepted')
    await expect(session.send(no.envelope, no.raw)).rejects.toMatchObject({ kind: 'later', code: 450 })
    expect((await session.send(two.envelope, two.raw)).accepted).toEqual(['two@example.com'])
  })

  test('may refuse a mail when the next envelope has gone ahead: only that mail is refused', async () => {
    let dots = 0
    const { port } = await wireServer((line) =>
      line === '.' && ++dots === 1 ? '554 5.7.1 Spam\r\n' : usual(line),
    )
    const session = await open(port)
    const [spam, fine] = [mailTo('spam@example.com'), mailTo('fine@example.com')]
    await expect(session.send(spam.envelope, spam.raw, undefined, () => fine)).rejects.toMatchObject({
      kind: 'refused',
      code: 554,
    })
    expect((await session.send(fine.envelope, fine.raw)).accepted).toEqual(['fine@example.com'])
  })

  test('may keep the sender of a refused mail: the next envelope is sent again', async () => {
    let dots = 0
    let isHeld = false
    const { port, lines } = await wireServer((line) => {
      if (line === '.' && ++dots === 1) isHeld = true
      if (line === 'RSET') isHeld = false
      if (isHeld && line === '.') return '554 5.7.1 Spam\r\n'
      if (isHeld) return '503 5.5.1 Sender already given\r\n'
      return usual(line)
    })
    const session = await open(port)
    const [spam, fine] = [mailTo('spam@example.com'), mailTo('fine@example.com')]
    const refused = session.send(spam.envelope, spam.raw, undefined, () => fine)
    await expect(refused).rejects.toMatchObject({ code: 554 })
    expect((await session.send(fine.envelope, fine.raw)).accepted).toEqual(['fine@example.com'])
    expect(lines.filter((line) => line.startsWith('RCPT TO:<fine'))).toHaveLength(2)
  })

  test('may accept some of the recipients', async () => {
    const { port } = await wireServer((line) =>
      line.startsWith('RCPT TO:<no') ? '550 5.1.1 No such user\r\n' : usual(line),
    )
    const session = await open(port)
    const mail = mailTo('yes@example.com', 'no@example.com', 'also@example.com')
    const { accepted, rejected } = await session.send(mail.envelope, mail.raw)
    expect(accepted).toEqual(['yes@example.com', 'also@example.com'])
    expect(rejected).toMatchObject([{ address: 'no@example.com', kind: 'refused', code: 550 }])
  })

  test('may reply byte by byte', async () => {
    const { port } = await wireServer((line, socket) => {
      for (const character of usual(line) ?? '') socket.write(character)
      return undefined
    })
    const session = await open(port)
    const mails = Array.from({ length: 5 }, (_, n) => mailTo(`${n}@example.com`))
    for (const [n, mail] of mails.entries()) {
      const acceptance = await session.send(mail.envelope, mail.raw, undefined, () => mails[n + 1])
      expect(acceptance.response).toBe('250 accepted')
    }
  })

  test('may close the connection after a mail: that mail has arrived, the next one was not accepted', async () => {
    let isGone = false
    const { port } = await wireServer((line, socket) => {
      if (isGone) return undefined
      if (line !== '.') return usual(line)
      isGone = true
      socket.end('250 accepted\r\n')
      return undefined
    })
    const session = await open(port)
    const [one, two] = [mailTo('one@example.com'), mailTo('two@example.com')]
    expect((await session.send(one.envelope, one.raw, undefined, () => two)).response).toBe('250 accepted')
    await expect(session.send(two.envelope, two.raw)).rejects.toMatchObject({ kind: 'unreachable' })
    expect(session.usable).toBe(false)
  })

  test('may close the connection instead of replying: the mail is unsure, the next one is not', async () => {
    const { port } = await wireServer((line, socket) => {
      if (line !== '.') return usual(line)
      socket.destroy()
      return undefined
    })
    const session = await open(port)
    const [one, two] = [mailTo('one@example.com'), mailTo('two@example.com')]
    await expect(session.send(one.envelope, one.raw, undefined, () => two)).rejects.toMatchObject({
      kind: 'unsure',
    })
    await expect(session.send(two.envelope, two.raw)).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('gets no other mail than the one whose envelope went ahead', async () => {
    const sink = await startSmtpSink({})
    closers.push(() => sink.stop())
    const session = await open(sink.port)
    const [one, two, three] = [mailTo('1@example.com'), mailTo('2@example.com'), mailTo('3@example.com')]
    await session.send(one.envelope, one.raw, undefined, () => two)
    await expect(session.send(three.envelope, three.raw)).rejects.toMatchObject({ kind: 'unreachable' })
    expect(session.usable).toBe(false)
    expect(sink.count).toBe(1)
  })
})

test('a server without PIPELINING gets no envelope ahead', async () => {
  let isBusy = false
  const { port, pieces } = await wireServer(
    (line) => {
      if (isBusy && line === '.') isBusy = false
      return usual(line)
    },
    ['8BITMIME'],
  )
  const session = await open(port)
  const [one, two] = [mailTo('one@example.com'), mailTo('two@example.com')]
  await session.send(one.envelope, one.raw, undefined, () => two)
  await session.send(two.envelope, two.raw)
  for (const piece of pieces) expect(piece.match(/^(MAIL|RCPT|DATA)/gm)?.length ?? 0).toBeLessThanOrEqual(1)
})
