import { it } from 'vitest'
import { checkRandomInvoices } from '../support/random-invoices.ts'

it('the sums of a million random invoices add up', () => checkRandomInvoices(1_000_000, 7))
