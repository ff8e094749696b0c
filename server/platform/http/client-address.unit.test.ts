import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { clientAddress, placeOf } from './client-address.ts'

const from = (ip: string) =>
  ({ ip, socket: { remoteAddress: '127.0.0.1' } }) as Pick<FastifyRequest, 'ip' | 'socket'>

it.each([
  ['203.0.113.7', '203.0.113.7', 'an address of its own'],
  ['::ffff:203.0.113.7', '203.0.113.7', 'the same in IPv6'],
  ['::ffff:cb00:7107', '203.0.113.7', 'the same in hexadecimal'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7', 'the same written out'],
  ['0000:0000:0000:0000:0000:FFFF:CB00:7107', '203.0.113.7', 'the same written out in full'],
  ['203.0.113.7:4711', '203.0.113.7', 'with its port'],
  ['[::ffff:203.0.113.7]:4711', '203.0.113.7', 'in IPv6 with its port'],
  ['[2a02:908:1:2:aaaa::1]:4711', '2a02:908:1:2::', 'IPv6 with its port'],
  ['[2a02:908:1:2:aaaa::1]', '2a02:908:1:2::', 'IPv6 in brackets'],
  ['2a02:908:1:2:aaaa::1', '2a02:908:1:2::', 'a household’s /64'],
  ['2A02:0908:1:2::ffff', '2a02:908:1:2::', 'the same in other letters'],
  ['2a02:908:1:3::1', '2a02:908:1:3::', 'the neighbour'],
  ['::1', '::', 'loopback'],
])('%s counts as %s (%s)', (ip, place) => {
  expect(placeOf(from(ip))).toBe(place)
})

it.each([
  '',
  'unknown',
  'x'.repeat(9000),
  '203.0.113.7, 1.2.3.4',
  '203.0.113.7:port',
  '[203.0.113.7',
  'fe80::1%eth0%',
])('a proxy’s “%s” is ignored', (said) => {
  expect(clientAddress(from(said))).toBe('127.0.0.1')
  expect(placeOf(from(said))).toBe('127.0.0.1')
})
