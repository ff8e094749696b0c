import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { FILE_MODE } from '../../platform/gateways/private-folder.ts'
import { BLOCK, nameInPax, padding, readTarHeader, TAR_END, tarHeader } from './tar.ts'

/** The members at the end: the sum of every member before them, then what the archive holds. */
export const SUMS = 'SHA256SUMS'
export const MANIFEST = 'manifest.json'
/** A manifest beyond this is not one of ours (bytes). */
const MANIFEST_MAX = 16 * 1024 * 1024
const CHUNK = 1024 * 1024

/** The file is damaged, cut off, or no backup. The message is a sentence for the operator. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive'
}

/** Writes a tar file member by member. Nothing of it is kept in memory. */
export type ArchiveWriter = {
  /** Bytes written so far. */
  readonly bytes: number
  add(name: string, content: Buffer): Promise<void>
  /** `size` bytes of a stream. @throws where it has more or fewer */
  addStream(name: string, size: number, content: Readable): Promise<void>
  /** Writes sums and manifest and waits for the disk. */
  finish(manifest: (members: number, sums: string) => object): Promise<void>
  close(): Promise<void>
}

/** Begins an archive in a new file. */
export async function writeArchive(file: string, at: Date): Promise<ArchiveWriter> {
  const sumsFile = `${file}.sums`
  const handle = await open(file, 'wx', FILE_MODE)
  const sums = await open(sumsFile, 'w+', FILE_MODE)
  const sumsHash = createHash('sha256')
  let bytes = 0
  let sumsBytes = 0
  let members = 0

  const write = async (content: Buffer) => {
    await writeAll(handle, content)
    bytes += content.length
  }
  const begin = (name: string, size: number) => write(tarHeader(name, size, at))
  const end = (size: number) => write(Buffer.alloc(padding(size)))
  const note = async (name: string, digest: string) => {
    const line = Buffer.from(`${digest}  ${name}\n`)
    sumsHash.update(line)
    await writeAll(sums, line)
    sumsBytes += line.length
    members += 1
  }
  const writeStream = async (size: number, content: Readable) => {
    const digest = createHash('sha256')
    let written = 0
    for await (const chunk of content as AsyncIterable<Buffer>) {
      written += chunk.length
      if (written > size) throw new Error('A file grew while it was read')
      digest.update(chunk)
      await write(chunk)
    }
    if (written < size) throw new Error('A file became shorter while it was read')
    return digest.digest('hex')
  }
  return {
    get bytes() {
      return bytes
    },
    async add(name, content) {
      await begin(name, content.length)
      await write(content)
      await end(content.length)
      await note(name, createHash('sha256').update(content).digest('hex'))
    },
    async addStream(name, size, content) {
      await begin(name, size)
      const digest = await writeStream(size, content)
      await end(size)
      await note(name, digest)
    },
    async finish(manifest) {
      await begin(SUMS, sumsBytes)
      if (sumsBytes > 0) await writeStream(sumsBytes, createReadStream(sumsFile))
      await end(sumsBytes)
      const text = Buffer.from(`${JSON.stringify(manifest(members, sumsHash.digest('hex')), null, 1)}\n`)
      await begin(MANIFEST, text.length)
      await write(text)
      await end(text.length)
      const own = Buffer.from(`${createHash('sha256').update(text).digest('hex')}  ${MANIFEST}\n`)
      await begin(`${MANIFEST}.sha256`, own.length)
      await write(own)
      await end(own.length)
      await write(TAR_END)
      await handle.sync()
    },
    async close() {
      await sums.close()
      await rm(sumsFile, { force: true })
      await handle.close()
    },
  }
}

async function writeAll(handle: FileHandle, content: Buffer): Promise<void> {
  for (let from = 0; from < content.length;) {
    const { bytesWritten } = await handle.write(content, from, content.length - from)
    from += bytesWritten
  }
}

/** A member: where its content begins, and how long it is. */
export type Member = { name: string; offset: number; size: number }

/** All members of an archive in their order. @throws BadArchive */
export async function* membersOf(handle: FileHandle): AsyncGenerator<Member> {
  const { size: total } = await handle.stat()
  let position = 0
  let name: string | undefined
  for (;;) {
    const header = await headerAt(handle, position, total)
    if (header === null) return
    const offset = position + BLOCK
    position = offset + header.size + padding(header.size)
    if (position > total) throw cutOff()
    if (header.type === 'x') {
      name = nameInPax(await readAt(handle, offset, Math.min(header.size, CHUNK)))
      continue
    }
    yield { name: name ?? header.name, offset, size: header.size }
    name = undefined
  }
}

