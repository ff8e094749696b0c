import type { SrvRecord } from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { HostNotFound, makeDialGuard } from '../../platform/security/addresses.ts'
import { discover, type Surroundings } from './discover.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

const silence: Surroundings = {
  guard: { resolve: () => Promise.reject(new HostNotFound('no network')) },
  records: {
    resolveMx: () => Promise.reject(new Error('no network')),
    resolveSrv: () => Promise.reject(new Error('no network')),
  },
  placesOf: (domain) => [`https://autoconfig.${domain}/mail/config-v1.1.xml`],
}

async function webServer(answer: RequestListener): Promise<Surroundings> {
  const listening = createServer(answer)
  server = listening
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const guard = makeDialGuard({ allowPrivate: true, ports: new Set() })
  return { ...silence, guard, placesOf: () => [`http://127.0.0.1:${port}/config`] }
}

const xml = `<clientConfig version="1.1"><emailProvider id="x"><displayName>X</displayName>
  <outgoingServer type="smtp"><hostname>smtp.x.example</hostname><port>465</port><socketType>SSL</socketType></outgoingServer>
</emailProvider></clientConfig>`

test.each([
  ['ada@gmail.com', 'smtp.gmail.com', 'imap.gmail.com', /app password/],
  ['ada@GMX.de', 'mail.gmx.net', 'imap.gmx.net', /Allow access/],
  ['ada@hotmail.com', 'smtp-mail.outlook.com', 'outlook.office365.com', /Microsoft/],
  ['ada@icloud.com', 'smtp.mail.me.com', 'imap.mail.me.com', /App-Specific/],
])('knows the provider of %s without any request', async (address, smtp_host, imap_host, hint) => {
  const proposal = await discover(address, silence)
  expect(proposal).toMatchObject({ source: 'table', smtp_host, imap_host, username: address })
  expect(proposal.hint).toMatch(hint)
})

test('a domain with MX hosts of Google or Microsoft gets their servers, whatever it announces', async () => {
  const world = await webServer((_, response) => response.end(xml))
  const mx = (exchange: string) => ({ ...world.records, resolveMx: async () => [{ exchange, priority: 1 }] })
  const google = await discover('ada@muster.example', { ...world, records: mx('aspmx.l.google.com') })
  expect(google).toMatchObject({ provider: 'Google Workspace', smtp_host: 'smtp.gmail.com' })
  const outlook = { ...world, records: mx('muster-example.mail.protection.outlook.com') }
  expect(await discover('ada@muster.example', outlook)).toMatchObject({ provider: 'Microsoft 365' })
  const other = await discover('ada@muster.example', { ...world, records: mx('notgoogle.com') })
  expect(other).toMatchObject({ source: 'autoconfig', smtp_host: 'smtp.x.example' })
})

test('asks DNS for announced servers when there is no description', async () => {
  const srv: Record<string, SrvRecord[]> = {
    '_submission._tcp.muster.example': [{ name: 'mail.muster.example', port: 587, priority: 0, weight: 1 }],
    '_imaps._tcp.muster.example': [
      { name: 'second.muster.example', port: 993, priority: 10, weight: 1 },
      { name: 'first.muster.example', port: 993, priority: 0, weight: 1 },
    ],
    '_submissions._tcp.muster.example': [{ name: '.', port: 465, priority: 0, weight: 0 }],
  }
  const records = { ...silence.records, resolveSrv: async (name: string) => srv[name] ?? [] }
  expect(await discover('ada@muster.example', { ...silence, records })).toMatchObject({
    source: 'srv',
    smtp_host: 'mail.muster.example',
    smtp_port: 587,
    imap_host: 'first.muster.example',
    username: 'ada@muster.example',
  })
})

test('without a network nothing is proposed, and nothing fails', async () => {
  expect(await discover('ada@muster.example', silence)).toMatchObject({ source: 'none', smtp_host: null })
})

test('follows a redirect, but never to plain HTTP or a forbidden host', async () => {
  const world = await webServer((request, response) => {
    if (request.url === '/config') response.writeHead(302, { Location: '/there' }).end()
    else response.end(xml)
  })
  expect(await discover('a@x.example', world)).toMatchObject({ source: 'autoconfig' })
  server?.close()
  const inward = await webServer((_, response) =>
    response.writeHead(302, { Location: 'http://10.0.0.1/' }).end(),
  )
  const guard: Surroundings['guard'] = {
    resolve: async (host, port) => {
      if (host === '10.0.0.1') throw new Error('dialled')
      return inward.guard.resolve(host, port)
    },
  }
  expect(await discover('a@x.example', { ...inward, guard })).toMatchObject({ source: 'none' })
})

test.each([
  ['too large a page', (response: Parameters<RequestListener>[1]) => response.end(xml + ' '.repeat(70_000))],
  [
    'a page that is not there',
    (response: Parameters<RequestListener>[1]) => response.writeHead(404).end(xml),
  ],
  [
    'half a page',
    (response: Parameters<RequestListener>[1]) => response.write(xml, () => response.destroy()),
  ],
])('ignores %s', async (_, answer) => {
  const world = await webServer((_request, response) => void answer(response))
  expect(await discover('a@x.example', world)).toMatchObject({ source: 'none' })
})

test('a server that never answers is given up after seconds', async () => {
  const world = await webServer(() => {})
  const began = Date.now()
  expect(await discover('a@x.example', world)).toMatchObject({ source: 'none' })
  expect(Date.now() - began).toBeLessThan(10_000)
})
