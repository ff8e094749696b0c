import { it } from 'vitest'
import { checkRandomEInvoices } from '../support/random-e-invoices.ts'

it('ten thousand random e-invoices break no rule, and have our sums', () => checkRandomEInvoices(5000, 2026))
