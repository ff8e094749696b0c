import { pdfName } from '../invoices.ts'
import type { InvoiceKind } from '../invoice-kinds.ts'
import type { EInvoiceFormat } from './model.ts'

/** The name of the file: `invoice-INV-2026-0001-factur-x.pdf`, `invoice-INV-2026-0001-xrechnung.xml`. */
export function eInvoiceName(
  document: { kind: InvoiceKind; number: string },
  format: EInvoiceFormat,
): string {
  const plain = pdfName(document.number, document.kind)
  return plain.replace(/\.pdf$/, format === 'factur-x' ? '-factur-x.pdf' : '-xrechnung.xml')
}
