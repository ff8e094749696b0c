import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { withinDeadline } from '../gateways/deadline.ts'

/** Ports that mail servers listen on: SMTP 25, 465, 587, 2525 and IMAP 143, 993. An operator adds more by MAIL_PORTS. */
export const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525, 143, 993])

/** getaddrinfo has no deadline of its own, so a hanging resolver is cut off here. */
const LOOKUP_DEADLINE_MS = 10_000

/** A host with more addresses than this is no mail server; the rest would only cost time. */
const MAX_ADDRESSES = 64

/** RFC 1035: the longest name has 253 characters. */
const MAX_HOST_LENGTH = 253

/** The first port that an unprivileged program may listen on. */
const FIRST_UNPRIVILEGED_PORT = 1024

/** The host has an address inside a private network (or none that is public). */
export class HostNotAllowed extends Error {
  override readonly name = 'HostNotAllowed'
}

/** The port is not one that mail servers use. */
export class PortNotAllowed extends Error {
  override readonly name = 'PortNotAllowed'
}

/** The host name has no address. */
export class HostNotFound extends Error {
  override readonly name = 'HostNotFound'
}

/** Where to connect: the checked address, and the name that the certificate must carry. */
export type DialTarget = { address: string; family: 4 | 6; servername?: string }

type Address = { address: string; family: number }

/** Resolves names to addresses, like `dns.lookup` with `all`. */
export type LookUp = (host: string) => Promise<Address[]>

/** Decides which hosts may be dialled, see {@link makeDialGuard}. */
export type DialGuard = { resolve(host: string, port: number): Promise<DialTarget> }

/** Not global unicast according to the IANA special-purpose registries (RFC 6890 and its successors). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Inside 2000::/3 but not a public address: protocol assignments with Teredo, documentation, 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const specialIpv4 = blockList(SPECIAL_IPV4, 'ipv4')
const specialIpv6 = blockList(SPECIAL_IPV6, 'ipv6')
// IANA assigns global unicast from 2000::/3 only, so loopback, ULA, link-local, multicast, v4-mapped and NAT64
// addresses all fall outside of it.
const globalIpv6 = blockList(['2000::/3'], 'ipv6')

function blockList(subnets: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

/** True if packets to this IP address leave for the public internet. Anything unreadable is not public. */
export function isPublicAddress(address: string): boolean {
  // A zone ("fe80::1%eth0") only exists on link-local addresses.
  if (address.includes('%')) return false
  const family = isIP(address)
  if (family === 4) return !specialIpv4.check(address, 'ipv4')
  if (family === 6) return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
  return false
}

/**
 * The rule for hosts that a user enters in a setting. Every address that the host resolves to is checked, and the
 * caller connects to exactly the address that was checked, so a name that answers differently the second time (DNS
 * rebinding) gains nothing.
 *
 * A public host may be dialled on `ports` only. With `allowPrivate`, a host inside the network may be dialled on
 * `ports` and on any unprivileged port, since private servers seldom use the standard ones.
 *
 * @throws {HostNotAllowed} @throws {PortNotAllowed} @throws {HostNotFound}
 */
export function makeDialGuard(options: {
  allowPrivate: boolean
  ports: ReadonlySet<number>
  lookUp?: LookUp
}): DialGuard {
  const lookUp = options.lookUp ?? systemLookUp
  return {
    async resolve(hostAsTyped, port) {
      const host = bareHost(hostAsTyped)
      const addresses = isIP(host)
        ? [{ address: host, family: isIP(host) }]
        : await withDeadline(host, lookUp(host))
      if (!addresses.length || addresses.length > MAX_ADDRESSES)
        throw new HostNotFound(`${host} was not found`)

      const isPrivate = addresses.some(({ address }) => !isPublicAddress(address))
      if (isPrivate && !options.allowPrivate) {
        throw new HostNotAllowed(`${host} is not a public mail server`)
      }
      if (!options.ports.has(port) && !(isPrivate && isUnprivileged(port))) {
        throw new PortNotAllowed(`Port ${port} is not a port for mail`)
      }
      return target(host, addresses)
    },
  }
}

function isUnprivileged(port: number): boolean {
  return Number.isInteger(port) && port >= FIRST_UNPRIVILEGED_PORT && port <= 65_535
}

/** Hosts as people type them: "[::1]", "mail.example.com.". */
function bareHost(typed: string): string {
  const host = typed
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  if (!host || host.length > MAX_HOST_LENGTH || /[\s/@?#\\]/.test(host)) {
    throw new HostNotFound(`${host.slice(0, MAX_HOST_LENGTH)} is not the name of a host`)
  }
  return host
}

function target(host: string, addresses: Address[]): DialTarget {
  // IPv4 first: a machine may have an IPv6 address without a route, and only one address is tried.
  const chosen = addresses.find(({ family }) => family === 4) ?? addresses[0]
  if (!chosen) throw new HostNotFound(`${host} was not found`)
  const family = chosen.family === 6 ? 6 : 4
  return { address: chosen.address, family, ...(isIP(host) ? {} : { servername: host }) }
}

async function systemLookUp(host: string): Promise<Address[]> {
  return await lookup(host, { all: true })
}

async function withDeadline(host: string, answer: Promise<Address[]>): Promise<Address[]> {
  return withinDeadline(LOOKUP_DEADLINE_MS, answer, () => {}).catch((cause: unknown) => {
    throw new HostNotFound(`${host} was not found`, { cause })
  })
}
