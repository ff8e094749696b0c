import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { loopbackGuard } from '../../../tests/support/mail-servers.ts'
import { NoAccessToken } from './access-token.ts'
import { openSmtp, testSmtp } from './smtp.ts'

let server: Server | undefined

afterEach(() => void server?.close())

/** A server that offers these mechanisms and takes this token; `heard` is what it was told, decoded. */
async function startServer(mechanisms: string, goodToken: string) {
  const heard: string[] = []
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 mail.muster.example\r\n')
    let isExplained = false
    socket.on('data', (bytes: Buffer) => {
      const line = bytes.toString().trim()
      const [command = '', mechanism = '', initial = ''] = line.split(' ')
      if (isExplained) {
        heard.push(line)
        isExplained = false
        socket.write('535 5.7.8 Token not accepted\r\n')
      } else if (command === 'EHLO') socket.write(`250-mail.muster.example\r\n250 AUTH ${mechanisms}\r\n`)
      else if (command === 'AUTH') {
        const said = Buffer.from(initial, 'base64').toString()
        heard.push(`${mechanism} ${said.replaceAll('\x01', '|')}`)
        isExplained = !said.includes(`Bearer ${goodToken}\x01`)
        socket.write(isExplained ? '334 eyJzdGF0dXMiOiI0MDEifQ==\r\n' : '235 2.7.0 Welcome\r\n')
      } else socket.write('250 OK\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const account = (...tokens: string[]) => {
    const asked: (string | undefined)[] = []
    const accessToken = async (refused?: string) => {
      asked.push(refused)
      return tokens[Math.min(asked.length, tokens.length) - 1] ?? ''
    }
    const place = { host: '127.0.0.1', port, security: 'plain' as const }
    return { ...place, username: 'ada@muster.example', password: '', accessToken, asked }
  }
  return { port, heard, account }
}

test('XOAUTH2 is used where it is offered, whatever else is', async () => {
  const { heard, account } = await startServer('LOGIN PLAIN OAUTHBEARER XOAUTH2', 'good')
  const session = await openSmtp(account('good'), { guard: loopbackGuard })
  session.close()
  expect(heard).toEqual(['XOAUTH2 user=ada@muster.example|auth=Bearer good||'])
})

test('OAUTHBEARER is used where only that is offered', async () => {
  const { heard, account, port } = await startServer('PLAIN OAUTHBEARER', 'good')
  const session = await openSmtp(account('good'), { guard: loopbackGuard })
  session.close()
  expect(heard).toEqual([
    `OAUTHBEARER n,a=ada@muster.example,|host=127.0.0.1|port=${port}|auth=Bearer good||`,
  ])
})

test('a refused token is replaced once; the exchange is ended as the mechanism wants it', async () => {
  const { heard, account } = await startServer('OAUTHBEARER', 'newer')
  const renewed = account('ended', 'newer')
  const session = await openSmtp(renewed, { guard: loopbackGuard })
  session.close()
  expect(renewed.asked).toEqual([undefined, 'ended'])
  expect(heard).toHaveLength(3)
  expect(heard[1]).toBe('AQ==')
})

test('two refusals are trouble of the account, in the words of the server', async () => {
  const { heard, account } = await startServer('XOAUTH2', 'none')
  const refused = account('one', 'two')
  await expect(openSmtp(refused, { guard: loopbackGuard })).rejects.toMatchObject({
    kind: 'auth',
    words: expect.stringContaining('5.7.8 Token not accepted'),
  })
  expect(heard.filter((line) => line.startsWith('XOAUTH2'))).toHaveLength(2)
  expect(await testSmtp(account('one', 'two'), { guard: loopbackGuard })).toEqual({
    ok: false,
    detail: 'The server did not accept the sign-in. (535 5.7.8 Token not accepted)',
  })
})

test('a server that takes no tokens gets neither a token nor an empty password', async () => {
  const { heard, account } = await startServer('PLAIN LOGIN', 'good')
  await expect(openSmtp(account('good'), { guard: loopbackGuard })).rejects.toMatchObject({
    kind: 'refused',
    words: 'The server does not offer signing in by OAuth 2',
  })
  expect(heard).toEqual([])
})

test('without a token nobody is dialled; mail is deferred, never failed', async () => {
  const account = (kind: 'withdrawn' | 'later') => ({
    host: '127.0.0.1',
    port: 1,
    security: 'plain' as const,
    username: 'ada@muster.example',
    password: '',
    accessToken: () => Promise.reject(new NoAccessToken(kind, 'Please connect it again.')),
  })
  for (const [kind, as] of [
    ['withdrawn', 'auth'],
    ['later', 'unreachable'],
  ] as const)
    await expect(openSmtp(account(kind), { guard: loopbackGuard })).rejects.toMatchObject({
      kind: as,
      words: 'Please connect it again.',
    })
})
