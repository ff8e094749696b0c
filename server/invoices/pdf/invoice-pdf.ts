import { documentContent } from '#contract/invoice-document/document-content.ts'
import { pdfName } from '#contract/invoices.ts'
import type { Invoice } from '#contract/saved-invoices.ts'
import { Refusal, TooManyRequests } from '../../errors.ts'
import { makeThreadPool, ThreadEnded } from '../../worker-threads/thread-pool.ts'
import { QueueRefused } from '../../worker-threads/turn-queue.ts'
import type { PdfOptions } from './draw-pdf.ts'
import type { PdfRequest, PdfResult } from './pdf-worker.ts'

/** One user has one PDF made at a time, so the other thread stays free for everybody else. */
const THREADS = 2
const PER_USER = { running: THREADS - 1, waiting: 30, waitMs: 20_000 }
const TRY_AGAIN_MS = 5000
/** Two hundred lines take about a second; the largest document that is accepted some seconds. */
const DEADLINE_MS = 20_000
/** A thread takes a while to start and to read its fonts, and who sends one invoice usually sends more. */
const IDLE_MS = 5 * 60_000

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
 * The PDF of a stored document, the same pages as the browser's. It is made in a thread; users take turns. The same document
 * always makes the same bytes.
 *
 * @param userId whose turn it is: the document's owner
 * @throws Refusal 429 while many PDFs of this user wait; 422 for a document that this version cannot draw
 */
export async function invoicePdf(
  userId: number,
  invoice: Invoice,
  { signal, ...options }: InvoicePdfOptions = {},
): Promise<Buffer> {
  const content = documentContent(invoice)
  if (content === null) throw cannotDraw()
  const madeAt = new Date(invoice.issued_at ?? invoice.updated_at)
  const message: PdfRequest = { content, options: { ...options, madeAt } }
  const asked = pool.ask(() => ({ message, handOver: [] }), { owner: userId, signal })
  const result = (await asked.catch(refuse)) as PdfResult
  if ('error' in result) throw cannotDraw(new Error(result.error))
  return Buffer.from(result.bytes.buffer as ArrayBuffer, result.bytes.byteOffset, result.bytes.byteLength)
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
