import { activities } from '#contract/accounts/activities.ts'
import type { ChainReport } from '#contract/accounts/activities.ts'
import { isFromForeignPage } from '../../platform/http/foreign-page.ts'
import { origin } from '../../platform/http/origin.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { checkActivities } from './check-chain.ts'
import { deniedTries } from './note-activity.ts'
import { pageOfActivities } from './list-activities.ts'

export function activityRoutes(app: Server): void {
  serve(app, activities.list, ({ context, query }) => pageOfActivities(context, query))
  let checking: Promise<ChainReport> | null = null
  // A check reads every row: whoever asks meanwhile gets the same answer.
  serve(app, activities.check, ({ context }) => {
    checking ??= checkActivities(context).finally(() => void (checking = null))
    return checking
  })
}

/** Writes denied tries down. Call it before the routes of the domains are added: it looks at those that come later. */
export function noteDeniedTries(app: Server): void {
  const { context } = app.howl
  const note = deniedTries(context)
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status } = reply
    const { url = '', config } = request.routeOptions
    const isAdminCall = config.access === 'admin'
    // An ordinary session that is over is nobody's try to get in. Failed log-ins write themselves down.
    const isDenied =
      status === 429 || (status === 403 && config.access !== 'public') || (status === 401 && isAdminCall)
    if (!isDenied || isFromForeignPage(request)) return
    try {
      const user = request.caller?.id ?? null
      await note({ status, call: `${request.method} ${url}`, isAdminCall, user, origin: origin(request) })
    } catch (error) {
      context.log.warn({ err: error }, 'a denied try could not be written down')
    }
  })
}
