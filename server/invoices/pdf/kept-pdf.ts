import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { BlobNotFound } from '../../gateways/blobs.ts'
import { drawingVersion } from './drawing-version.ts'
import type { PdfRequest } from './pdf-worker.ts'

/** Bytes of the digest that stands before the PDF in its blob. */
const DIGEST_BYTES = 32

/** Where the PDF of an issued document is kept: one file for each form that it has. It goes with its owner's account. */
export const keptPdfKey = (userId: number, invoiceId: number, subset?: string): string =>
  `invoice-pdfs/${userId}/${invoiceId}${subset === undefined ? '' : `-${subset.replaceAll('/', '')}`}`

/** What is being made, by its key. */
const inTheMaking = new Map<string, Promise<unknown>>()

/**
 * The PDF that is kept under a key, or the one that `make` makes, which is kept from then on. The blob begins with a digest of
 * all that decides how the document looks, so a file from before a change is made again and replaced. Calls for the same
 * document wait for the first of them.
 *
 * @throws what `make` throws; the signal's reason
 */
export async function keptPdf(
  { blobs, log }: Pick<Context, 'blobs' | 'log'>,
  key: string,
  request: PdfRequest,
  signal: AbortSignal | undefined,
  make: () => Promise<Buffer>,
): Promise<Buffer> {
  const digest = createHash('sha256')
    .update(await drawingVersion())
    .update(JSON.stringify(request))
    .digest()
  // A caller who hangs up may have been the one who makes it: the next one looks again.
  while (inTheMaking.has(key)) await settled(inTheMaking.get(key), signal)
  const making = findOrMake()
  inTheMaking.set(key, making)
  return making.finally(() => inTheMaking.delete(key))

  async function findOrMake(): Promise<Buffer> {
    const kept = await blobs.get(key).catch((error: unknown) => {
      if (!(error instanceof BlobNotFound)) log.warn({ err: error }, 'a kept PDF could not be read')
      return null
    })
    if (kept?.subarray(0, DIGEST_BYTES).equals(digest)) return kept.subarray(DIGEST_BYTES)
    const pdf = await make()
    await blobs.put(key, Buffer.concat([digest, pdf])).catch((error: unknown) => {
      // The caller has the PDF all the same.
      log.warn({ err: error }, 'a PDF could not be kept')
    })
    return pdf
  }
}

/** Resolves once the other call has ended, however it did. @throws the signal's reason */
async function settled(other: Promise<unknown> | undefined, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([other?.catch(() => {}), promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
