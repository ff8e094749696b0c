import { type Duplex, PassThrough, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { invalidInput, Refusal } from '../errors.ts'

/** A file on its way in. */
export type UploadedFile = {
  name: string
  /** It has so many bytes at the most: as many as the caller has announced, else as many as are allowed. */
  maxBytes: number
  /** Ends at the limit; fails where the upload does. */
  stream: Readable
  /** True once it is known that the file goes on beyond the limit. */
  readonly isTruncated: boolean
}

/** A multipart body is somewhat longer than the file in it. */
const ENVELOPE_BYTES = 64 * 1024

/**
 * Does `work` with the one file of a multipart call, as a stream that ends at `maxBytes`.
 *
 * @throws Refusal 415, 400; `tooLarge` for what says beforehand that it is; what `work` throws
 */
export async function withUploadedFile<T>(
  request: FastifyRequest,
  limit: { maxBytes: number; tooLarge: () => Refusal },
  work: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) {
    throw new Refusal(
      415,
      'Please send the file as multipart/form-data, in a field named “file”.',
      'UNSUPPORTED_TYPE',
    )
  }
  const announced = Number(request.headers['content-length'] ?? Infinity)
  if (announced < Infinity && announced > limit.maxBytes + ENVELOPE_BYTES) throw limit.tooLarge()
  const part = await request
    .file({ limits: { fileSize: limit.maxBytes } })
    .catch((error: unknown) => Promise.reject(asRefusal(error)))
  if (part === undefined) throw invalidInput('Please choose a file')
  const stream = passedOn(part.file)
  try {
    return await work({
      name: part.filename,
      maxBytes: Math.min(announced, limit.maxBytes),
      stream,
      get isTruncated() {
        return part.file.truncated
      },
    })
  } catch (error) {
    if (stream.destroyed) request.raw.unpipe().resume()
    else stream.resume()
    // Whoever is refused in the middle sends it all before he reads why. What has no end, or does not come, is not waited for.
    const isSlow = error instanceof Refusal && error.status === 408
    if (announced < Infinity && !isSlow && !request.raw.complete) await finished(request.raw).catch(() => {})
    throw error
  }
}

/**
 * The source as a stream that keeps what became of it: one that fails while nobody listens yet has failed for whoever
 * comes later.
 */
export function passedOn(source: Readable, through: Duplex = new PassThrough()): Readable {
  through.on('error', () => {})
  pipeline(source, through).catch(() => {})
  return through
}

/** Says why an upload could not be kept: the caller's part of it in a sentence, a fault of ours as it is. */
export function explainUpload(error: NodeJS.ErrnoException): never {
  if (error.syscall !== undefined && error.code !== 'ECONNRESET') throw error
  throw asRefusal(error)
}

/** 400 for a form that is none, or that ends before its end; the refusal itself where there is one. */
function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : invalidInput('The upload did not arrive whole. Please try again.')
}
