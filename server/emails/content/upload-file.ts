import { randomUUID } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { ATTACHMENT_BYTES_MAX } from '#contract/email-writing.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { withRoom } from '../../http/upload-room.ts'
import { explainUpload, passedOn, type UploadedFile } from '../../http/uploaded-file.ts'
import { attachmentName } from '../../mail/attachment-names.ts'
import { SNIFFED_BYTES, sniffType } from '../../mail/sniff-type.ts'
import { addUpload, unusedBytes, type UploadRow } from './uploads-store.ts'
import type { Tx } from '../../database/handles.ts'

/** Files that wait for a mail, of one user together. */
const UNUSED_BYTES_MAX = 1024 * 1024 * 1024

/**
 * Keeps a file for a mail, straight into the blob store.
 *
 * @throws Refusal 400 for an upload that is cut short; 413 beyond 25 MB, or with too many files that no mail has
 */
export async function uploadFile(context: Context, userId: number, upload: UploadedFile): Promise<UploadRow> {
  const room = {
    userId,
    kind: 'attachment' as const,
    bytes: upload.maxBytes,
    maxBytes: UNUSED_BYTES_MAX,
    taken: (tx: Tx) => unusedBytes(tx, userId),
    refuse: tooManyWait,
  }
  return withRoom(context, room, async () => {
    const file = await storeFile(context, userId, upload.name, upload.stream).catch(explainUpload)
    try {
      if (upload.isTruncated) throw fileTooLarge()
      return await addUpload(context.db, userId, file)
    } catch (error) {
      await context.blobs.delete(file.blob_key)
      throw error
    }
  })
}

function tooManyWait(): Refusal {
  return new Refusal(
    413,
    'Too many uploaded files wait for a mail. Please send or discard some.',
    'TOO_LARGE',
  )
}

/** 413: the file is beyond the limit. */
export function fileTooLarge(): Refusal {
  const limit = ATTACHMENT_BYTES_MAX / 1024 / 1024
  return new Refusal(
    413,
    `This file is larger than ${limit} MB. Please share it by a link instead.`,
    'TOO_LARGE',
  )
}

/** Puts bytes into the blob store and looks at them on the way; the name is cleaned, the type is what they are. */
export async function storeFile(
  context: Context,
  userId: number,
  name: string,
  content: Readable,
): Promise<Pick<UploadRow, 'name' | 'type' | 'size' | 'blob_key' | 'created_at'>> {
  const blobKey = `uploads/${userId}/${randomUUID()}`
  const begun: Buffer[] = []
  let seen = 0
  const look = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (seen < SNIFFED_BYTES) begun.push(chunk.subarray(0, SNIFFED_BYTES - seen))
      seen += chunk.length
      done(null, chunk)
    },
  })
  const size = await context.blobs.put(blobKey, passedOn(content, look))
  const beginning = Buffer.concat(begun)
  const type = sniffType(name, beginning)
  return {
    name: attachmentName(name, type, beginning, 0),
    type,
    size,
    blob_key: blobKey,
    created_at: context.clock.now(),
  }
}
