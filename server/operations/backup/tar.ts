/** The blocks of a tar file (POSIX.1-2001, pax): only as much of it as plain files need. */
export const BLOCK = 512
/** Two empty blocks end a tar file. */
export const TAR_END = Buffer.alloc(2 * BLOCK)
const NAME_BYTES = 100
const USTAR = Buffer.from('ustar\x0000', 'latin1')

/** What one header block says. */
export type TarHeader = { name: string; size: number; type: string }

/** How many bytes follow a file's content until the next header. */
export const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

/** The header of a file, with one for its name before it where that is long. */
export function tarHeader(name: string, size: number, at: Date): Buffer {
  if (Buffer.byteLength(name) <= NAME_BYTES) return headerBlock(name, size, '0', at)
  const record = paxRecord('path', name)
  return Buffer.concat([
    headerBlock('long-name', record.length, 'x', at),
    record,
    Buffer.alloc(padding(record.length)),
    headerBlock(Buffer.from(name).subarray(0, NAME_BYTES).toString('latin1'), size, '0', at),
  ])
}

function headerBlock(name: string, size: number, type: string, at: Date): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, offset: number, digits: number) =>
    block.write(value.toString(8).padStart(digits, '0'), offset, 'latin1')
  block.write(name, 0, NAME_BYTES, 'utf8')
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(Math.floor(at.getTime() / 1000), 136, 11)
  block.fill(' ', 148, 156)
  block.write(type, 156, 'latin1')
  USTAR.copy(block, 257)
  octal(sumOf(block), 148, 6)
  block.writeUInt8(0, 154)
  return block
}

/** "27 path=the/long/name\n": the number is the length of the record, its own digits included. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest
  while (length !== rest + String(length).length) length = rest + String(length).length
  return Buffer.from(`${length} ${key}=${value}\n`)
}

/** The name in the content of a pax header. */
export function nameInPax(content: Buffer): string | undefined {
  return /^\d+ path=(.*)\n$/su.exec(content.toString('utf8'))?.[1]
}

/** Reads a header block; null for an empty one, the end of the file. @throws Error for anything else */
export function readTarHeader(block: Buffer): TarHeader | null {
  if (block.every((byte) => byte === 0)) return null
  const copy = Buffer.from(block)
  copy.fill(' ', 148, 156)
  const text = (from: number, to: number) => block.toString('utf8', from, to).replace(/\0.*$/su, '')
  const size = Number.parseInt(text(124, 136), 8)
  if (block.length !== BLOCK || Number.parseInt(text(148, 156), 8) !== sumOf(copy) || !Number.isInteger(size))
    throw new Error('This is no header of a tar file')
  return { name: text(0, NAME_BYTES), size, type: text(156, 157) }
}

function sumOf(block: Buffer): number {
  let sum = 0
  for (const byte of block) sum += byte
  return sum
}
