import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '../support/client.ts'
import { importCsv } from '../support/csv.ts'
import { signUp, type TestUser } from '../support/factories.ts'
import { type HowlProcess, startHowlProcess } from '../support/howl-process.ts'
import { mailAccountAt } from '../support/mail-account.ts'
import { type SinkProcess, startSinkProcess } from '../support/sink-process.ts'

/** Connections that Howl opens to one account: the most mails that a kill may duplicate. */
export const CONNECTIONS = 10

/** A user with contacts and a mailbox that sends to a sink, in a Howl process that can be killed and restarted. */
export type BulkRun = {
  howl: HowlProcess
  sink: SinkProcess
  user: TestUser
  environment: Record<string, string>
  /** Begins the run without waiting for its answer. */
  begin(): void
  /** Starts the process again on the same data. */
  restart(): Promise<void>
  summary(): Promise<{ state: string; total: number; sent: number; errors: number; pending: number }>
  end(): Promise<void>
}

/** Sets everything up: sign-up, mailbox, `count` contacts by CSV import. */
export async function prepareBulkRun(
  count: number,
  environment: Record<string, string> = {},
): Promise<BulkRun> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-faults-'))
  const sink = await startSinkProcess({ light: true })
  const settings = {
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret key that only the tests know of',
    ...environment,
  }
  const howl = await startHowlProcess(settings)
  const user = await signUp(howl.url)
  await connect(howl.url, user, sink)
  await importContacts(howl.url, user, count)
  const run: BulkRun = {
    howl,
    sink,
    user,
    environment: settings,
    begin: () => void call(run.howl.url, outreach.generateAndSend, { token: user.token }).catch(() => {}),
    restart: async () => {
      run.howl = await startHowlProcess(settings)
    },
    summary: async () => {
      const { body } = await call(run.howl.url, outreach.current, { token: user.token })
      return { state: body?.state ?? 'none', total: 0, sent: 0, errors: 0, pending: 0, ...body?.summary }
    },
    end: async () => {
      await run.howl.stop()
      await sink.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return run
}

async function connect(base: string, user: TestUser, sink: SinkProcess): Promise<void> {
  const saved = await call(base, mailboxSetup.save, {
    token: user.token,
    body: mailAccountAt(sink),
  })
  if (saved.status !== 200) throw new Error(`The mailbox was refused: ${saved.error.detail}`)
}

/** Imports `count` invented contacts over HTTP. */
export async function importContacts(base: string, user: TestUser, count: number): Promise<void> {
  const lines = ['name,email,company']
  for (let index = 0; index < count; index++)
    lines.push(`Person ${index},person${index}@customer.example,Company ${index}`)
  const { status, error } = await importCsv(base, user.token, lines.join('\n'))
  if (status !== 200) throw new Error(`The import was refused: ${error.detail}`)
}

/** What arrived, by Message-ID: how many mails, and how many duplicates. */
export async function arrivals(sink: SinkProcess): Promise<{ mails: number; duplicates: number }> {
  const byId = await sink.byMessageId()
  return { mails: byId.size, duplicates: duplicatesIn(byId).length }
}

/** For each duplicate the connection over which the mail had come before; a mail that came three times has two. */
export function duplicatesIn(byMessageId: ReadonlyMap<string, readonly number[]>): number[] {
  return [...byMessageId.values()].flatMap((connections) => connections.slice(0, -1))
}
