import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Logger } from 'pino'
import { prepareAdministrators, type Welcome } from './accounts/admin-auth/admin-auth.ts'
import { buildApp } from './app.ts'
import { forgetCallers } from './accounts/auth/auth.ts'
import { finishRestore } from './operations/backup/backup.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { Context } from './platform/context.ts'
import { connect, listen } from './platform/database/connect.ts'
import { checkAge, migrate } from './platform/database/migrate.ts'
import { makeDelivery } from './mail/emails/emails.ts'
import { checkResend, judgeMails } from './outreach/automatic-mail/automatic-mail.ts'
import { judgeFollowUps } from './outreach/follow-ups/follow-ups.ts'
import { judgeRunMails } from './outreach/runs/runs.ts'
import { judgeSequenceMails } from './outreach/sequences/sequences.ts'
import { fileBlobs } from './platform/gateways/blobs.ts'
import { makeLanguageModel } from './platform/gateways/language-model.ts'
import { showWorkerMetrics } from './platform/http/metrics-routes.ts'
import { makeOauth } from './platform/gateways/oauth.ts'
import { moveJournals, openJournalFile } from './platform/gateways/journal-file.ts'
import { LIVE_CHANNEL, makeLiveHub } from './platform/http/events.ts'
import type { Server } from './platform/http/server.ts'
import { type Loop, wakerOf, WORK_CHANNEL } from './platform/jobs/loop.ts'
import { holdWorkerLease } from './platform/jobs/worker-lease.ts'
import { startPracticeMail } from './mail/practice-mail/practice-mail.ts'
import { countModelCalls, emptyMemory } from './platform/process-memory.ts'
import { secretKey } from './platform/secret-key.ts'
import { makeDialGuard } from './platform/security/addresses.ts'
import { makeSecretBox } from './platform/security/secret-box.ts'
import { startLoops, startWebLoops } from './worker.ts'

/** `web` answers calls and serves pages, `worker` runs jobs and mail; one process may do both. */
export type Role = 'web' | 'worker'

export type Running = {
  context: Context
  app: Server
  /** What runs in the background of this process: woken by notifications, and ended by `stop`. */
  loops: Loop[]
  /** Where it listens; null for a process that is only a worker. */
  url: string | null
  /** What only this start tells the operator; a process that is only a worker tells nothing. */
  welcome: Welcome
  /** Takes no new work, brings current work to a safe point and closes, within `timeoutMs`. */
  stop(timeoutMs?: number): Promise<void>
}

/** Each domain that queues automatic mail says whether it may leave. */
const JUDGES = { run: judgeRunMails, follow_up: judgeFollowUps, sequence: judgeSequenceMails }
const STOP_MS = 14_000
const NOTHING_TO_SAY: Welcome = { claimLink: null, accessCodes: null }
/** Below DATA_DIR: which emails servers have accepted. */
const JOURNAL_FOLDER = 'acceptance-journal'
/** What older versions called it. */
const OLD_JOURNAL_FOLDER = 'receipts'
/** Calls in progress have this long; then their connections are cut. */
const CLOSE_MS = 4000

/** Starts Howl on an existing database. */
export async function runHowl(options: {
  config: Config
  databaseUrl: string
  roles: readonly Role[]
  log: Logger
  clock?: Clock
  /** The database is ours alone (embedded): workers of earlier starts are dead. */
  alone?: boolean
}): Promise<Running> {
  const { config, databaseUrl, roles, log } = options
  const stopping = new AbortController()
  const database = connect(databaseUrl, (error) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'a database connection was lost')
  })
  await checkAge(database.db)
  await finishRestore(config, databaseUrl)
  const isWorker = roles.includes('worker')
  await migrate(database.db)

  const hub = makeLiveHub((userId) => forgetCallers(context, userId))
  const loops: Loop[] = []
  const workerId = `${process.pid}-${randomUUID().slice(0, 8)}`
  const listener = listen(
    databaseUrl,
    { [LIVE_CHANNEL]: hub.receive, [WORK_CHANNEL]: wakerOf(loops) },
    () => {
      hub.resync()
      for (const loop of loops) loop.wake()
    },
  )
  const clock = options.clock ?? systemClock(config.clockOffsetSeconds)
  const memory = emptyMemory()
  const context: Context = {
    config,
    db: database.db,
    delivery: makeDelivery(
      { db: database.db, log, workerId, memory },
      openJournalFile(path.join(config.dataDir, JOURNAL_FOLDER), workerId),
      {
        checkResend: (tx, userId, emailId) => checkResend(context, tx, userId, emailId),
        judge: (account, emailIds) => judgeMails(context, JUDGES, account, emailIds),
      },
    ),
    live: hub,
    guard: makeDialGuard({ allowPrivate: config.mail.allowPrivateHosts, ports: config.mail.ports }),
    modelGuard: makeDialGuard({
      allowPrivate: config.ownModels.allowPrivateHosts,
      ports: config.ownModels.ports,
    }),
    practice: null,
    model: makeLanguageModel(config.model, { onCall: countModelCalls(memory, 'house') }),
    oauth: makeOauth(config.oauth, clock),
    blobs: fileBlobs(config.blobsDir),
    memory,
    clock,
    log,
    secrets: makeSecretBox(await secretKey(config.secretKey, config.dataDir)),
    workerId,
    stopping: stopping.signal,
  }
  const closing = closeBlobs(context)
  await moveOldJournals(context)
  const practice = await startPracticeMail(context)
  context.practice = { port: practice.port }
  // A web process sends too (mail that a user waits for), so it holds a lease of its own.
  const lease = await holdWorkerLease(context, { alone: options.alone === true, isWorker })
  const app = await buildApp(context, hub)
  const welcome = roles.includes('web') ? await prepareAdministrators(context) : NOTHING_TO_SAY
  if (roles.includes('web')) await app.listen({ port: config.port, host: config.host })
  const hideMetrics = roles.includes('web') ? null : await showWorkerMetrics(context)
  loops.push(...(isWorker ? startLoops(context) : startWebLoops(context)))

  return {
    context,
    app,
    loops,
    url: roles.includes('web') ? addressOf(app) : null,
    welcome,
    stop: async (timeoutMs = STOP_MS) => {
      stopping.abort()
      hub.close()
      await withDeadline(app.close(), CLOSE_MS)
      app.server.closeAllConnections()
      await withDeadline(Promise.all([closing, ...loops.map((loop) => loop.ended)]), timeoutMs)
      await practice.close()
      await hideMetrics?.()
      await lease.stop().catch(() => {})
      await listener.close()
      await database.close()
    },
  }
}

/** Journals of an older version are settled like any others. */
async function moveOldJournals({ config, log }: Context): Promise<void> {
  const folder = (name: string) => path.join(config.dataDir, name)
  await moveJournals(folder(OLD_JOURNAL_FOLDER), folder(JOURNAL_FOLDER)).catch((error: unknown) =>
    log.warn({ err: error }, 'the journals of an older version could not be moved; they are not read'),
  )
}

async function closeBlobs({ blobs, config, log }: Context): Promise<void> {
  const open = await blobs.close().catch((error: unknown) => {
    log.warn({ err: error }, `${config.blobsDir} may be open to others on this machine`)
    return 0
  })
  if (open > 0) log.warn(`${open} files below ${config.blobsDir} are open to others on this machine`)
}

function addressOf(app: Server): string {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}

async function withDeadline(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
