import type { BodyOf } from '#contract/platform/endpoint.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { notFound } from '../../platform/errors.ts'
import { origin } from '../../platform/http/origin.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { changePreview, discardPreview, sendTest } from './change-preview.ts'
import { estimateAudience, estimateRun, exampleWith } from './estimate.ts'
import { type AskedRun, generateAndSend } from './generate-and-send.ts'
import { holdBatch } from './hold-batch.ts'
import { presentBatch } from './present.ts'
import type { Reader } from './run-audience.ts'
import { showPreviews } from './show-previews.ts'
import { findBatch, newestBatch } from './store.ts'

/** Results in one answer; further ones are on the next pages. */
const RESULTS_MAX = 1000
const FIRST = { limit: RESULTS_MAX, offset: 0 }
const NONE = { limit: 0, offset: 0 }

export function outreachRoutes(app: Server): void {
  serve(app, outreach.generateAndSend, async ({ context, user, body, request }) => {
    const batch = await generateAndSend(context, user.id, askedRun(user, body), origin(request))
    return presentBatch(context, batch, FIRST)
  })
  serve(app, outreach.estimate, ({ context, user, query }) => estimateRun(context, user.id, query))
  serve(app, outreach.example, ({ context, user, body }) => exampleWith(context, user.id, body))
  serve(app, outreach.previews, ({ context, user, body }) =>
    showPreviews(context, user.id, askedRun(user, body), context.stopping),
  )
  serve(app, outreach.changePreview, ({ context, user, params, body }) =>
    changePreview(context, user.id, params.id, body),
  )
  serve(app, outreach.discardPreview, async ({ context, user, params, query }) => {
    await discardPreview(context, user.id, params.id, query.template_id)
    return { ok: true }
  })
  serve(app, outreach.testPreview, async ({ context, user, params, body }) => ({
    to: await sendTest(context, user.id, params.id, {
      mailboxId: body?.mailbox_id,
      templateId: body?.template_id,
    }),
  }))
  serve(app, outreach.estimateAudience, ({ context, user, body }) => estimateAudience(context, user, body))
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
  for (const act of ['pause', 'resume', 'cancel', 'withoutModel'] as const)
    serve(app, outreach[act], async ({ context, user, params, request }) =>
      presentBatch(context, await holdBatch(context, user.id, params.id, act, origin(request)), NONE),
    )
}

/** What a call says about a run: without an audience it is over all contacts. */
function askedRun(user: Reader, body: BodyOf<typeof outreach.generateAndSend>): AskedRun {
  const {
    audience,
    write_again: again,
    expected,
    mailbox_id: mailboxId,
    template_id: templateId,
    spread,
  } = body ?? {}
  const toThese = audience === undefined ? null : { user, audience, write_again: again, expected }
  return { mailboxId, toThese, templateId, spread }
}
