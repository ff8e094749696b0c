import type { TaxCategory } from '../vat-category.ts'
import { pdfName } from '../invoices.ts'
import type { InvoiceKind } from '../invoice-kinds.ts'

// The semantic model of EN 16931-1, as far as an invoice of Howl has it. The comments name the standard's business terms.
// Amounts are minor units of the currency, percentages thousandths of a percent, quantities thousandths.

export const E_INVOICE_FORMATS = ['factur-x', 'xrechnung'] as const
export type EInvoiceFormat = (typeof E_INVOICE_FORMATS)[number]

/** BG-4 seller, BG-7 buyer. Empty texts are absent. */
export type Party = {
  /** BT-27, BT-44. */
  name: string
  /** BT-31, BT-48. */
  vatId: string
  /** BT-32: a tax number that is no VAT identifier. */
  taxNumber: string
  /** BT-29, BT-46: what else names the party. */
  identifier: string
  /** BT-34, BT-49, with the scheme of the code list EAS. */
  electronicAddress: { scheme: string; address: string }
  /** BG-6, BG-9. */
  contact: { name: string; phone: string; email: string }
  /** BT-35, BT-36, BT-162; BT-50, BT-51, BT-163. */
  addressLines: readonly [string, string, string]
  /** BT-37, BT-52. */
  city: string
  /** BT-38, BT-53. */
  postCode: string
  /** BT-40, BT-55. */
  country: string
}

/** BG-25. */
export type InvoiceLine = {
  /** BT-126. */
  id: string
  /** BT-129, in units of one (C62, BT-130). */
  quantity: number
  /** BT-131. */
  net: number
  /** BT-146. */
  price: number
  /** BG-27: BT-136, of BT-137, by BT-138. */
  allowance: { amount: number; base: number; percent: number } | null
  /** BT-151. */
  category: TaxCategory
  /** BT-152; null where it may not be named. */
  rate: number | null
  /** BT-153. */
  name: string
  /** BT-154. */
  description: string
}

/** BG-23. */
export type VatBreakdown = {
  /** BT-116. */
  base: number
  /** BT-117. */
  tax: number
  /** BT-118. */
  category: TaxCategory
  /** BT-119. */
  rate: number
  /** BT-120. */
  reason: string
  /** BT-121. */
  reasonCode: string
}

export type EInvoice = {
  /** BT-3: 380 for an invoice, 381 for a credit note. */
  type: '380' | '381'
  /** BT-1. */
  number: string
  /** BT-2. */
  issueDate: string
  /** BT-5. */
  currency: string
  /** BT-9. */
  dueDate: string
  /** BT-10. */
  buyerReference: string
  /** BT-13. */
  orderReference: string
  /** BT-20. */
  paymentTerms: string
  /** BT-22. */
  note: string
  /** BT-25. */
  precedingInvoice: string
  seller: Party
  buyer: Party
  /** BT-72. */
  deliveryDate: string
  /** BT-77, BT-78, BT-80; null where the standard does not ask for the place. */
  deliveryPlace: { city: string; postCode: string; country: string } | null
  /** BT-73, BT-74. */
  period: { start: string; end: string }
  /** BG-16: BT-81, BT-83, BT-84, BT-85, BT-86. */
  payment: { code: string; reference: string; iban: string; accountName: string; bic: string }
  lines: readonly InvoiceLine[]
  breakdown: readonly VatBreakdown[]
  totals: {
    /** BT-106, and BT-109: there are no allowances of the whole document. */
    net: number
    /** BT-110. */
    tax: number
    /** BT-112. */
    total: number
    /** BT-113. */
    paid: number
    /** BT-115. */
    due: number
  }
}

/** The name of the file: `invoice-INV-2026-0001-factur-x.pdf`, `invoice-INV-2026-0001-xrechnung.xml`. */
export function eInvoiceName(
  document: { kind: InvoiceKind; number: string },
  format: EInvoiceFormat,
): string {
  const plain = pdfName(document.number, document.kind)
  return plain.replace(/\.pdf$/, format === 'factur-x' ? '-factur-x.pdf' : '-xrechnung.xml')
}
