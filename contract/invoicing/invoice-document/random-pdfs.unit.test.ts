import { it } from 'vitest'
import { checkRandomPdfs } from '../../../tests/support/random-pdfs.ts'

it('the PDFs of ten random invoices hold their amounts', { timeout: 60_000 }, () => checkRandomPdfs(10, 37))
