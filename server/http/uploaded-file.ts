import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { invalidInput, Refusal } from './errors.ts'

/** A file on its way in; `truncated` turns true when it goes on beyond the limit. */
export type UploadedFile = { name: string; stream: Readable & { truncated?: boolean } }

/** A multipart body is somewhat longer than the file in it. */
const ENVELOPE_BYTES = 64 * 1024

/**
 * The one file of a multipart call, as a stream that ends at `maxBytes`.
 *
 * @throws Refusal 415, 400; `tooLarge` for what says beforehand that it is
 */
export async function uploadedFile(
  request: FastifyRequest,
  limit: { maxBytes: number; tooLarge: () => Refusal },
): Promise<UploadedFile> {
  if (!request.isMultipart()) {
    throw new Refusal(
      415,
      'Please send the file as multipart/form-data, in a field named “file”.',
      'UNSUPPORTED_TYPE',
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > limit.maxBytes + ENVELOPE_BYTES) throw limit.tooLarge()
  const part = await request
    .file({ limits: { fileSize: limit.maxBytes } })
    .catch(() => Promise.reject(uploadCutShort()))
  if (part === undefined) throw invalidInput('Please choose a file')
  return { name: part.filename, stream: part.file }
}

/** 400: a form that is none, or that ends before its end. */
export function uploadCutShort(): Refusal {
  return invalidInput('The upload did not arrive whole. Please try again.')
}
