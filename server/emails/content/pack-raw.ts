import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Raw mails up to this size (bytes) are kept in the database, larger ones in the blob store. */
export const RAW_IN_DATABASE_MAX = 64 * 1024

/** Smaller ones (bytes) are kept as they are: they fit into their row, and packing them costs more than it saves. */
const PACKED_MIN = 2048
/** Beyond this level a mail of a few kilobytes takes longer and becomes hardly smaller. */
const LEVEL = 3
/** What a frame takes beside what is in it, at the most (bytes). */
const FRAME_BYTES = 64
/** How a Zstandard frame begins (RFC 8878, section 3.1.1): no header field can. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * A raw mail as its row keeps it: a Zstandard frame, unless it is small. It is packed where it is read, in a thread of its own; the database
 * would do it less well in the one process through which all mails of an account go.
 */
export function packRaw(raw: Buffer): Buffer {
  if (raw.length < PACKED_MIN && !isFrame(raw)) return raw
  // Room for the whole frame at once, so that it is not put together from pieces.
  const chunkSize = raw.length + Math.ceil(raw.length / 256) + FRAME_BYTES
  return zstdCompressSync(raw, { chunkSize, params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
}

/** The raw mail of a row. Small ones, and those of earlier versions, are there as they came. */
export function unpackRaw(stored: Buffer): Buffer {
  if (!isFrame(stored)) return stored
  try {
    return zstdDecompressSync(stored, { maxOutputLength: RAW_IN_DATABASE_MAX })
  } catch {
    return stored
  }
}

function isFrame(bytes: Buffer): boolean {
  return bytes.subarray(0, MAGIC.length).equals(MAGIC)
}
