import PDFDocument from 'pdfkit/js/pdfkit.standalone.js'
import { facesFor } from '#contract/invoicing/invoice-document/faces.ts'
import { type InvoiceContent, layOutInvoice } from '#contract/invoicing/invoice-document/invoice-document.ts'
import { measureWith, openingOptions, paint } from '#contract/invoicing/invoice-document/paint.ts'
import type { Page } from '#contract/invoicing/invoice-document/paper.ts'
import { printedTexts } from '#contract/invoicing/invoices.ts'
import { loadFonts, showFonts } from './font-files.ts'

type PdfDocument = InstanceType<typeof PDFDocument>

async function openDocument(content: InvoiceContent, isPreview: boolean): Promise<PdfDocument> {
  const fonts = await loadFonts(facesFor(printedTexts(content.draft)))
  if (isPreview) await showFonts(fonts)
  const pdf = new PDFDocument(openingOptions(content))
  for (const [face, bytes] of fonts) pdf.registerFont(face, bytes)
  return pdf
}

/** The pages of the invoice, and their fonts in the page. */
export async function pagesOf(content: InvoiceContent): Promise<Page[]> {
  const pdf = await openDocument(content, true)
  return layOutInvoice(content, measureWith(pdf))
}

/** The PDF of the same pages. */
export async function pdfOf(content: InvoiceContent): Promise<Blob> {
  const pdf = await openDocument(content, false)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('data', (piece: Uint8Array<ArrayBuffer>) => pieces.push(piece))
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  paint(pdf, layOutInvoice(content, measureWith(pdf)))
  pdf.end()
  await ended
  return new Blob(pieces, { type: 'application/pdf' })
}
