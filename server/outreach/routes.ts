import { outreach } from '#contract/outreach.ts'
import { notFound } from '../errors.ts'
import { origin } from '../http/origin.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { estimateRun } from './estimate.ts'
import { generateAndSend } from './generate-and-send.ts'
import { cancelBatch, pauseBatch, resumeBatch } from './hold-batch.ts'
import { presentBatch } from './present.ts'
import { findBatch, newestBatch } from './store.ts'

/** Results in one answer; further ones are on the next pages. */
const RESULTS_MAX = 1000
const FIRST = { limit: RESULTS_MAX, offset: 0 }
const NONE = { limit: 0, offset: 0 }

export function outreachRoutes(app: Server): void {
  serve(app, outreach.generateAndSend, async ({ context, user, body, request }) =>
    presentBatch(context, await generateAndSend(context, user.id, body?.mailbox_id, origin(request)), FIRST),
  )
  serve(app, outreach.estimate, ({ context, user, query }) => estimateRun(context, user.id, query.mailbox_id))
  serve(app, outreach.current, async ({ context, user }) => {
    const batch = await newestBatch(context.db, user.id)
    return batch === undefined ? null : presentBatch(context, batch, NONE)
  })
  serve(app, outreach.get, async ({ context, user, params, query, reply }) => {
    const batch = await findBatch(context.db, user.id, params.id)
    if (batch === undefined) throw notFound('There is no such run.')
    const limit = query.page_size ?? query.limit ?? RESULTS_MAX
    const answer = await presentBatch(context, batch, { limit, offset: (query.page - 1) * limit })
    void reply.header('X-Total-Count', answer.summary.total)
    return answer
  })
  serve(app, outreach.pause, async ({ context, user, params, request }) =>
    presentBatch(context, await pauseBatch(context, user.id, params.id, origin(request)), NONE),
  )
  serve(app, outreach.resume, async ({ context, user, params, request }) =>
    presentBatch(context, await resumeBatch(context, user.id, params.id, origin(request)), NONE),
  )
  serve(app, outreach.cancel, async ({ context, user, params, request }) =>
    presentBatch(context, await cancelBatch(context, user.id, params.id, origin(request)), NONE),
  )
}
