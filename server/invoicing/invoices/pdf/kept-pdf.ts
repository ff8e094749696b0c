import { createHash } from 'node:crypto'
import type { Context } from '../../../platform/context.ts'
import { BlobNotFound } from '../../../platform/gateways/blobs.ts'
import type { PdfRequest } from './pdf-worker.ts'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Bytes of the digest that comes before the PDF in its blob. */
const DIGEST_BYTES = 32

/** Where the PDF of an issued document is kept: one file for each form that it has. It goes with its owner's account. */
export const keptPdfKey = (userId: number, invoiceId: number, subset?: string): string =>
  `invoice-pdfs/${userId}/${invoiceId}${subset === undefined ? '' : `-${subset.replaceAll('/', '')}`}`

/** What is being found or made, by its key and digest. */
const inTheMaking = new Map<string, Promise<Buffer>>()

/**
 * The PDF that is kept under a key, or the one that `make` makes, which is kept from then on. The blob begins with a digest of
 * all that decides how the document looks, so a file from before a change is made again and replaced. Calls for the same
 * document share what the first of them gets.
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
  const name = `${key} ${digest.toString('hex')}`
  for (let other = inTheMaking.get(name); other !== undefined; other = inTheMaking.get(name)) {
    const made = await madeByOther(other, signal)
    // Where a caller hung up who was making it, the next one makes it.
    if (made !== null) return made
  }
  const making = findOrMake()
  inTheMaking.set(name, making)
  return making.finally(() => inTheMaking.delete(name))

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

/** What another call gets; null if it fails. @throws the signal's reason */
async function madeByOther(other: Promise<Buffer>, signal: AbortSignal | undefined): Promise<Buffer | null> {
  signal?.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([other.catch(() => null), promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
/** What decides how a document looks: the description of its pages with all that it reads, and what draws them. */
const FOLDERS = ['contract', 'server/invoicing/invoices/pdf']
/** The versions of fonts and libraries. */
const VERSIONS = ['package.json', 'package-lock.json']

let known: Promise<Buffer> | undefined

/** A digest of the code, libraries and fonts that draw documents: it changes when any of them does. */
function drawingVersion(): Promise<Buffer> {
  known ??= readVersion()
  return known
}

async function readVersion(): Promise<Buffer> {
  const hash = createHash('sha256')
  const files = await Promise.all(FOLDERS.map(sourcesIn))
  for (const name of [...files.flat(), ...VERSIONS]) {
    const bytes = await readFile(path.join(ROOT, name)).catch(() => Buffer.alloc(0))
    hash.update(`${name} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest()
}

/** The source files below a folder, sorted. */
async function sourcesIn(folder: string): Promise<string[]> {
  const names = await readdir(path.join(ROOT, folder), { recursive: true })
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => path.join(folder, name))
    .toSorted()
}
