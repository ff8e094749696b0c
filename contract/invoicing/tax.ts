import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, line } from '../platform/values.ts'

/** What a business trades in; the rate of Indian GST depends on it. */
export const SECTORS = ['saas', 'education', 'healthcare', 'other'] as const
export type Sector = (typeof SECTORS)[number]

export type TaxResult = { tax_percent: number; tax_name: string }

/** No tax applies. */
export const NO_TAX: TaxResult = { tax_percent: 0, tax_name: 'NONE' }

const GST: Record<Sector, number> = { saas: 18, education: 12, healthcare: 5, other: 18 }
const UK_VAT = 20

/**
 * The tax of a seller in a country: Indian GST by sector, UK VAT, elsewhere none. Without a valid tax number no tax
 * applies. The server answers by these rules, and the browser falls back to them.
 */
export function taxOf(country: string, sector: Sector, taxNumber: string): TaxResult {
  if (!isTaxNumber(country, taxNumber)) return NO_TAX
  if (country === 'IN') return { tax_percent: GST[sector], tax_name: 'GST' }
  if (country === 'GB') return { tax_percent: UK_VAT, tax_name: 'VAT' }
  return NO_TAX
}

/**
 * True if this can be a tax number of the country: an Indian GSTIN with its check character, a UK VAT number of 9 or 12
 * digits, elsewhere anything that is not empty. Blanks and letter case do not count, nor does GB in front of a UK number.
 */
export function isTaxNumber(country: string, taxNumber: string): boolean {
  const plain = taxNumber.replaceAll(/\s/g, '').toUpperCase()
  if (country === 'IN') return isGstin(plain)
  if (country === 'GB') return /^(GB)?(\d{9}|\d{12})$/.test(plain)
  return plain !== ''
}

const GSTIN_CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

// The check character is Luhn's, modulo 36: the digits of each product are added in base 36.
function isGstin(text: string): boolean {
  if (!/^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[\dA-Z]$/.test(text)) return false
  let sum = 0
  for (const [index, character] of text.slice(0, -1).split('').entries()) {
    const product = GSTIN_CHARACTERS.indexOf(character) * (index % 2 === 0 ? 1 : 2)
    sum += Math.floor(product / 36) + (product % 36)
  }
  return GSTIN_CHARACTERS[(36 - (sum % 36)) % 36] === text.at(-1)
}

const NO_COUNTRY = 'Please give a country as two letters'

export const tax = {
  compute: endpoint({
    method: 'GET',
    path: '/tax/compute',
    summary: 'The tax that a seller in this country, with this tax number, puts on an invoice',
    query: z.object({
      /** What the tax is of. It changes nothing today: no rate depends on the price. */
      price: z._default(
        z.coerce.number('This is not a price').check(z.gte(0, 'A price cannot be below 0')),
        0,
      ),
      country_code: z
        .string()
        .check(z.trim(), atMost(2, NO_COUNTRY), z.toUpperCase(), z.regex(/^[A-Z]{2}$/, NO_COUNTRY)),
      sector: z._default(z.enum(SECTORS), 'other'),
      tax_id: z._default(line(50), ''),
    }),
    reply: z.object({ tax_percent: z.number(), tax_name: z.string() }),
  }),
}
