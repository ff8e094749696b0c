import { isUtf8 } from 'node:buffer'
import type { ImapFlow, ListResponse } from 'imapflow'

type Line = { payload: Buffer; literals?: Buffer[] }
type Untagged = { attributes?: unknown }
type ExecOptions = { untagged?: Record<string, (line: Untagged) => Promise<void>> }
/** What of imapflow's insides is needed here. */
type Internals = {
  exec(command: string, attributes: unknown, options?: ExecOptions): Promise<{ next(): void }>
  handleResponse(line: Line): Promise<boolean>
  run(command: 'LIST', reference: string, pattern: string): Promise<ListResponse[] | false>
  folders: Map<string, ListResponse>
}

/** Which argument of a command is the name of a folder. */
const NAME_AT: Record<string, number> = {
  SELECT: 0,
  EXAMINE: 0,
  STATUS: 0,
  APPEND: 0,
  LIST: 1,
  'UID MOVE': 1,
  'UID COPY': 1,
}
const LISTED = /^\* (?:LIST|XLIST|LSUB) /i
/** imapflow reads UTF-8 only. Bytes of other names pass through it as characters of a range for private use. */
const PRIVATE = 0xf700
const BEYOND_ASCII = /[&\u0080-\uffff]/

export type FolderNames = {
  /** The user's own folders, each under a path of its own. */
  list(): Promise<ListResponse[] | false>
  /** Where a folder of this name is created. */
  ownPath(name: string): string
}

/**
 * Has imapflow ask for each folder by the name under which the server lists it. By itself it adds the prefix of the
 * personal namespace (RFC 2342) to the folders outside it, and encodes names in modified UTF-7 (RFC 3501 5.1.3) even
 * where the server has listed `A&B` or plain bytes. Folders of the namespaces of other users and of shared ones are not
 * listed: nobody has asked for mail that is not the user's.
 */
export function keepFolderNames(client: ImapFlow): FolderNames {
  const internals = client as unknown as Internals
  const exec = internals.exec.bind(client)
  const handleResponse = internals.handleResponse.bind(client)
  const { personal = [], other, shared } = client.namespaces ?? {}
  const own = (personal || []).map(({ prefix }) => prefix)
  const foreign = [...(other || []), ...(shared || [])].map(({ prefix }) => prefix)
  const prefix = client.namespace?.prefix ?? ''
  if (client.namespace) client.namespace.prefix = ''
  /** The bytes of names that imapflow would send in another way, by what it would send. */
  let asListed: Map<string, Buffer> | null = null

  const list = async () => {
    const folders = await internals.run('LIST', '', '*')
    if (folders === false) return false
    asListed = isUnicode(client) ? new Map() : nameApart(folders)
    internals.folders = new Map(folders.map((folder) => [folder.path, folder]))
    return folders
  }

  const isOwn = (name: string, delimiter: string) =>
    name.toUpperCase() === 'INBOX' ||
    longest(own, `${name}${delimiter}`) >= longest(foreign, `${name}${delimiter}`)

  /** Runs LIST for everything, and once more for each namespace of the user's that is listed only by its name. */
  const listOwn = async (command: string, attributes: readonly unknown[], options: ExecOptions) => {
    const listed = new Set<string>()
    const read = async (line: Untagged) => {
      const name = nameAt(line.attributes, 2) ?? ''
      if (listed.has(name) || !isOwn(name, nameAt(line.attributes, 1) ?? '')) return
      listed.add(name)
      await options.untagged?.[command]?.(line)
    }
    const reading = { ...options, untagged: { ...options.untagged, [command]: read } }
    const response = await exec(command, attributes, reading)
    for (const beginning of own) {
      if (beginning === '' || [...listed].some((name) => name.startsWith(beginning))) continue
      response.next()
      try {
        ;(await exec(command, attributes.with(0, beginning), reading)).next()
      } catch (error) {
        if ((error as { responseStatus?: string }).responseStatus !== 'NO') throw error
      }
    }
    return response
  }

  internals.handleResponse = (line) => handleResponse(isUnicode(client) ? line : withoutBytes(line))
  internals.exec = async (command, attributes, options) => {
    if (options?.untagged?.[command] && nameAt(attributes, 1) === '*' && command !== 'LSUB')
      return listOwn(command, attributes as unknown[], options)
    const at = NAME_AT[command]
    const name = at === undefined ? undefined : nameAt(attributes, at)
    if (at === undefined || name === undefined) return exec(command, attributes, options)
    // A connection that has not listed the folders yet does not know how the server writes this one.
    const mayBeOdd = name.includes('&') && command !== 'LIST' && !isUnicode(client)
    if (asListed === null && mayBeOdd) await list().catch(() => {})
    const bytes = asListed?.get(name)
    if (bytes === undefined) return exec(command, attributes, options)
    return exec(command, (attributes as unknown[]).with(at, { type: 'LITERAL', value: bytes }), options)
  }

  return {
    list,
    ownPath: (name) => (name === 'INBOX' || name.startsWith(prefix) ? name : `${prefix}${name}`),
  }
}

