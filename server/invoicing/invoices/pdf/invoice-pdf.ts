import { documentContent } from '#contract/invoicing/invoice-document/document-content.ts'
import { type InvoiceDraft, pdfName, printedTexts } from '#contract/invoicing/invoices.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import type { Context } from '../../../platform/context.ts'
import { Refusal, TooManyRequests } from '../../../platform/errors.ts'
import { makeThreadPool, ThreadEnded } from '../../../platform/worker-threads/thread-pool.ts'
import { QueueRefused } from '../../../platform/worker-threads/turn-queue.ts'
import type { PdfOptions } from './draw-pdf.ts'
import { keptPdf, keptPdfKey } from './kept-pdf.ts'
import type { PdfRequest, PdfResult } from './pdf-worker.ts'

/**
 * One user has one PDF made at a time, and long documents leave one thread free: an invoice of a few lines has that to itself,
 * and waits for no long one.
 */
const THREADS = 2
const PER_USER = { running: 1, waiting: 30, waitMs: 20_000 }
const TRY_AGAIN_MS = 5000
/** Fifty thousand characters of Devanagari, the slowest of our scripts, take about three seconds on a quiet machine. */
const DEADLINE_MS = 20_000
/** A thread takes a while to start and to read its fonts, and who sends one invoice usually sends more. */
const IDLE_MS = 5 * 60_000
/** A document above this weight is long. Those below take some 30 ms more than one with a single line. */
const SHORT_MAX = 3000
const SHAPED = /[\p{Script=Arabic}\p{Script=Devanagari}]/gu

const pool = makeThreadPool({
  threads: THREADS,
  deadlineMs: DEADLINE_MS,
  idleMs: IDLE_MS,
  entry: new URL('./pdf-worker.ts', import.meta.url),
  perOwner: PER_USER,
})

/** Options of a PDF, and the signal of a caller who may give up. */
export type InvoicePdfOptions = Omit<PdfOptions, 'madeAt'> & { signal?: AbortSignal }

/**
 * The PDF of a stored document, the same pages as the browser's. The same document always makes the same bytes. That of an
 * issued one is made once and kept. It is made in a thread; users take turns, and the one who has asked for least lately is next.
 *
 * @param userId whose turn it is: the document's owner
 * @throws Refusal 429 while many PDFs of this user wait; 422 for a document that this version cannot draw
 */
export async function invoicePdf(
  context: Pick<Context, 'blobs' | 'log'>,
  userId: number,
  invoice: Invoice,
  { signal, ...options }: InvoicePdfOptions = {},
): Promise<Buffer> {
  const content = documentContent(invoice)
  if (content === null) throw cannotDraw()
  const madeAt = new Date(invoice.issued_at ?? invoice.updated_at)
  const request: PdfRequest = { content, options: { ...options, madeAt } }
  if (invoice.issued_at === null) return draw(userId, request, signal)
  const key = keptPdfKey(userId, invoice.id, options.subset)
  return keptPdf(context, key, request, signal, () => draw(userId, request, signal))
}

async function draw(userId: number, message: PdfRequest, signal?: AbortSignal): Promise<Buffer> {
  const cost = weightOf(message.content.draft)
  const asker = { owner: userId, signal, cost, isLong: cost > SHORT_MAX }
  const result = (await pool.ask(() => ({ message, handOver: [] }), asker).catch(refuse)) as PdfResult
  if ('error' in result) throw cannotDraw(new Error(result.error))
  return Buffer.from(result.bytes.buffer as ArrayBuffer, result.bytes.byteOffset, result.bytes.byteLength)
}

/** What a document costs to draw, in characters of Latin: letters that are shaped cost eight times as much. */
function weightOf(draft: InvoiceDraft): number {
  const EMPTY = 1000
  const A_LINE = 20
  return printedTexts(draft).reduce(
    (sum, text) => sum + text.length + 7 * (text.match(SHAPED)?.length ?? 0),
    EMPTY + A_LINE * draft.items.length,
  )
}

/** The name under which the PDF is saved. */
export const pdfFileName = ({ kind, number }: Pick<Invoice, 'kind' | 'number'>): string =>
  pdfName(number, kind)

function refuse(error: unknown): never {
  if (error instanceof QueueRefused)
    throw new TooManyRequests(TRY_AGAIN_MS, 'Other PDFs are still being made. Please try again in a moment.')
  if (error instanceof ThreadEnded) throw cannotDraw(error)
  throw error
}

function cannotDraw(cause?: unknown): Refusal {
  const refusal = new Refusal(422, 'Failed to generate PDF')
  refusal.cause = cause
  return refusal
}
