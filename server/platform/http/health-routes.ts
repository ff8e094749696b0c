import type { FastifyReply } from 'fastify'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { health } from '#contract/platform/health.ts'
import { databaseAnswers } from '../database/transaction.ts'
import { DeadlinePassed, withinDeadline } from '../gateways/deadline.ts'
import { lastHeartbeat } from '../jobs/store.ts'
import type { Context } from '../context.ts'
import { serve } from './serve.ts'
import type { Server } from './server.ts'

/** Monitoring gives up after some seconds: a database silent for this long counts as down. */
const DATABASE_MS = 2000

type Database = { alive: boolean; beat: Date | null }

/**
 * Health for load balancers and people. It is public, so it reveals nothing about users. 503 while the database is
 * down or silent; the body is the report then, too.
 */
export function healthRoutes(app: Server): void {
  const ask = onceAtATime((context: Context) => look(context))
  for (const endpoint of [health.root, health.base]) {
    serve(app, endpoint, async ({ context, reply }) => {
      const found = await withinDeadline(DATABASE_MS, ask(context), () => {}).catch((error: unknown) => {
        if (error instanceof DeadlinePassed) return { alive: false, beat: null }
        throw error
      })
      return answer(reply, report(context, found))
    })
  }
}

async function look({ db }: Context): Promise<Database> {
  if (!(await databaseAnswers(db))) return { alive: false, beat: null }
  return { alive: true, beat: await lastHeartbeat(db) }
}

/** Simultaneous requests share one check: a silent database does not get ever more queries. */
function onceAtATime<A, T>(ask: (of: A) => Promise<T>): (of: A) => Promise<T> {
  let asked: Promise<T> | undefined
  return (of) =>
    (asked ??= ask(of).finally(() => {
      asked = undefined
    }))
}

function report({ config, clock }: Context, { alive, beat }: Database): ReplyOf<typeof health.root> {
  return {
    status: alive ? 'ok' : 'degraded',
    version: config.version,
    database: alive ? 'ok' : 'down',
    worker_lag: beat === null ? null : Math.max(0, (clock.now().getTime() - beat.getTime()) / 1000),
  }
}

async function answer(reply: FastifyReply, found: ReplyOf<typeof health.root>) {
  if (found.database === 'ok') return found
  await reply
    .code(503)
    .serializer(JSON.stringify)
    .send({ ...found, detail: 'The database does not answer.', code: 'UNAVAILABLE' })
  return undefined
}
