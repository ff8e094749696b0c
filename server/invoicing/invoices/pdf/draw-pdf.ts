import PDFDocument from 'pdfkit'
import { type Face, facesFor } from '#contract/invoicing/invoice-document/faces.ts'
import { type InvoiceContent, layOutInvoice } from '#contract/invoicing/invoice-document/invoice-document.ts'
import { escaped } from '#contract/invoicing/e-invoice/xml.ts'
import { measureWith, openingOptions, paint } from '#contract/invoicing/invoice-document/paint.ts'
import { printedTexts } from '#contract/invoicing/invoices.ts'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** A file inside the PDF. */
export type PdfAttachment = {
  name: string
  bytes: Uint8Array
  /** Its media type. */
  type: string
  description?: string
  /** What the file is to the document (PDF 2.0, AFRelationship). */
  relationship?: 'Alternative' | 'Data' | 'Source' | 'Supplement' | 'Unspecified'
}

/** How a PDF is made; without any of it, it is a plain one. */
export type PdfOptions = {
  /** The instant that the file names as that of its making. */
  madeAt: Date
  /** The part of ISO 19005 that it follows. */
  subset?: 'PDF/A-3b'
  attachments?: readonly PdfAttachment[]
  /** More descriptions for its XMP metadata: elements of `rdf:RDF`. */
  xmp?: string
}

// Browsers need no more for what a plain invoice has; attached files came with 1.7.
const VERSION_WITH_FILES = '1.7'

/** Draws the pages of a document into a PDF file, the same as a browser does. */
export async function drawPdf(
  content: InvoiceContent,
  { madeAt, subset, attachments = [], xmp }: PdfOptions,
): Promise<Buffer> {
  const opening = openingOptions(content)
  const pdf = new PDFDocument({
    ...opening,
    info: { ...opening.info, CreationDate: madeAt },
    // The usual first font is one that a file of a subset may not name without having it.
    ...(subset === undefined ? {} : { subset, font: '' }),
    ...(subset === undefined && attachments.length === 0 ? {} : { pdfVersion: VERSION_WITH_FILES }),
  })
  for (const face of facesFor(printedTexts(content.draft))) pdf.registerFont(face, fontFile(face))
  paint(pdf, layOutInvoice(content, measureWith(pdf)))
  for (const { bytes, ...file } of attachments)
    pdf.file(Buffer.from(bytes), { ...file, creationDate: madeAt, modifiedDate: madeAt })
  escapeInfo(pdf)
  if (xmp !== undefined) (pdf as unknown as { appendXML: (xml: string) => void }).appendXML(xmp)
  const pieces: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('data', (piece: Buffer) => pieces.push(piece))
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  pdf.end()
  await ended
  return Buffer.concat(pieces)
}

/** PDFKit writes title and author into the XMP metadata as they are; "Berg & Co" would make it no XML any more. */
function escapeInfo(pdf: unknown): void {
  const inner = pdf as { info: Record<string, unknown>; _addInfo: () => void }
  const addInfo = inner._addInfo.bind(pdf)
  // The dictionary of the file, which wants the plain texts, has been written by then.
  inner._addInfo = () => {
    for (const [key, value] of Object.entries(inner.info))
      if (typeof value === 'string') inner.info[key] = escaped(value)
    addInfo()
  }
}

const require = createRequire(import.meta.url)
const folderOf = (name: string) => path.dirname(require.resolve(`${name}/package.json`))

const read = new Map<Face, Buffer>()

/** The font file of a face, as browsers load it too; each is read once by a thread. */
export function fontFile(face: Face): Buffer {
  const known = read.get(face)
  if (known !== undefined) return known
  const family = face.startsWith('arabic') ? 'ibm-plex-sans-arabic' : 'noto-sans'
  const bytes = readFileSync(
    path.join(folderOf(`@fontsource/${family}`), `files/${family}-${face}-normal.woff`),
  )
  read.set(face, bytes)
  return bytes
}
