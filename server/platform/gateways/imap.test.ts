import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeDialGuard, MAIL_PORTS } from '#server/platform/security/addresses.ts'
import { startDovecot, type Dovecot } from '../../../tests/support/dovecot.ts'
import {
  silence,
  startCuttingProxy,
  startHostileImap,
  type CuttingProxy,
  type CutManner,
  type HostileImap,
  type ImapScript,
} from '../../../tests/support/hostile-imap.ts'
import { loopbackGuard, testMail } from '../../../tests/support/mail-servers.ts'
import { startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import {
  ImapFailure,
  openImap,
  testImap,
  type ImapAccount,
  type ImapDeadlines,
  type ImapSession,
} from './imap.ts'

const MANY = 120
let dovecot: Dovecot
const closers: (() => unknown)[] = []

beforeAll(async () => {
  dovecot = await startDovecot({ users: { ann: 'right', bulk: 'right', idler: 'right', mover: 'right' } })
  await dovecot.deliverMany(
    'bulk',
    'INBOX',
    Array.from({ length: MANY }, (_, n) =>
      testMail({ 'Message-ID': `<${n}@bulk>`, Subject: `Mail ${n}` }, 'x'.repeat(n * 20)),
    ),
  )
})
afterAll(() => dovecot.stop())
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Only for servers that keep one waiting: a busy machine is slow, too. */
const QUICK = { connect: 600, greeting: 600, login: 600, command: 600, row: 600, transfer: 600 }

async function open(account: ImapAccount, deadlines?: Partial<ImapDeadlines>): Promise<ImapSession> {
  const session = await openImap(account, { guard: loopbackGuard, ...(deadlines ? { deadlines } : {}) })
  closers.push(() => session.close())
  return session
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const row of rows) list.push(row)
  return list
}

async function failureOf(work: Promise<unknown>): Promise<ImapFailure> {
  return await work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as ImapFailure,
  )
}

