import { asciiDomain } from '../../formats/mail-text/addresses.ts'
import { DeadlinePassed, withinDeadline } from '../../platform/gateways/deadline.ts'
import { type DialGuard, makeDialGuard } from '../../platform/security/addresses.ts'
import { readAutoconfig } from './autoconfig.ts'
import { mxHosts, type Records, srvProposal, systemRecords } from './dns-records.ts'
import { fetchDescription } from './fetch-description.ts'
import { NOTHING_FOUND, type Proposal, proposalOf } from './proposal.ts'
import { providerOfDomain, providerOfMx } from './providers.ts'

/** The user is typing meanwhile: what has not arrived by then is not proposed. */
const DESCRIPTION_DEADLINE_MS = 3000
const DNS_DEADLINE_MS = 2000

/** The network functions used; tests supply their own. */
export type Surroundings = {
  guard: DialGuard
  records: Records
  /** Where a domain may describe its servers, the best place first. */
  placesOf: (domain: string, address: string) => string[]
}

/**
 * Proposes hosts and ports for an address: from our table, by the domain's MX hosts, by its own description, by its
 * SRV records, in this order. Without a network, or for a domain that announces nothing, the proposal is empty; it
 * never fails and never takes longer than three seconds.
 */
export async function discover(address: string, surroundings: Surroundings = theWorld()): Promise<Proposal> {
  const domain = asciiDomain(address.slice(address.lastIndexOf('@') + 1))
  const known = providerOfDomain(domain)
  if (known !== undefined) return proposalOf(known, address)

  const { records } = surroundings
  const [served, described, announced] = await Promise.all([
    inTime(DNS_DEADLINE_MS, mxHosts(records, domain).then(providerOfMx), undefined),
    describedBy(surroundings, domain, address),
    inTime(
      DNS_DEADLINE_MS,
      srvProposal(records, `${address.slice(0, address.lastIndexOf('@'))}@${domain}`),
      null,
    ),
  ])
  // Web hosts describe mail servers for every domain they serve, whoever handles its mail: MX records are more
  // reliable.
  if (served !== undefined) return proposalOf(served, address)
  return described ?? announced ?? NOTHING_FOUND
}

function theWorld(): Surroundings {
  return {
    // Whatever is allowed for mail: a web page inside the network is never requested.
    guard: makeDialGuard({ allowPrivate: false, ports: new Set([443]) }),
    records: systemRecords(DNS_DEADLINE_MS),
    placesOf: (domain, address) => [
      `https://autoconfig.${domain}/mail/config-v1.1.xml?emailaddress=${encodeURIComponent(address)}`,
      `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`,
    ],
  }
}

async function describedBy(
  { guard, placesOf }: Surroundings,
  domain: string,
  address: string,
): Promise<Proposal | null> {
  const deadline = new AbortController()
  const asked = placesOf(domain, address).map(async (place) => {
    const xml = await fetchDescription(place, guard, deadline.signal).catch(() => null)
    return xml === null ? null : readAutoconfig(xml, address)
  })
  const answers = Promise.all(asked).then((found) => found.find((proposal) => proposal !== null) ?? null)
  try {
    return await inTime(DESCRIPTION_DEADLINE_MS, answers, null)
  } finally {
    deadline.abort()
  }
}

async function inTime<T>(milliseconds: number, work: Promise<T>, otherwise: T): Promise<T> {
  return withinDeadline(milliseconds, work, () => {}).catch((error: unknown) => {
    if (error instanceof DeadlinePassed) return otherwise
    throw error
  })
}
