import { exchangeRates } from '#contract/invoicing/exchange-rates.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { currentRates } from './current-rates.ts'

export function rateRoutes(app: Server): void {
  serve(app, exchangeRates.get, async ({ context }) => currentRates(context))
}
