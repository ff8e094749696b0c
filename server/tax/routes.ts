import { tax, taxOf } from '#contract/tax.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'

export function taxRoutes(app: Server): void {
  serve(app, tax.compute, async ({ query }) => taxOf(query.country_code, query.sector, query.tax_id))
}