describe('with a real server', () => {
  test('lists folders with their roles', async () => {
    const session = await open(dovecot.user('ann'))
    const roles = Object.fromEntries((await session.listFolders()).map(({ path, role }) => [path, role]))
    expect(roles).toEqual({
      INBOX: 'inbox',
      Sent: 'sent',
      Drafts: 'drafts',
      Trash: 'trash',
      Junk: 'junk',
      Archive: 'archive',
    })
    expect(await session.createFolder('Gesendet/Ältere')).toBe('Gesendet/Ältere')
    expect((await session.listFolders()).find(({ path }) => path === 'Gesendet/Ältere')?.role).toBe(null)
  })

  test('reads envelopes and messages, byte for byte', async () => {
    const raw = testMail({
      'Message-ID': '<one@test>',
      Subject: '=?utf-8?q?Gr=C3=BC=C3=9Fe?=',
      To: 'Ann <ann@example.com>',
    })
    await dovecot.deliver('ann', 'INBOX', raw, new Date('2026-03-01T10:00:00Z'))
    const session = await open(dovecot.user('ann'))
    const { exists, uidNext, uidValidity, highestModSeq } = await session.openFolder('INBOX', true)
    expect({ exists, uidNext }).toEqual({ exists: 1, uidNext: 2 })
    expect(uidValidity).toMatch(/^\d+$/)
    expect(highestModSeq).toMatch(/^\d+$/)
    expect(await all(session.envelopes({ from: 1 }))).toMatchObject([
      {
        uid: 1,
        flags: new Set(),
        internalDate: new Date('2026-03-01T10:00:00Z'),
        size: raw.length,
        envelope: {
          messageId: '<one@test>',
          subject: 'Grüße',
          from: [{ name: '', address: 'bob@example.com' }],
          to: [{ name: 'Ann', address: 'ann@example.com' }],
        },
      },
    ])
    expect(await all(session.envelopes({ from: 2 }))).toEqual([])
    const [mail] = await all(session.fetchRaw([1, 99]))
    expect(mail?.raw?.toString()).toBe(raw)
    const [short] = await all(session.fetchRaw([1], { maxBytes: 10 }))
    expect(short).toMatchObject({ raw: Buffer.from(raw.slice(0, 10)), size: raw.length })
  })

  test('reads many messages, and only those that were asked for', async () => {
    const session = await open(dovecot.user('bulk'))
    await session.openFolder('INBOX', true)
    expect(await session.existingUids({ from: 1 })).toHaveLength(MANY)
    const rows = await all(session.fetchRaw([1, 3, 4, 5, MANY]))
    expect(rows.map(({ uid }) => uid)).toEqual([1, 3, 4, 5, MANY])
    expect((await all(session.envelopes({ from: 10, to: 19 }))).map(({ uid }) => uid)).toEqual(
      Array.from({ length: 10 }, (_, n) => 10 + n),
    )
  })

  test('continues after a loop that was left early, and refuses to deadlock inside one', async () => {
    const session = await open(dovecot.user('bulk'))
    await session.openFolder('INBOX', true)
    for await (const { uid } of session.envelopes({ from: 1 })) {
      await expect(session.existingUids({ from: 1 })).rejects.toThrow('Inside a loop over messages')
      if (uid === 3) break
    }
    expect(await session.existingUids({ from: 1 })).toHaveLength(MANY)
  })

  test('appends, finds, flags, moves', async () => {
    const session = await open(dovecot.user('mover'))
    const raw = Buffer.from(testMail({ 'Message-ID': '<sent@test>' }))
    const appended = await session.append('Sent', raw, ['\\Seen'], new Date('2026-01-02T03:04:05Z'))
    expect(appended).toEqual({ uid: 1, uidValidity: expect.stringMatching(/^\d+$/) })
    expect(await session.findByMessageId('Sent', 'sent@test')).toEqual([1])
    expect(await session.findByMessageId('Sent', 'ent@test')).toEqual([])
    expect(await session.findByMessageId('INBOX', '<sent@test>')).toEqual([])

    const { highestModSeq = '' } = await session.openFolder('Sent', false)
    await session.setFlags([1], { add: ['\\Flagged'], remove: ['\\Seen'] })
    expect(await all(session.flagsChangedSince(highestModSeq))).toMatchObject([
      { uid: 1, flags: new Set(['\\Flagged']) },
    ])
    expect(await session.move([1], 'Archive')).toEqual(new Map([[1, 1]]))
    expect(await session.existingUids({ from: 1 })).toEqual([])
    expect((await session.status('Archive')).exists).toBe(1)
  })

  test('notices new mail while it idles, and stops when aborted', async () => {
    const session = await open(dovecot.user('idler'))
    await session.openFolder('INBOX', true)
    expect(await all(session.envelopes({ from: 1 }))).toEqual([])
    const stop = new AbortController()
    const news = Promise.withResolvers<string>()
    const waiting = session.idle(news.resolve, stop.signal)
    await dovecot.deliver('idler', 'INBOX', testMail({}))
    expect(await news.promise).toBe('new')
    expect(await all(session.envelopes({ from: 1 }))).toHaveLength(1)
    stop.abort()
    await waiting
    expect(session.usable).toBe(true)
    expect(await session.existingUids({ from: 1 })).toEqual([1])
  })

  test('notices a new UIDVALIDITY', async () => {
    await dovecot.deliver('ann', 'Trash', testMail({}))
    const before = await open(dovecot.user('ann'))
    const { uidValidity } = await before.status('Trash')
    before.close()
    await dovecot.resetUidValidity('ann', 'Trash')
    const after = await (await open(dovecot.user('ann'))).status('Trash')
    expect(after.uidValidity).not.toBe(uidValidity)
    expect(after.exists).toBe(1)
  })

  test('reports what went wrong, with what the server said', async () => {
    const wrong = await failureOf(open({ ...dovecot.user('ann'), password: 'wrong' }))
    expect(wrong).toMatchObject({ kind: 'auth', words: expect.stringContaining('Authentication failed') })
    expect(wrong.words).not.toContain('wrong')
    const session = await open(dovecot.user('ann'))
    expect(await failureOf(session.openFolder('Nowhere', true))).toMatchObject({ kind: 'no_folder' })
    expect(await failureOf(session.status('Nowhere'))).toMatchObject({ kind: 'no_folder' })
    expect(await failureOf(session.append('Nowhere', Buffer.from('x'), [], new Date()))).toBeInstanceOf(
      ImapFailure,
    )
    await session.openFolder('INBOX', true)
    expect(await failureOf(session.setFlags([1], { add: ['\\Seen'] }))).toMatchObject({ kind: 'refused' })
    expect(session.usable).toBe(true)
    session.close()
    expect(await failureOf(session.existingUids({ from: 1 }))).toMatchObject({ kind: 'gone' })
    expect(await failureOf(all(session.envelopes({ from: 1 })))).toMatchObject({ kind: 'gone' })
  })
})

