import { Resolver } from 'node:dns/promises'
import type { MxRecord, SrvRecord } from 'node:dns'
import { NOTHING_FOUND, type Proposal } from './proposal.ts'

/** Records considered; real domains have one to five. */
const MAX_RECORDS = 20

/** The DNS queries needed; a test can replace them. */
export type Records = {
  resolveMx(domain: string): Promise<MxRecord[]>
  resolveSrv(name: string): Promise<SrvRecord[]>
}

/** The system's resolver with a timeout of `timeoutMs`. */
export function systemRecords(timeoutMs: number): Records {
  return new Resolver({ timeout: timeoutMs, tries: 1 })
}

/** The hosts that receive a domain's mail, the preferred one first; none when DNS does not say. */
export async function mxHosts(records: Records, domain: string): Promise<string[]> {
  const found = await records.resolveMx(domain).catch(() => [])
  return found
    .slice(0, MAX_RECORDS)
    .sort((one, other) => one.priority - other.priority)
    .map((record) => record.exchange)
}

/** Servers that a domain announces (RFC 6186, RFC 8314); null when it announces no server to send with. */
export async function srvProposal(records: Records, address: string): Promise<Proposal | null> {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const [smtps, submission, imaps] = await Promise.all(
    ['_submissions._tcp', '_submission._tcp', '_imaps._tcp'].map((service) =>
      first(records, `${service}.${domain}`),
    ),
  )
  // Our form tells the two apart by the port: 465 is encrypted from the first byte, any other begins in plain text.
  const smtp = smtps?.port === 465 ? smtps : submission?.port === 465 ? undefined : submission
  if (smtp === undefined) return null
  return {
    ...NOTHING_FOUND,
    source: 'srv',
    smtp_host: smtp.name,
    smtp_port: smtp.port,
    imap_host: imaps?.name ?? null,
    imap_port: imaps?.port ?? null,
    username: address,
  }
}

/** The record to try first (RFC 2782); "." means that there is no such service. */
async function first(records: Records, name: string): Promise<SrvRecord | undefined> {
  const found = await records.resolveSrv(name).catch(() => [])
  return found
    .filter((record) => record.name !== '' && record.name !== '.')
    .slice(0, MAX_RECORDS)
    .sort((one, other) => one.priority - other.priority || other.weight - one.weight)[0]
}
