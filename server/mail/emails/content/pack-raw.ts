import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Raw mails up to this size (bytes) are kept in the database, larger ones in the blob store. */
export const RAW_IN_DATABASE_MAX = 64 * 1024

/** Smaller mails (bytes) are stored as they are: they fit into their row, and compressing them costs more than it saves. */
const PACKED_MIN = 2048
/** Above this level a mail of a few kilobytes takes longer and gets hardly smaller. */
const LEVEL = 3
/** The largest overhead of a frame (bytes). */
const FRAME_BYTES = 64
/** How a Zstandard frame begins (RFC 8878, section 3.1.1): no header field can. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * A raw mail as its row stores it: a Zstandard frame, unless it is small. It is compressed in the thread that parses it; the
 * database would compress less well, in the one process that handles all mails of an account.
 */
export function packRaw(raw: Buffer): Buffer {
  if (raw.length < PACKED_MIN && !isFrame(raw)) return raw
  // Room for the whole frame, so that it is not assembled from chunks.
  const chunkSize = raw.length + Math.ceil(raw.length / 256) + FRAME_BYTES
  return zstdCompressSync(raw, { chunkSize, params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
}

/** The raw mail of a row. Small mails, and mails of earlier versions, are stored uncompressed. */
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