describe('a cut connection never looks like an empty folder or the end of a list', () => {
  /** Reads the whole folder and counts what came. */
  async function readAll(account: ImapAccount, deadlines: Partial<ImapDeadlines> = {}) {
    const session = await openImap(account, { guard: loopbackGuard, deadlines })
    try {
      const { exists } = await session.openFolder('INBOX', true)
      const envelopes = await all(session.envelopes({ from: 1 }))
      const uids = await session.existingUids({ from: 1 })
      const raws = await all(session.fetchRaw(uids))
      return { exists, envelopes: envelopes.length, uids: uids.length, raws: raws.length }
    } finally {
      session.close()
    }
  }
  const everything = { exists: MANY, envelopes: MANY, uids: MANY, raws: MANY }

  test('at any byte, in any manner', async () => {
    const proxies = await Promise.all([1, 2, 3, 4].map(() => startCuttingProxy({ target: dovecot })))
    for (const proxy of proxies) closers.push(() => proxy.stop())
    const readBy = ({ port }: CuttingProxy, deadlines?: Partial<ImapDeadlines>) =>
      readAll({ ...dovecot.user('bulk'), port }, deadlines)
    const [first] = proxies as [CuttingProxy]
    expect(await readBy(first)).toEqual(everything)
    const whole = first.bytesFromTarget
    const cuts = Array.from({ length: 60 }, (_, n) => Math.floor((whole * (n + 1)) / 61))
    const early = Array.from({ length: 40 }, (_, n) => 1 + n * 40)
    // What stalls is waited for, so several are read at a time.
    const left = [...cuts, ...early].entries()
    const cutAll = async (proxy: CuttingProxy) => {
      for (const [index, bytes] of left) {
        const manner: CutManner = index % 12 === 5 ? 'stall' : index % 2 ? 'reset' : 'end'
        proxy.setCut(bytes, manner)
        const outcome = await readBy(proxy, { ...QUICK, connect: 2000 }).catch((error: unknown) => error)
        if (outcome instanceof ImapFailure) expect(outcome.kind).toMatch(/^(gone|unreachable|timeout)$/)
        else expect({ bytes, manner, outcome }).toEqual({ bytes, manner, outcome: everything })
      }
      proxy.setCut(null)
      expect(await readBy(proxy)).toEqual(everything)
    }
    await Promise.all(proxies.map(cutAll))
  })

  test('during IDLE', async () => {
    const proxy = await startCuttingProxy({ target: dovecot })
    closers.push(() => proxy.stop())
    const session = await open({ ...dovecot.user('ann'), port: proxy.port })
    await session.openFolder('INBOX', true)
    const waiting = failureOf(session.idle(() => {}, new AbortController().signal))
    proxy.cutNow()
    expect(await waiting).toMatchObject({ kind: 'gone' })
    expect(session.usable).toBe(false)
  })
})

