/** A property of a vCard. `parts` are separated by semicolons, `list` by commas. */
export type Property = {
  name: string
  /** Upper case: HOME, WORK, CELL. */
  types: string[]
  /** 100 for the preferred one, 0 if nothing is said. */
  preference: number
  value: string
  parts: string[]
  list: string[]
}

/** A longer property is a photo or a fault; the rest is dropped. */
const PROPERTY_MAX_CHARS = 60_000

type Line = { text: string; line: number }
type Open = { parts: string[]; chars: number; last: string; line: number; isQuotedPrintable: boolean }

/**
 * The logical lines of blocks of whole lines: folded lines (continued after a blank) and quoted-printable ones
 * (continued after "=") are joined.
 */
export async function* linesWithNumbers(blocks: AsyncIterable<string>): AsyncGenerator<Line[]> {
  let open: Open | null = null
  let number = 0
  for await (const block of blocks) {
    const whole: Line[] = []
    for (const text of block.split('\n').slice(0, -1)) {
      number += 1
      if (open !== null && goesOn(open, text)) join(open, text)
      else {
        if (open !== null) whole.push(closed(open))
        open = opened(text, number)
      }
    }
    yield whole
  }
  if (open !== null) yield [closed(open)]
}

function opened(text: string, line: number): Open {
  const isQuotedPrintable = /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(text.slice(0, 300))
  return { parts: [text], chars: text.length, last: text, line, isQuotedPrintable }
}

const closed = ({ parts, line }: Open): Line => ({ text: parts.join(''), line })
const isSoft = (open: Open) => open.isQuotedPrintable && open.last.endsWith('=')
const goesOn = (open: Open, text: string) => /^[ \t]/.test(text) || isSoft(open)

function join(open: Open, text: string): void {
  const wasSoft = isSoft(open)
  open.last = text
  if (open.chars > PROPERTY_MAX_CHARS) return
  open.chars += text.length
  if (wasSoft) open.parts.push((open.parts.pop() ?? '').slice(0, -1))
  // Some programs also fold quoted-printable lines, with a blank that is not part of the text.
  open.parts.push(wasSoft ? text.replace(/^[ \t]/, '') : text.slice(1))
}

/** Reads `group.NAME;PARAMETERS:value`; null for what is no property. */
export function readProperty(text: string): Property | null {
  const match = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^";:])*)*):(.*)$/s.exec(text)
  if (match === null) return null
  const [, name = '', parameters = '', typed = ''] = match
  const given = readParameters(parameters)
  const raw = decodeValue(typed.slice(0, PROPERTY_MAX_CHARS), given)
  const types = (given.get('TYPE') ?? []).map((type) => type.toUpperCase())
  return {
    name: name.toUpperCase(),
    types,
    preference: preferenceOf(types, given.get('PREF')?.[0]),
    value: unescaped(raw).trim(),
    parts: splitAt(raw, ';').map((part) => unescaped(part).trim()),
    list: splitAt(raw, ',')
      .map((part) => unescaped(part).trim())
      .filter((part) => part !== ''),
  }
}

/** 4.0 ranks from 1 (best) to 100; older versions use a type. */
function preferenceOf(types: readonly string[], stated: string | undefined): number {
  if (stated !== undefined) return Math.max(0, 101 - (Number(stated) || 1))
  return types.includes('PREF') ? 100 : 0
}

const ENCODINGS = new Set(['QUOTED-PRINTABLE', 'BASE64', 'B', '7BIT', '8BIT'])

/** Parameters by name; 2.1 omits the names of types and encodings ("TEL;HOME;VOICE:"). */
function readParameters(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const add = (name: string, values: string[]) => {
    const known = found.get(name)
    if (known === undefined) found.set(name, values)
    else for (const value of values) known.push(value)
  }
  for (const [, parameter = ''] of text.matchAll(/;((?:"[^"]*"|[^";:])*)/g)) {
    const equals = parameter.indexOf('=')
    const word = parameter.slice(equals + 1).trim()
    const values = word.replaceAll('"', '').split(',')
    if (equals >= 0) add(parameter.slice(0, equals).trim().toUpperCase(), values)
    else if (ENCODINGS.has(word.toUpperCase())) add('ENCODING', [word])
    else add('TYPE', [word])
  }
  return found
}

function decodeValue(text: string, parameters: ReadonlyMap<string, string[]>): string {
  const encoding = parameters.get('ENCODING')?.[0]?.toUpperCase()
  if (encoding === 'QUOTED-PRINTABLE') {
    return inCharset(bytesOfQuotedPrintable(text), parameters.get('CHARSET')?.[0]).replaceAll(/\r\n?/g, '\n')
  }
  if (encoding === 'B' || encoding === 'BASE64') {
    return inCharset(Buffer.from(text, 'base64'), parameters.get('CHARSET')?.[0])
  }
  return text
}

function bytesOfQuotedPrintable(text: string): Buffer {
  const plain = text.replaceAll(/=\r?\n/g, '')
  const parts = plain.split(/((?:=[0-9a-f]{2})+)/i)
  return Buffer.concat(
    parts.map((part, n) => (n % 2 === 0 ? Buffer.from(part) : Buffer.from(part.replaceAll('=', ''), 'hex'))),
  )
}

function inCharset(bytes: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([\\,;:nN])/g, (_, found: string) => (/n/i.test(found) ? '\n' : found))
}

/** Splits at separators that are not escaped. */
function splitAt(text: string, separator: ';' | ','): string[] {
  const parts = ['']
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (char === separator) parts.push('')
    else {
      const isEscape = char === '\\' && at + 1 < text.length
      parts[parts.length - 1] += isEscape ? char + text[++at] : char
    }
  }
  return parts
}