/** Whether names are sent as they are, in UTF-8 (RFC 6855, RFC 9051). */
function isUnicode({ enabled, capabilities }: ImapFlow): boolean {
  const isRev2 = capabilities.has('IMAP4rev2') && !capabilities.has('IMAP4rev1')
  return isRev2 || enabled.has('UTF8=ACCEPT') || enabled.has('IMAP4REV2')
}

/** The length of the longest prefix of the name; -1 if there is none. */
function longest(prefixes: readonly string[], name: string): number {
  // The prefixes are told before names may be in UTF-8.
  const names = [name, encoded(name)]
  const fitting = prefixes.filter((prefix) => names.some((each) => each.startsWith(prefix)))
  return Math.max(-1, ...fitting.map(({ length }) => length))
}

/** Gives folders with odd names paths of their own. Returns how the server writes them. */
function nameApart(folders: readonly ListResponse[]): Map<string, Buffer> {
  // In an order of ours: paths stay the same in whatever order the server lists the folders.
  const odd = folders.filter(isOdd).toSorted((a, b) => (a.pathAsListed < b.pathAsListed ? -1 : 1))
  const taken = new Set(folders.filter((folder) => !odd.includes(folder)).map(({ path }) => path))
  const asListed = new Map<string, Buffer>()
  for (const folder of odd) {
    const bytes = bytesOf(folder.pathAsListed)
    const name = IS_ENCODED.test(folder.pathAsListed) ? folder.path : textOf(bytes)
    let path = name
    for (let count = 2; taken.has(path); count += 1) path = `${name} (${count})`
    taken.add(path)
    asListed.set(encoded(path), bytes)
    folder.path = path
  }
  return asListed
}

/** Whether the name that imapflow would send is not the one that was listed. */
function isOdd({ path, pathAsListed, delimiter }: ListResponse): boolean {
  if (!BEYOND_ASCII.test(pathAsListed)) return false
  const name = delimiter && pathAsListed.startsWith(delimiter) ? pathAsListed.slice(1) : pathAsListed
  return encoded(path) !== name
}

const IS_ENCODED = /^(?:[\x20-\x25\x27-\x7e]|&[A-Za-z0-9+,]*-)*$/

/** In modified UTF-7. */
function encoded(path: string): string {
  return path.replaceAll(/&|[^\x20-\x7e]+/g, (part) => {
    if (part === '&') return '&-'
    const base64 = Buffer.from(part, 'utf16le').swap16().toString('base64')
    return `&${base64.replaceAll('=', '').replaceAll('/', ',')}-`
  })
}

function withoutBytes(line: Line): Line {
  if (!LISTED.test(line.payload.toString('latin1', 0, 10))) return line
  const literals = line.literals?.map(inPrivate)
  return { ...line, payload: inPrivate(line.payload), ...(literals && { literals }) }
}

function inPrivate(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes
  const move = (byte: string) => String.fromCharCode(PRIVATE + byte.charCodeAt(0))
  return Buffer.from(bytes.toString('latin1').replaceAll(/[\x80-\xff]/g, move))
}

function bytesOf(name: string): Buffer {
  if (!/[\uf780-\uf7ff]/.test(name)) return Buffer.from(name)
  return Buffer.from(name, 'utf16le').filter((_, at) => at % 2 === 0) as Buffer
}

/** A name in the encoding that old programs on Windows wrote, where it is not UTF-8. */
function textOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : new TextDecoder('windows-1252').decode(bytes)
}

function nameAt(attributes: unknown, at: number): string | undefined {
  const argument: unknown = Array.isArray(attributes) ? attributes[at] : undefined
  if (typeof argument === 'string') return argument
  return (argument as { value?: string | Buffer } | null | undefined)?.value?.toString()
}
