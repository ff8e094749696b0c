import { logSecurity } from '../security/security-log.ts'
import { isFromForeignPage } from './foreign-page.ts'
import type { Server } from './server.ts'
import { origin } from './origin.ts'

/** Writes every 401 and 403 to the security log, except a refused log-in, which is already there with its user. */
export function logRefusals(app: Server): void {
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status } = reply
    const { url = '', config } = request.routeOptions
    if ((status !== 401 && status !== 403) || config.access === 'public') return
    // The visitor of that page has tried nothing.
    if (isFromForeignPage(request)) return
    const call = `${request.method} ${url}`
    logSecurity(
      app.howl.context.log,
      { event: 'refused', status, call },
      request.caller?.id ?? null,
      origin(request),
    )
  })
}
