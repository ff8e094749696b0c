import { type Duplex, PassThrough, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { invalidInput, Refusal } from '../errors.ts'
import { admitAfterBody } from './session.ts'

/** A file being uploaded. */
export type UploadedFile = {
  name: string
  /** Upper bound of its size: what the caller announced, else the limit. */
  maxBytes: number
  /** Ends at the limit; fails when the upload fails. */
  stream: Readable
  /** True once the file is known to continue beyond the limit. */
  readonly isTruncated: boolean
}

/** A multipart body is a little longer than the file in it. */
const ENVELOPE_BYTES = 64 * 1024

/**
 * Calls `work` with the one file of a multipart call, as a stream that ends at `maxBytes`.
 *
 * @throws Refusal 415, 400; `tooLarge` when the announced length is too large; what `work` throws
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
  const stream = passedOn(part.file, askingAtEnd(request))
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
    // A client refused half-way sends everything before it reads why. A body that never ends or stalls is not waited
    // for.
    const isSlow = error instanceof Refusal && error.status === 408
    if (announced < Infinity && !isSlow && !request.raw.complete) await finished(request.raw).catch(() => {})
    throw error
  }
}

/** Passes a file on, and fails at its end where the caller's session has ended meanwhile. */
function askingAtEnd(request: FastifyRequest): PassThrough {
  return new PassThrough({ flush: callbackify(() => admitAfterBody(request)) })
}

/**
 * The source as a stream that remembers its failure: if it fails before anyone listens, later readers still get the
 * error.
 */
export function passedOn(source: Readable, through: Duplex = new PassThrough()): Readable {
  through.on('error', () => {})
  pipeline(source, through).catch(() => {})
  return through
}

/** Why an upload could not be kept: the caller's fault as a sentence, our own faults unchanged. */
export function explainUpload(error: NodeJS.ErrnoException): never {
  if (error.syscall !== undefined && error.code !== 'ECONNRESET') throw error
  throw asRefusal(error)
}

/** 400 for a malformed or truncated form; the refusal itself where there is one. */
function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : invalidInput('The upload did not arrive whole. Please try again.')
}
