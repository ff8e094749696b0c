import type { Finding } from '#contract/operations/system-health.ts'
import { type DnsRecords, makeDnsRecords, NoDnsAnswer } from '../../../platform/gateways/dns-records.ts'
import { unpackRaw } from '../../../mail/emails/emails.ts'
import { about, failure, ok, unknown, warning } from '../finding.ts'
import type { HealthContext } from '../health-context.ts'
import { mailsWithin, sendingDomains } from '../store.ts'

/** Selectors that providers of mail use for everybody. */
const USUAL_SELECTORS = [
  'default',
  'dkim',
  'mail',
  'google',
  'selector1',
  'selector2',
  's1',
  's2',
  'k1',
  'k2',
  'k3',
  'fm1',
  'fm2',
  'fm3',
  'sig1',
  'zoho',
  'protonmail',
  'mxvault',
  'smtp',
  'key1',
]
/** Mails whose signature is looked at, and bytes of their heads. */
const SIGNED_MAILS = 5
const HEAD_BYTES = 32 * 1024
/** RFC 7208 4.6.4: with more lookups than this a record counts as broken. */
const SPF_LOOKUPS_MAX = 10
/** RFC 1035: the longest name, without what stands before it here. */
const DOMAIN = /^(?=.{1,200}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/

/** Whether mail from the domains that users send from is believed elsewhere: SPF, DKIM and DMARC. */
export async function checkSendingDomains(context: HealthContext, signal: AbortSignal) {
  const { config, db, limits } = context
  const domains = await sendingDomains(db, limits.domains)
  if (domains.length === 0) return ok('Nobody sends mail from a domain yet.')
  const dns = makeDnsRecords(config.dnsServers, signal)
  const findings = await Promise.all(
    domains.map(async ({ domain }) => {
      if (!DOMAIN.test(domain) || /\.(?:invalid|local|internal|localhost|test|example)$/.test(domain))
        return about(domain, unknown('This domain exists only inside: nobody else can look it up.'))
      return Promise.all([
        told(domain, 'SPF', spf(dns, domain)),
        told(domain, 'DKIM', dkim(context, dns, domain)),
        told(domain, 'DMARC', dmarc(dns, domain)),
      ])
    }),
  )
  return findings.flat()
}

async function told(domain: string, record: string, looked: Promise<Finding>): Promise<Finding> {
  const found = await looked.catch((error: unknown) => {
    if (!(error instanceof NoDnsAnswer)) throw error
    return unknown(`${error.message}.`, 'See whether this server can reach its name server.')
  })
  return about(`${domain} · ${record}`, found)
}

const AT_PROVIDER = 'Your mail provider’s help tells which record to add where the domain is registered.'

async function spf(dns: DnsRecords, domain: string): Promise<Finding> {
  const records = (await dns.txt(domain)).filter((text) => /^v=spf1(?:\s|$)/i.test(text))
  if (records.length === 0)
    return failure(
      'There is no SPF record.',
      'Other servers cannot tell which servers may send for this domain. Much mail goes to spam.',
      `Add a TXT record at ${domain}: v=spf1 include:… ~all. ${AT_PROVIDER}`,
    )
  if (records.length > 1)
    return failure(
      `There are ${records.length} SPF records.`,
      'With more than one, none counts.',
      `Join them into one TXT record at ${domain}.`,
    )
  const record = records[0] ?? ''
  const terms = record.toLowerCase().split(/\s+/).slice(1)
  const seen = record.slice(0, 300)
  const lookups = terms.filter((term) =>
    /^[+?~-]?(?:include:|a(?:[:/]|$)|mx(?:[:/]|$)|ptr|exists:)|^redirect=/.test(term),
  )
  if (lookups.length > SPF_LOOKUPS_MAX)
    return failure(
      seen,
      `The record asks for ${lookups.length} further look-ups. With more than ten it counts as broken.`,
      `Take out of the TXT record at ${domain} what is no longer used.`,
    )
  if (terms.some((term) => term === '+all' || term === 'all'))
    return failure(
      seen,
      'The record allows every server in the world to send for this domain.',
      `End the TXT record at ${domain} with ~all or -all.`,
    )
  const ends = terms.some((term) => /^[~-]all$/.test(term) || term.startsWith('redirect='))
  if (!ends)
    return warning(
      seen,
      'The record does not say what is to be done with mail from other servers.',
      `End the TXT record at ${domain} with ~all or -all.`,
    )
  return ok(seen)
}

async function dkim(context: HealthContext, dns: DnsRecords, domain: string): Promise<Finding> {
  const known = await selectorsSeen(context, domain)
  const tried = known.length > 0 ? known : USUAL_SELECTORS
  const keys = await Promise.all(
    tried.map(async (selector) => {
      const records = await dns.txt(`${selector}._domainkey.${domain}`)
      const record = records.find((text) => /(?:^|;)\s*p\s*=/i.test(text))
      return {
        selector,
        key: record === undefined ? null : (/(?:^|;)\s*p\s*=([^;]*)/i.exec(record)?.[1] ?? ''),
      }
    }),
  )
  const valid = keys.filter(({ key }) => key !== null && key.trim() !== '')
  if (valid.length > 0) return ok(`There is a key: ${valid.map(({ selector }) => selector).join(', ')}.`)
  if (known.length > 0)
    return failure(
      `Mails are signed with ${known.join(', ')}, but ${known.length === 1 ? 'this key is' : 'these keys are'} not published.`,
      'Other servers find the signature wrong, and take the mail for forged.',
      `Add a TXT record at ${known[0]}._domainkey.${domain}. ${AT_PROVIDER}`,
    )
  return unknown(
    'It cannot be told: no key was found under the usual names, and no mail has shown another.',
    'Send a mail to yourself at another provider, open its source, and look for “dkim=pass”. If it is missing, switch DKIM on at your mail provider.',
  )
}

/** The selectors that signatures of this domain name, in mails that came in. */
async function selectorsSeen({ db }: HealthContext, domain: string): Promise<string[]> {
  const seen = new Set<string>()
  for (const raw of await mailsWithin(db, domain, SIGNED_MAILS)) {
    const source = unpackRaw(raw)
    const end = source.indexOf('\r\n\r\n')
    const head = source.subarray(0, Math.min(end === -1 ? HEAD_BYTES : end, HEAD_BYTES)).toString('latin1')
    for (const [, field = ''] of head.matchAll(/^dkim-signature:((?:[^\r\n]|\r?\n[ \t])*)/gim)) {
      const tag = (name: string) => new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*([^;\\s]+)`, 'i').exec(field)?.[1]
      const selector = tag('s')?.toLowerCase() ?? ''
      if (tag('d')?.toLowerCase() === domain && /^[a-z\d][a-z\d._-]{0,62}$/.test(selector)) seen.add(selector)
    }
  }
  return [...seen].slice(0, SIGNED_MAILS)
}

async function dmarc(dns: DnsRecords, domain: string): Promise<Finding> {
  const parts = domain.split('.')
  // RFC 7489 6.6.3 asks the organization's domain next. Without a list of registries that is one of these.
  const places = parts
    .slice(0, -1)
    .map((_, cut) => parts.slice(cut).join('.'))
    .slice(0, 4)
  for (const place of places) {
    const records = (await dns.txt(`_dmarc.${place}`)).filter((text) => /^v=DMARC1/i.test(text))
    if (records.length > 1)
      return failure(
        `There are ${records.length} DMARC records at _dmarc.${place}.`,
        'With more than one, none counts.',
        'Keep one of them.',
      )
    const record = records[0]
    if (record === undefined) continue
    const policy = /(?:^|;)\s*p\s*=\s*(none|quarantine|reject)\s*(?:;|$)/i.exec(record)?.[1]
    if (policy === undefined)
      return failure(
        record.slice(0, 300),
        'The record does not say what to do (p=none, quarantine or reject), so it counts as none.',
        `Correct the TXT record at _dmarc.${place}.`,
      )
    return ok(record.slice(0, 300))
  }
  return warning(
    'There is no DMARC record.',
    'Large providers take less mail from domains without one.',
    `Add a TXT record at _dmarc.${domain}: v=DMARC1; p=none; rua=mailto:you@${domain}`,
  )
}
