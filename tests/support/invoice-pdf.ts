import PDFDocument from 'pdfkit'
import { facesFor } from '#contract/invoicing/invoice-document/faces.ts'
import type { InvoiceKind } from '#contract/invoicing/invoice-kinds.ts'
import { layOutInvoice } from '#contract/invoicing/invoice-document/invoice-document.ts'
import { measureWith, paint } from '#contract/invoicing/invoice-document/paint.ts'
import type { Page } from '#contract/invoicing/invoice-document/paper.ts'
import {
  countInvoice,
  DEFAULT_NOTES,
  type InvoiceDraft,
  type InvoiceItem,
  printedTexts,
} from '#contract/invoicing/invoices.ts'
import { fontFile } from '#server/invoicing/invoices/pdf/draw-pdf.ts'

/** The PDF of a draft, made by Node as the browser makes it; and the pages that were drawn. */
export async function invoicePdf(
  draft: InvoiceDraft,
  options: {
    kind?: InvoiceKind
    rate?: number
    taxName?: string
    isUnconverted?: boolean
    credits?: string
  } = {},
): Promise<{ bytes: Uint8Array; pages: Page[] }> {
  const { rate = 1, taxName = 'Tax', isUnconverted = false, credits = null } = options
  const { kind = credits === null ? 'invoice' : 'credit_note' } = options
  const document = new PDFDocument({ autoFirstPage: false })
  for (const face of facesFor(printedTexts(draft))) document.registerFont(face, fontFile(face))
  const counted = countInvoice(draft, rate)
  const pages = layOutInvoice(
    { kind, draft, credits, counted, taxName, isUnconverted },
    measureWith(document),
  )
  paint(document, pages)
  const pieces: Buffer[] = []
  const ended = new Promise((resolve) => document.on('end', resolve))
  document.on('data', (piece: Buffer) => pieces.push(piece))
  document.end()
  await ended
  return { bytes: new Uint8Array(Buffer.concat(pieces)), pages }
}

export const anItem = (fields: Partial<InvoiceItem> = {}): InvoiceItem => ({
  description: 'Bread for the week',
  quantity: '2',
  unit_price: '12.50',
  discount_pct: '',
  tax_pct: '20',
  ...fields,
})

/** A complete invoice; `fields` replaces what a test is about. */
export function anInvoice(fields: Partial<InvoiceDraft> = {}): InvoiceDraft {
  return {
    number: 'INV-2026-0001',
    po_number: 'PO-77',
    currency: 'USD',
    convert: true,
    issue_date: '2026-11-23',
    due_date: '2026-12-23',
    service_start: '',
    service_end: '',
    seller: {
      name: 'Ada Muster',
      business_name: 'Muster Bakery Ltd',
      address: '12 Mill Lane\nBath BA1 2AB',
      email: 'ada@muster.example',
      phone: '+44 1225 000000',
      tax_number: '123456789',
      signature: '',
      post_code: '',
      city: '',
      country_code: '',
      logo: '',
      iban: '',
      bic: '',
    },
    buyer: {
      name: 'Kim Berg',
      business_name: 'Berg Hotels',
      address: '1 Hill Road\nBristol BS1 5TR',
      email: 'kim@berg.example',
      phone: '',
      tax_number: '',
      signature: '',
      post_code: '',
      city: '',
      country_code: '',
    },
    items: [anItem()],
    discount: '',
    amount_paid: '',
    notes: DEFAULT_NOTES,
    country: 'GB',
    sector: 'other',
    layout: 'classic',
    delivery_date: '',
    tax_category: 'S',
    tax_reason: '',
    buyer_reference: '',
    ...fields,
  }
}