async function headerAt(handle: FileHandle, position: number, total: number) {
  if (position + BLOCK > total) throw cutOff()
  const block = await readAt(handle, position, BLOCK)
  try {
    return readTarHeader(block)
  } catch {
    throw new BadArchive(
      position === 0
        ? 'This file is no backup of Howl.'
        : `The backup is damaged at byte ${position.toLocaleString('en')}: nothing was changed.`,
    )
  }
}

const cutOff = () => new BadArchive('The backup is cut off: its end is missing.')

/** The content of a small member. */
export async function readAt(handle: FileHandle, offset: number, size: number): Promise<Buffer> {
  const content = Buffer.alloc(size)
  for (let from = 0; from < size;) {
    const { bytesRead } = await handle.read(content, from, size - from, offset + from)
    if (bytesRead === 0) throw cutOff()
    from += bytesRead
  }
  return content
}

/** The content of a member, a piece at a time. */
export async function* piecesOf(handle: FileHandle, { offset, size }: Member): AsyncGenerator<Buffer> {
  for (let from = 0; from < size; from += CHUNK)
    yield await readAt(handle, offset + from, Math.min(CHUNK, size - from))
}

/**
 * Reads every byte of an archive and compares each member with its sum.
 *
 * @returns the content of the manifest
 * @throws BadArchive that names the first member that is damaged
 */
export async function checkArchive(
  file: string,
  handle: FileHandle,
  progress: (bytes: number) => void = () => {},
): Promise<unknown> {
  const places = new Map<string, Member>()
  let members = 0
  for await (const member of membersOf(handle)) {
    if ([SUMS, MANIFEST, `${MANIFEST}.sha256`].includes(member.name)) places.set(member.name, member)
    else members += 1
  }
  const [sums, manifest, own] = [SUMS, MANIFEST, `${MANIFEST}.sha256`].map((name) => places.get(name))
  const isTooLarge = (manifest?.size ?? 0) > MANIFEST_MAX || (own?.size ?? 0) > BLOCK
  if (sums === undefined || manifest === undefined || own === undefined || isTooLarge)
    throw new BadArchive('This file is no backup of Howl: it has no manifest.')
  const text = await readAt(handle, manifest.offset, manifest.size)
  const ownSum = (await readAt(handle, own.offset, own.size)).toString('utf8').slice(0, 64)
  if (createHash('sha256').update(text).digest('hex') !== ownSum) throw damaged(MANIFEST)
  const content = contentOfManifest(text)
  if (content.members !== members)
    throw new BadArchive('The backup does not have as many parts as it should.')
  if ((await sumOf(handle, sums)) !== content.sums) throw damaged(SUMS)

  const lines = linesOf(file, sums)
  try {
    for await (const member of membersOf(handle)) {
      if (member.name === SUMS) break
      const { value } = await lines.next()
      if (value !== `${await sumOf(handle, member)}  ${member.name}`) throw damaged(member.name)
      progress(member.offset + member.size)
    }
    if ((await lines.next()).done !== true) throw damaged(SUMS)
  } finally {
    await lines.return?.(undefined)
  }
  return content
}

function contentOfManifest(text: Buffer): { members?: unknown; sums?: unknown } {
  try {
    const content: unknown = JSON.parse(text.toString('utf8'))
    if (typeof content === 'object' && content !== null) return content
  } catch {
    // Said below.
  }
  throw new BadArchive('This file is no backup of Howl: its manifest cannot be read.')
}

const damaged = (name: string) => new BadArchive(`The backup is damaged: ${name} is not as it was written.`)

async function sumOf(handle: FileHandle, member: Member): Promise<string> {
  const digest = createHash('sha256')
  for await (const piece of piecesOf(handle, member)) digest.update(piece)
  return digest.digest('hex')
}

function linesOf(file: string, { offset, size }: Member): AsyncIterator<string> {
  if (size === 0) return (async function* () {})()
  const input = createReadStream(file, { start: offset, end: offset + size - 1 })
  return createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]()
}
