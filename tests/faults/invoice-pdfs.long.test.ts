import { it } from 'vitest'
import { checkRandomPdfs } from '../support/random-pdfs.ts'

it('the PDFs of two hundred random invoices hold their amounts', () => checkRandomPdfs(200, 2026))
