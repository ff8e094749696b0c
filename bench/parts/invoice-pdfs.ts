import PDFDocument from 'pdfkit'
import type { Page } from '#contract/invoicing/invoice-document/paper.ts'
import { anInvoice, anItem, invoicePdf } from '../../tests/support/invoice-pdf.ts'
import { fontFile } from '#server/invoicing/invoices/pdf/draw-pdf.ts'
import { duration, type Figure, inTurns, median } from './figure.ts'

const ROUNDS = 15
/** How long a document of so many lines may take, and how many times what the library alone takes. */
const SIZES = [
  { lines: 3, mostMs: 150 },
  { lines: 200, mostMs: 1000 },
] as const
const RATIO_MOST = 1.5

/** The PDF of an invoice against the library's own document with the same fonts and the same texts at the same places. */
export async function pdfFigures(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { lines, mostMs } of SIZES) {
    const draft = anInvoice({
      items: Array.from({ length: lines }, (_, index) =>
        anItem({
          description: `Bread for week ${index + 1}, sliced and delivered`,
          quantity: String(index % 7),
        }),
      ),
    })
    // The first one loads the library and fills its caches.
    const { pages } = await invoicePdf(draft)
    await barePdf(pages)
    const { bare, howl } = await inTurns(
      ROUNDS,
      () => timed(() => barePdf(pages)),
      () => timed(() => invoicePdf(draft)),
    )
    const [base, own] = [median(bare), median(howl)]
    figures.push(
      {
        name: `PDF of an invoice of ${lines} lines against the library alone`,
        baseline: duration(base),
        howl: duration(own),
        ratio: own / base,
        reach: { atMost: RATIO_MOST },
      },
      {
        name: `PDF of an invoice of ${lines} lines`,
        baseline: '–',
        howl: duration(own),
        ratio: own,
        unit: 'ms',
        reach: { atMost: mostMs },
      },
    )
  }
  return figures
}

/** The same texts in the same fonts, each put down where it is known to belong. */
async function barePdf(pages: readonly Page[]): Promise<void> {
  const pdf = new PDFDocument({ autoFirstPage: false })
  const ended = new Promise((resolve) => pdf.on('end', resolve))
  pdf.on('data', () => {})
  const faces = new Set<string>()
  for (const { marks } of pages) {
    pdf.addPage({ size: 'A4', margin: 0 })
    for (const mark of marks) {
      if (mark.kind !== 'text') continue
      for (const { face, text, x } of mark.line.runs) {
        if (!faces.has(face)) pdf.registerFont(face, fontFile(face))
        faces.add(face)
        pdf
          .font(face)
          .fontSize(mark.size)
          .text(text, mark.x + x, mark.baseline, { lineBreak: false })
      }
    }
  }
  pdf.end()
  await ended
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
