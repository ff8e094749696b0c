import { tax, taxOf } from '#contract/invoicing/tax.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'

export function taxRoutes(app: Server): void {
  serve(app, tax.compute, async ({ query }) => taxOf(query.country_code, query.sector, query.tax_id))
}
