import { parentPort } from 'node:worker_threads'
import type { InvoiceContent } from '#contract/invoicing/invoice-document/invoice-document.ts'
import { drawPdf, type PdfOptions } from './draw-pdf.ts'

/** What a thread is asked, and what it answers. */
export type PdfRequest = { content: InvoiceContent; options: PdfOptions }
export type PdfResult = { bytes: Uint8Array } | { error: string }

async function done({ content, options }: PdfRequest): Promise<PdfResult> {
  try {
    return { bytes: new Uint8Array(await drawPdf(content, options)) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'unknown' }
  }
}

// oxlint-disable unicorn/require-post-message-target-origin -- the port between two threads has no origin
parentPort?.on('message', async (order: PdfRequest) => {
  const result = await done(order)
  parentPort?.postMessage(result, 'bytes' in result ? [result.bytes.buffer as ArrayBuffer] : [])
})
parentPort?.postMessage('ready')
