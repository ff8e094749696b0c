import { exchangeRates } from '#contract/exchange-rates.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { currentRates } from './current-rates.ts'

export function rateRoutes(app: Server): void {
  serve(app, exchangeRates.get, async ({ context }) => currentRates(context))
}
