import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { NOTHING_FOUND, type Proposal } from './proposal.ts'

/** Servers read from one description; real ones have two to six. */
const MAX_SERVERS = 20
/** Longest provider name shown. */
const MAX_NAME = 80

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/i

type Server = { host: string; port: number; username: string | null; rank: number }

/**
 * Reads a provider's own description of its servers (Mozilla's config-v1.1.xml, draft-ietf-mailmaint-autoconfig).
 * Only encrypted servers are proposed. Null when it is not such a description or names no server to send with.
 */
export function readAutoconfig(xml: string, address: string): Proposal | null {
  const provider = providerOf(xml)
  if (provider === null) return null
  const smtp = bestOf(children(provider, 'outgoingServer'), 'smtp', address)
  const imap = bestOf(children(provider, 'incomingServer'), 'imap', address)
  if (smtp === undefined) return null
  return {
    ...NOTHING_FOUND,
    source: 'autoconfig',
    provider: textOf(provider, 'displayName').slice(0, MAX_NAME) || null,
    smtp_host: smtp.host,
    smtp_port: smtp.port,
    imap_host: imap?.host ?? null,
    imap_port: imap?.port ?? null,
    username: smtp.username ?? imap?.username ?? address,
  }
}

function providerOf(xml: string): XmlElement | null {
  try {
    const root = parseXml(xml).root
    if (root?.name !== 'clientConfig') return null
    return children(root, 'emailProvider')[0] ?? null
  } catch {
    return null
  }
}

function children(element: XmlElement, name: string): XmlElement[] {
  return element.children
    .filter((child): child is XmlElement => child instanceof XmlElement && child.name === name)
    .slice(0, MAX_SERVERS)
}

function textOf(element: XmlElement, name: string): string {
  return children(element, name)[0]?.text.trim() ?? ''
}

function bestOf(servers: XmlElement[], type: 'smtp' | 'imap', address: string): Server | undefined {
  return servers
    .filter((server) => server.attributes['type'] === type)
    .map((server) => readServer(server, type, address))
    .filter((server) => server !== null)
    .sort((one, other) => one.rank - other.rank)[0]
}

/** Our form says "encrypted" and a port, and the port says how; whatever does not fit that cannot be proposed. */
function readServer(server: XmlElement, type: 'smtp' | 'imap', address: string): Server | null {
  const host = filled(textOf(server, 'hostname'), address).toLowerCase()
  const port = Number(textOf(server, 'port'))
  const socket = textOf(server, 'socketType').toUpperCase()
  const beginsEncrypted = type === 'smtp' ? port === 465 : port !== 143
  const fits = socket === (beginsEncrypted ? 'SSL' : 'STARTTLS')
  if (!HOST_NAME.test(host) || !Number.isInteger(port) || port < 1 || port > 65_535 || !fits) return null
  const username = filled(textOf(server, 'username'), address)
  return {
    host,
    port,
    username: username === '' ? null : username.slice(0, 320),
    rank: beginsEncrypted ? 0 : 1,
  }
}

function filled(template: string, address: string): string {
  const at = address.lastIndexOf('@')
  return template
    .replaceAll('%EMAILADDRESS%', address)
    .replaceAll('%EMAILLOCALPART%', address.slice(0, at))
    .replaceAll('%EMAILDOMAIN%', address.slice(at + 1))
}
