import { describe, expect, test } from 'vitest'
import {
  HostNotAllowed,
  HostNotFound,
  isPublicAddress,
  MAIL_PORTS,
  makeDialGuard,
  PortNotAllowed,
} from './addresses.ts'

const names: Record<string, string[]> = {
  'mail.example.com': ['2a00:1450:4001:80b::2005', '142.250.185.101'],
  'six.example.com': ['2a00:1450:4001:80b::2005'],
  'inside.example.com': ['10.0.0.7'],
  'half.example.com': ['142.250.185.101', '127.0.0.1'],
}

function guard(allowPrivate: boolean, ports: ReadonlySet<number> = MAIL_PORTS) {
  return makeDialGuard({
    allowPrivate,
    ports,
    lookUp: async (host) => {
      const addresses = names[host]
      if (!addresses) throw new Error('ENOTFOUND')
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  })
}

describe('which addresses are public', () => {
  test.each([
    '8.8.8.8',
    '142.250.185.101',
    '100.63.255.255',
    '172.32.0.1',
    '2a00:1450:4001:80b::2005',
    '2600::1',
  ])('%s is', (address) => expect(isPublicAddress(address)).toBe(true))

  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback further on', '127.8.8.8'],
    ['unspecified', '0.0.0.0'],
    ['private class A', '10.1.2.3'],
    ['private class B', '172.31.255.255'],
    ['private class C', '192.168.1.1'],
    ['link-local, where clouds keep their secrets', '169.254.169.254'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['benchmarking', '198.19.0.1'],
    ['IPv6 loopback', '::1'],
    ['IPv6 unspecified', '::'],
    ['IPv6 link-local', 'fe80::1'],
    ['IPv6 link-local with a zone', 'fe80::1%eth0'],
    ['a public address with a zone', '2600::1%1'],
    ['unique local', 'fd12:3456::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['v4-mapped loopback', '::ffff:127.0.0.1'],
    ['v4-mapped in hexadecimal', '::ffff:7f00:1'],
    ['NAT64 of a private address', '64:ff9b::a00:1'],
    ['6to4 of a private address', '2002:a00:1::'],
    ['Teredo', '2001:0:53aa:64c::1'],
    ['documentation', '2001:db8::1'],
    ['v4-compatible', '::10.0.0.1'],
    ['no address at all', 'localhost'],
    ['a number', '2130706433'],
  ])('%s is not (%s)', (_kind, address) => expect(isPublicAddress(address)).toBe(false))
})

describe('the dial guard', () => {
  test('returns a checked address and the name for the certificate', async () => {
    expect(await guard(false).resolve('mail.example.com', 993)).toEqual({
      address: '142.250.185.101',
      family: 4,
      servername: 'mail.example.com',
    })
    expect(await guard(false).resolve('six.example.com.', 993)).toEqual({
      address: '2a00:1450:4001:80b::2005',
      family: 6,
      servername: 'six.example.com',
    })
  })

  test('returns no server name for a bare address', async () => {
    expect(await guard(false).resolve('8.8.8.8', 25)).toEqual({ address: '8.8.8.8', family: 4 })
    expect(await guard(true).resolve('[::1]', 25)).toEqual({ address: '::1', family: 6 })
  })

  test.each(['inside.example.com', 'half.example.com', '127.0.0.1', '::ffff:10.0.0.1', '[fe80::1]'])(
    'refuses %s where private hosts are not allowed',
    async (host) => {
      await expect(guard(false).resolve(host, 587)).rejects.toBeInstanceOf(HostNotAllowed)
      expect((await guard(true).resolve(host, 587)).address).toBeTruthy()
    },
  )

  test('refuses a host that the system resolver reads differently', async () => {
    const real = makeDialGuard({ allowPrivate: false, ports: MAIL_PORTS })
    for (const host of ['localhost', '127.1', '2130706433', '0x7f.0.0.1']) {
      await expect(real.resolve(host, 25)).rejects.toThrow()
    }
  })

  test('allows only mail ports and those the operator adds', async () => {
    await expect(guard(false).resolve('mail.example.com', 22)).rejects.toBeInstanceOf(PortNotAllowed)
    await expect(guard(false).resolve('mail.example.com', 10_993)).rejects.toBeInstanceOf(PortNotAllowed)
    const wider = guard(false, new Set([...MAIL_PORTS, 10_993]))
    expect((await wider.resolve('mail.example.com', 10_993)).family).toBe(4)
  })

  test('lets an allowed private host listen on any unprivileged port', async () => {
    expect((await guard(true).resolve('127.0.0.1', 41_143)).address).toBe('127.0.0.1')
    await expect(guard(true).resolve('127.0.0.1', 22)).rejects.toBeInstanceOf(PortNotAllowed)
    await expect(guard(true).resolve('127.0.0.1', 70_000)).rejects.toBeInstanceOf(PortNotAllowed)
  })

  test.each([
    '',
    '  ',
    'nowhere.example.com',
    'http://mail.example.com',
    'a b',
    'user@mail.example.com',
    'x'.repeat(300),
  ])('does not find "%s"', async (host) => {
    await expect(guard(true).resolve(host, 25)).rejects.toBeInstanceOf(HostNotFound)
  })
})
