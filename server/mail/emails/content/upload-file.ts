import { randomUUID } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { ATTACHMENT_BYTES_MAX } from '#contract/mail/email-writing.ts'
import type { Context } from '../../../platform/context.ts'
import { Refusal } from '../../../platform/errors.ts'
import { withRoom } from '../../../platform/http/upload-room.ts'
import { explainUpload, passedOn, type UploadedFile } from '../../../platform/http/uploaded-file.ts'
import { attachmentName } from '../../../formats/mail-text/attachment-names.ts'
import { SNIFFED_BYTES, sniffType } from '../../../formats/mail-text/sniff-type.ts'
import { addUpload, unusedBytes, type UploadRow } from './uploads-store.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** The most bytes of uploads of one user that no mail uses yet. */
const UNUSED_BYTES_MAX = 1024 * 1024 * 1024

/**
 * Stores an uploaded file for a mail, streamed into the blob store.
 *
 * @throws Refusal 400 for an upload that is cut short; 413 above 25 MB, or with too many files that no mail uses
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
    'You have uploaded too many files that no email uses. Please send or discard some drafts.',
    'TOO_LARGE',
  )
}

/** 413: the file is above the limit. */
export function fileTooLarge(): Refusal {
  const limit = ATTACHMENT_BYTES_MAX / 1024 / 1024
  return new Refusal(
    413,
    `This file is larger than ${limit} MB. Please share it as a link instead.`,
    'TOO_LARGE',
  )
}

/** Streams a file into the blob store. Its name is cleaned; its type is detected from its first bytes. */
export async function storeFile(
  context: Context,
  userId: number,
  name: string,
  content: Readable,
): Promise<Pick<UploadRow, 'name' | 'type' | 'size' | 'blob_key' | 'created_at'>> {
  const blobKey = `uploads/${userId}/${randomUUID()}`
  const firstChunks: Buffer[] = []
  let seen = 0
  const sniffer = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (seen < SNIFFED_BYTES) firstChunks.push(chunk.subarray(0, SNIFFED_BYTES - seen))
      seen += chunk.length
      done(null, chunk)
    },
  })
  const size = await context.blobs.put(blobKey, passedOn(content, sniffer))
  const beginning = Buffer.concat(firstChunks)
  const type = sniffType(name, beginning)
  return {
    name: attachmentName(name, type, beginning, 0),
    type,
    size,
    blob_key: blobKey,
    created_at: context.clock.now(),
  }
}
