import type { ServerResponse } from 'node:http'
import { assistant, type ChatEvent, type ChatReply } from '#contract/assistant/assistant.ts'
import type { ErrorBody } from '#contract/platform/errors.ts'
import type { Context } from '../platform/context.ts'
import { Refusal } from '../platform/errors.ts'
import { type CallKey, callKey, once } from '../platform/http/idempotency.ts'
import { done, serve } from '../platform/http/serve.ts'
import type { Server } from '../platform/http/server.ts'
import { answerQuestion, stopAnswer } from './answer-question.ts'
import { DEADLINE_MS } from './deadline.ts'
import { approveProposal, declineProposal, editProposal } from './decide-proposal.ts'
import { presentProposal, presentSession } from './present.ts'
import { listProposals } from './proposals-store.ts'
import { activateSession, addSession, getSession, removeSession, renameSession } from './save-session.ts'
import { listSessions } from './sessions-store.ts'

export function assistantRoutes(app: Server): void {
  serve(app, assistant.sessions, async ({ context, user, query }) => {
    const { page, limit, search = '', include_inactive: inactive } = query
    const { rows, total } = await listSessions(context.db, user.id, {
      search,
      onlyActive: inactive === 'false',
      limit,
      offset: (page - 1) * limit,
    })
    return { rows: rows.map(presentSession), total, page, pageSize: limit }
  })
  serve(app, assistant.addSession, ({ context, user, body }) =>
    addSession(context, user.id, {
      title: body.title ?? null,
      contactName: body.contact_name ?? null,
      contactEmail: body.contact_email ?? null,
    }),
  )
  serve(app, assistant.getSession, ({ context, user, params }) => getSession(context, user.id, params.id))
  serve(app, assistant.renameSession, ({ context, user, params, body }) =>
    renameSession(context, user.id, params.id, body.title),
  )
  serve(app, assistant.removeSession, ({ context, user, params }) =>
    done(removeSession(context, user.id, params.id)),
  )
  serve(app, assistant.activateSession, ({ context, user, params }) =>
    activateSession(context, user.id, params.id),
  )
  serve(app, assistant.stop, ({ context, user, params }) => done(stopAnswer(context, user.id, params.id)))
  serve(app, assistant.chat, async ({ context, user, body, request, reply }) => {
    const isStream = request.headers.accept?.includes('text/event-stream') === true
    let isOpen = false
    const tell = (event: ChatEvent) => {
      if (!isStream) return
      if (!isOpen) {
        isOpen = true
        reply.hijack()
        reply.raw.writeHead(200, STREAM_HEADERS)
      }
      write(reply.raw, event)
    }
    try {
      const key = request.headers['idempotency-key']
      const work = () => answerQuestion(context, user, body, tell)
      const answer =
        typeof key === 'string' && key !== ''
          ? await answerOnce(context, callKey(user.id, assistant.chat.path, key, body), work)
          : await work()
      if (!isStream) return answer
      // Somebody who asks again was told nothing yet.
      if (!isOpen) for (const event of eventsOf(answer)) tell(event)
    } catch (error) {
      // Before the stream has begun it is an error like any other; afterwards its last event has said so.
      if (!isOpen) throw error
      context.log.warn({ err: error }, 'an answer of the assistant broke off')
    }
    reply.raw.end()
    return undefined
  })
  serve(app, assistant.proposals, async ({ context, user, query }) => {
    const { page, limit, status } = query
    const now = context.clock.now()
    const { rows, total } = await listProposals(context.db, user.id, {
      status,
      now,
      limit,
      offset: (page - 1) * limit,
    })
    return { rows: rows.map((row) => presentProposal(row, now)), total, page, pageSize: limit }
  })
  serve(app, assistant.approve, ({ context, user, params, body }) =>
    approveProposal(context, user, params.id, body.hash),
  )
  serve(app, assistant.decline, ({ context, user, params }) => declineProposal(context, user, params.id))
  serve(app, assistant.edit, ({ context, user, params, body }) =>
    editProposal(context, user, params.id, body.changes),
  )
}

/** Calls with one Idempotency-Key ask once, and all get the same answer. @throws what the first one threw */
async function answerOnce(context: Context, call: CallKey, work: () => Promise<ChatReply>) {
  const { status, body } = await once(
    context,
    call,
    async () => ({ status: 200, body: JSON.stringify(await work()) }),
    DEADLINE_MS,
  )
  const stored: unknown = JSON.parse(body)
  if (status === 200) return stored as ChatReply
  const { detail, code, fields } = stored as ErrorBody
  throw new Refusal(status, detail, code, fields)
}

/** What a stream of an answer that is there already says. */
function eventsOf(reply: ChatReply): ChatEvent[] {
  const { session_id, session_title, is_new_session, question, message, text } = reply
  return [
    { event: 'begun', session_id, session_title, is_new_session, question, message_id: message.id },
    { event: 'text', text },
    { event: 'done', reply },
  ]
}

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

/** Whoever has hung up reads the answer later. */
function write(response: ServerResponse, event: ChatEvent): void {
  if (!response.destroyed && !response.writableEnded) response.write(`data: ${JSON.stringify(event)}\n\n`)
}