describe('a server that lies', () => {
  async function lying(script: ImapScript, more: { greeting?: string | null; capabilities?: string } = {}) {
    const server = await startHostileImap({ script, ...more })
    closers.push(() => server.stop())
    return server
  }
  const accountAt = ({ port }: HostileImap): ImapAccount => {
    return { host: '127.0.0.1', port, security: 'plain', username: 'ann', password: 'right' }
  }
  async function inbox(server: HostileImap, deadlines?: Partial<ImapDeadlines>) {
    const session = await open(accountAt(server), deadlines)
    await session.openFolder('INBOX', true)
    return session
  }
  const on =
    (name: string, answer: ImapScript): ImapScript =>
    (command, reply) =>
      command.name === name ? answer(command, reply) : false

  test('that tells the truth is read correctly', async () => {
    const session = await inbox(await lying(() => false))
    expect((await all(session.envelopes({ from: 1 }))).map((row) => row.envelope?.subject)).toEqual([
      'mail 1',
      'mail 2',
      'mail 3',
    ])
    expect((await all(session.fetchRaw([1, 2, 3]))).map((row) => row.raw?.toString())).toContain(
      'Subject: mail 2\r\nMessage-ID: <mail.2@test>\r\n\r\n',
    )
  })

  test.each<[string, string | null, ImapScript, string]>([
    ['no greeting', null, silence, 'timeout'],
    ['rejected with BYE', '* BYE shutting down', silence, 'unreachable'],
    ['too busy for now', '* BYE too busy', silence, 'later'],
    ['hangs at log-in', '* OK ready', on('LOGIN', silence), 'timeout'],
    ['hangs up at log-in', '* OK ready', on('LOGIN', (_, reply) => (reply.cut(), true)), 'unreachable'],
    [
      'log-in refused',
      '* OK ready',
      on('LOGIN', ({ tag }, reply) => (reply.line(`${tag} NO [AUTHENTICATIONFAILED] bad`), true)),
      'auth',
    ],
    [
      'log-in not possible now',
      '* OK ready',
      on('LOGIN', ({ tag }, reply) => (reply.line(`${tag} NO [UNAVAILABLE] later`), true)),
      'later',
    ],
    [
      'too many connections at log-in',
      '* OK ready',
      on('LOGIN', ({ tag }, reply) => (reply.line(`${tag} NO Too many simultaneous connections`), true)),
      'later',
    ],
    ['not IMAP at all', 'HTTP/1.1 400 Bad Request', silence, 'timeout'],
  ])('%s', async (_name, greeting, script, kind) => {
    const server = await lying(script, { greeting })
    const deadlines = kind === 'timeout' ? QUICK : undefined
    expect(await failureOf(open(accountAt(server), deadlines))).toMatchObject({ name: 'ImapFailure', kind })
  })

  test('a server that hangs delays nobody else', async () => {
    const server = await lying(on('LOGIN', silence))
    const hanging = failureOf(open(accountAt(server), QUICK))
    expect((await (await open(dovecot.user('bulk'))).status('INBOX')).exists).toBe(MANY)
    expect(await hanging).toMatchObject({ kind: 'timeout' })
  })

  test('a literal that is shorter than announced', async () => {
    const session = await inbox(
      await lying(
        on(
          'UID FETCH',
          (_, reply) => (reply.line('* 1 FETCH (UID 1 BODY[]<0> {1000}\r\nshort)'), reply.ok(), true),
        ),
      ),
      { row: 600, transfer: 600 },
    )
    expect(await failureOf(all(session.fetchRaw([1])))).toMatchObject({ kind: 'timeout' })
    expect(session.usable).toBe(false)
  })

  test('a literal larger than we accept', async () => {
    const session = await inbox(
      await lying(
        on('UID FETCH', (_, reply) => (reply.line('* 1 FETCH (UID 1 BODY[]<0> {99999999999}'), true)),
      ),
    )
    expect(await failureOf(all(session.fetchRaw([1])))).toMatchObject({ kind: 'protocol' })
  })

  test('a message that cannot be parsed is reported by UID, the others arrive', async () => {
    const script = on('UID FETCH', ({ rest }, reply) => {
      reply.line('* 1 FETCH (UID 1 FLAGS () RFC822.SIZE 3 BODY[]<0> {3}\r\none)')
      reply.line('* 2 FETCH (UID 2 FLAGS ((((( "broken')
      reply.line(
        `* 3 FETCH (UID 3 FLAGS () RFC822.SIZE 5 BODY[]<0> ${rest.includes('ENVELOPE') ? 'NIL' : '{5}\r\nthree'})`,
      )
      reply.ok()
      return true
    })
    const session = await inbox(await lying(script))
    const rows = await all(session.fetchRaw([1, 2, 3]))
    expect(rows.map(({ uid, raw }) => [uid, raw?.toString() ?? null])).toEqual([
      [1, 'one'],
      [3, 'three'],
      [2, null],
    ])
    expect((await all(session.envelopes({ from: 1 }))).map(({ uid }) => uid)).toEqual([1, 3, 2])
  })

  test('a search that returns too few messages is not trusted: they are fetched', async () => {
    const searchesNothing = on('UID SEARCH', (_, reply) => (reply.line('* SEARCH'), reply.ok(), true))
    const session = await inbox(await lying(searchesNothing))
    expect(await session.listedUids()).toEqual({ uids: [1, 2, 3], complete: true })
    const fetchesNothing = on('UID FETCH', (_, reply) => (reply.ok(), true))
    const blind = await inbox(
      await lying((command, reply) => searchesNothing(command, reply) || fetchesNothing(command, reply)),
    )
    expect(await blind.listedUids()).toEqual({ uids: [], complete: false })
  })

  test.each(['NO not now', 'BAD Unknown command'])(
    'a search answered by %s is not an empty folder',
    async (words) => {
      const session = await inbox(
        await lying(on('UID SEARCH', ({ tag }, reply) => (reply.line(`${tag} ${words}`), true))),
      )
      expect(await session.existingUids({ from: 1 })).toEqual([1, 2, 3])
      expect(await session.existingUids({ from: 2 })).toEqual([2, 3])
      expect(await failureOf(session.findByMessageId('INBOX', 'x@y'))).toBeInstanceOf(ImapFailure)
    },
  )

  test('BYE in the middle of a list', async () => {
    const script = on('UID FETCH', (_, reply) => {
      reply.line('* 1 FETCH (UID 1 FLAGS ())')
      reply.line('* BYE shutting down')
      reply.cut()
      return true
    })
    const session = await inbox(await lying(script))
    expect(await failureOf(all(session.envelopes({ from: 1 })))).toMatchObject({
      kind: 'gone',
      words: 'shutting down',
    })
  })

  test('a folder that SELECT says little of is asked for by STATUS', async () => {
    const little = on('EXAMINE', (_, reply) => (reply.line('* 3 EXISTS'), reply.ok(), true))
    const session = await open(accountAt(await lying(little)))
    expect(await session.openFolder('INBOX', true)).toEqual({ uidValidity: '7', uidNext: 4, exists: 3 })
    const silent = on('STATUS', (_, reply) => (reply.line('* STATUS INBOX ()'), reply.ok(), true))
    const server = await lying((command, reply) => little(command, reply) || silent(command, reply))
    const other = await open(accountAt(server))
    expect(await other.openFolder('INBOX', true)).toEqual({ uidValidity: null, uidNext: null, exists: 3 })
  })

  test.each(['NIL NIL NIL', 'NIL NIL', '', '() NIL NIL'])('NAMESPACE %s', async (namespace) => {
    const script = on('NAMESPACE', (_, reply) => {
      reply.line(`* NAMESPACE ${namespace}`.trim())
      reply.ok()
      return true
    })
    const session = await inbox(await lying(script, { capabilities: 'IMAP4rev1 NAMESPACE' }))
    expect((await all(session.envelopes({ from: 1 }))).length).toBe(3)
  })

  test('an OK to NAMESPACE and nothing else', async () => {
    const script = on('NAMESPACE', (_, reply) => (reply.ok(), true))
    const session = await inbox(await lying(script, { capabilities: 'IMAP4rev1 NAMESPACE' }))
    expect(await session.listFolders()).toHaveLength(1)
  })

  test('a throttled account is left alone for as long as the server asks', async () => {
    const words = 'Request is throttled. Suggested Backoff Time: 92415 milliseconds'
    const script = on('UID FETCH', ({ tag }, reply) => (reply.line(`${tag} BAD ${words}`), true))
    const session = await inbox(await lying(script))
    expect(await failureOf(all(session.fetchRaw([1])))).toMatchObject({ kind: 'later', pauseMs: 92_415 })
    expect(session.usable).toBe(false)
  })

  test('an endless line', async () => {
    const session = await inbox(
      await lying(on('UID SEARCH', (_, reply) => (reply.raw(Buffer.alloc(20 * 1024 * 1024, '9')), true))),
      { command: 2000, row: 600 },
    )
    expect((await failureOf(session.listedUids())).kind).toMatch(/^(protocol|timeout)$/)
    expect(session.usable).toBe(false)
  })

  test('no password is sent when STARTTLS is required but missing', async () => {
    const server = await lying(() => false)
    const account = { ...accountAt(server), security: 'starttls' as const }
    expect(await failureOf(open(account))).toMatchObject({ kind: 'certificate' })
    expect(server.commands.some(({ name }) => name === 'LOGIN' || name === 'AUTHENTICATE')).toBe(false)
  })
})

