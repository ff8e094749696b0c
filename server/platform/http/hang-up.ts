import type { FastifyReply } from 'fastify'
import { Refusal } from '../errors.ts'

/** A signal that is aborted when the client hangs up before the answer is complete. */
export function hangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Refusal(499, 'The call was given up.'))
  })
  return controller.signal
}
