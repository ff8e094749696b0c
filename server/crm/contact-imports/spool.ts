import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { FILE_MODE, makePrivateFolder } from '../../platform/gateways/private-folder.ts'

export type SpooledFile = {
  /** Bytes. */
  size: number
  /** Its file descriptor in this process, valid until it is closed. */
  fd: number
  /** The file from its beginning; a chunk is valid until the next one is requested. */
  read(): AsyncIterable<Buffer>
  close(): Promise<void>
}

const READ_BYTES = 64 * 1024

/**
 * Keeps a stream on disk until it is closed: a slow connection must not hold a transaction open. The file is unlinked
 * at once, so that nothing is left behind however the process ends.
 */
export async function spool(source: Readable, folder: string): Promise<SpooledFile> {
  await makePrivateFolder(folder)
  const name = path.join(folder, randomUUID())
  const file = await open(name, 'wx+', FILE_MODE)
  try {
    await unlink(name)
    await file.writeFile(source)
    const { size } = await file.stat()
    return {
      size,
      fd: file.fd,
      read: () => chunksOf(file),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

// Each chunk is valid until the next one is requested: one buffer serves the whole file.
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
