import { useEffect, useState } from 'react'
import { isTaxNumber, type Sector, tax, taxOf, type TaxResult } from '#contract/invoicing/tax.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'

/** A tax number is looked at once the user has stopped typing for this long. */
const REST_MS = 300

type Seller = { country: string; sector: Sector; taxNumber: string }

export type TaxState = TaxResult & {
  /** Whether the tax number is one of the country; null without a number, and while it is typed. */
  isValid: boolean | null
}

/** The seller's tax, asked of the server; by our own rules where it does not answer. */
export function useTax({ country, sector, taxNumber }: Seller): TaxState {
  const settled = useRested(taxNumber)
  const local = taxOf(country, sector, settled)
  const { data } = useEndpoint(tax.compute, {
    query: { price: 0, country_code: country, sector, tax_id: settled.slice(0, 50) },
    staleTime: 60_000,
  })
  const isSaid = typeof data?.tax_percent === 'number' && Number.isFinite(data.tax_percent)
  const { tax_percent, tax_name } = isSaid ? data : local
  const isValid = settled.trim() === '' || settled !== taxNumber ? null : isTaxNumber(country, settled)
  return { tax_percent, tax_name, isValid }
}

/** The text, once it has rested. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
