/**
 * VAT categories (UNTDID 5305, as EN 16931 uses it): standard, zero-rated, exempt, reverse charge, within the EU, export,
 * outside the scope of VAT. On an invoice the category says why lines without tax have none; a line with a rate is standard.
 */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const
export type TaxCategory = (typeof TAX_CATEGORIES)[number]

// Standard and zero-rated need no reason, and an e-invoice may not have one for them (BR-S-10, BR-Z-10).
const PROPOSED: Partial<Record<TaxCategory, string>> = {
  E: 'Exempt from VAT',
  AE: 'Reverse charge: the customer owes the VAT',
  K: 'Exempt: supply within the EU, Article 138 of Directive 2006/112/EC',
  G: 'Exempt: export outside the EU, Article 146 of Directive 2006/112/EC',
  O: 'Not subject to VAT',
}

/** True where the invoice says why it charges no tax. */
export const needsReason = (category: TaxCategory) => PROPOSED[category] !== undefined

/** The usual sentence that says why no tax is charged; empty where none is needed. */
export const proposedReason = (category: TaxCategory) => PROPOSED[category] ?? ''

/** The reason that an invoice prints: what was written, as long as its category has one. */
export const printedReason = (draft: { tax_category: TaxCategory; tax_reason: string }) =>
  needsReason(draft.tax_category) ? draft.tax_reason.trim() : ''

/** The draft with another category. A reason that was only proposed goes with its category; one that was written stays. */
export function withCategory<T extends { tax_category: TaxCategory; tax_reason: string }>(
  draft: T,
  category: TaxCategory,
): Pick<T, 'tax_category' | 'tax_reason'> {
  const isOwn = draft.tax_reason.trim() !== '' && draft.tax_reason !== proposedReason(draft.tax_category)
  return { tax_category: category, tax_reason: isOwn ? draft.tax_reason : proposedReason(category) }
}
