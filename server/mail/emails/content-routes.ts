import { emails } from '#contract/mail/emails.ts'
import { hangUp } from '../../platform/http/hang-up.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { FRAME_HEADERS, frameHtml } from './content/frame.ts'
import { readAttachment } from './content/read-attachment.ts'
import { readSource } from './content/read-source.ts'
import { trustSender } from './content/trust-sender.ts'

/** The calls for the content of one mail: HTML, attachments, source, trusted sender. */
export function contentRoutes(app: Server): void {
  serve(app, emails.frame, async ({ context, params, query, reply }) => {
    const html = await frameHtml(context, params.id, query.key, query.remote === '1', hangUp(reply))
    await reply
      .headers(FRAME_HEADERS(query.remote === '1'))
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(html)
    return undefined
  })
  serve(app, emails.attachment, async ({ context, user, params, query, reply }) => {
    const file = await readAttachment(
      context,
      user.id,
      params.id,
      params.n,
      query.preview === 'true',
      hangUp(reply),
    )
    await reply.headers(file.headers).send(file.content)
    return undefined
  })
  serve(app, emails.source, async ({ context, user, params, reply }) => {
    const file = await readSource(context, user.id, params.id)
    await reply.headers(file.headers).send(file.content)
    return undefined
  })
  serve(app, emails.trustSender, async ({ context, user, params, body }) => {
    await trustSender(context, user.id, params.id, body.trusted)
    return { ok: true }
  })
}
