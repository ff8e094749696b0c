import { it } from 'vitest'
import { checkRandomEInvoices } from '../../../tests/support/random-e-invoices.ts'

it('two hundred random e-invoices break no rule, and have our sums', { timeout: 60_000 }, () =>
  checkRandomEInvoices(100, 43),
)