describe('reaching the server', () => {
  test('a closed port, a forbidden host, an untrusted certificate', async () => {
    const account: ImapAccount = {
      host: '127.0.0.1',
      port: 993,
      security: 'tls',
      username: 'ann',
      password: 'x',
    }
    expect(await failureOf(open(account))).toMatchObject({ kind: 'unreachable', words: 'connection refused' })
    const strict = makeDialGuard({ allowPrivate: false, ports: MAIL_PORTS })
    expect(await failureOf(openImap(account, { guard: strict }))).toMatchObject({ kind: 'not_allowed' })
    // Any TLS server will do: the certificate is checked before the first line.
    const sink = await startSmtpSink({ security: 'tls' })
    closers.push(() => sink.stop())
    expect(await failureOf(open({ ...account, port: sink.port }))).toMatchObject({ kind: 'certificate' })
    const plain = await startSmtpSink()
    closers.push(() => plain.stop())
    expect(await failureOf(open({ ...account, port: plain.port }))).toMatchObject({ kind: 'certificate' })
  })

  test('the connection test of the settings page explains success and failure', async () => {
    expect(await testImap(dovecot.user('bulk'), { guard: loopbackGuard })).toEqual({
      ok: true,
      detail: `Connected and signed in. The inbox holds ${MANY} mails.`,
    })
    const wrong = await testImap({ ...dovecot.user('bulk'), password: 'wrong' }, { guard: loopbackGuard })
    expect(wrong.ok).toBe(false)
    expect(wrong.detail).toMatch(
      /^The server did not accept the user name and password\. \(.*Authentication failed.*\)$/,
    )
  })

  test.each([
    'SSH-2.0-OpenSSH_9.9 inner-secret',
    'HTTP/1.1 400 inner-secret',
    '220 inner-secret',
    '+OK inner-secret',
    'A1 NO inner-secret',
    '* NO inner-secret',
    '* inner-secret',
  ])('reveals nothing of a service that says “%s”', async (greeting) => {
    const server = await startHostileImap({ script: silence, greeting })
    closers.push(() => server.stop())
    const account: ImapAccount = { ...accountOf(server), username: 'ann', password: 'x' }
    expect(await testImap(account, { guard: loopbackGuard, deadlines: QUICK })).toEqual({
      ok: false,
      detail: 'The server at 127.0.0.1 does not speak IMAP. Check the host and the port.',
    })
  })

  test('shows what a mail server said when it rejects the connection', async () => {
    const server = await startHostileImap({ script: silence, greeting: '* BYE too many connections' })
    closers.push(() => server.stop())
    const account: ImapAccount = { ...accountOf(server), username: 'ann', password: 'x' }
    const { detail } = await testImap(account, { guard: loopbackGuard })
    expect(detail).toContain('too many connections')
  })

  const accountOf = ({ port }: HostileImap) => ({ host: '127.0.0.1', port, security: 'plain' as const })
})
