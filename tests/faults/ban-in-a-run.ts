import { expect } from 'vitest'
import { bans } from '#contract/operations/bans.ts'
import { auth } from '#contract/accounts/auth.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { anAdministrator } from '../support/administrators.ts'
import { call } from '../support/client.ts'
import { signUp } from '../support/factories.ts'
import { mailAccountAt } from '../support/mail-account.ts'
import { type SinkProcess, startSinkProcess } from '../support/sink-process.ts'
import { startTestApp } from '../support/test-app.ts'
import { whenQuiet } from '../support/when-quiet.ts'

export type BannedRun = {
  /** Mails that had arrived when the ban was asked for, and in the end before it was lifted. */
  before: number
  atBan: number
  /** From the answer to the ban to the last mail at the sink. */
  msToLastMail: number
  /** From lifting the ban to the next mail. */
  msToNextMail: number
  mails: number
  duplicates: number
}

/**
 * Bans a user when a fifth of the run's mails have arrived, watches the sink, lifts the ban, and lets the run end. Two
 * processes send from the mailbox.
 */
export async function banInARun(
  contacts: number,
  timeoutMs: number,
  /** After the ban no mail must have come for so long before it is lifted. */
  quietMs: number,
): Promise<BannedRun> {
  const sink = await startSinkProcess({ light: true })
  const app = await startTestApp()
  const other = await startTestApp({ database: { url: app.databaseUrl } })
  try {
    const boss = await anAdministrator(app)
    const user = await signUp(app.url)
    await connect(app.url, user.token, sink)
    await runSql(
      app.context.db,
      `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
       SELECT $1, 'Person ' || n, 'person' || n || '@far.example', 'person' || n || '@far.example', $2, $2
       FROM generate_series(1, $3::int) AS n`,
      [user.id, app.clock.now(), contacts],
    )
    void call(app.url, outreach.generateAndSend, { token: user.token }).catch(() => {})
    await until(sink, contacts / 5, timeoutMs)
    const before = await sink.count()
    const banned = await call(app.url, bans.ban, {
      token: boss.adminToken,
      body: { user_id: user.id, reason: 'spam', description: 'Complaints' },
    })
    if (banned.status !== 200) throw new Error(`No ban: ${banned.error.detail}`)
    const answered = Date.now()
    const { last, count } = await whenQuiet(sink, quietMs)

    const lifted = Date.now()
    await call(app.url, bans.unban, {
      token: boss.adminToken,
      body: { user_id: user.id, reason: 'A mistake' },
    })
    await until(sink, count + 1, 30_000)
    const msToNextMail = Date.now() - lifted
    await until(sink, contacts, timeoutMs)
    const { email, password } = user
    const { body } = await call(app.url, auth.login, { body: { email, password } })
    const state = async () => (await call(app.url, outreach.current, { token: body.token })).body?.state
    await expect.poll(state, { timeout: 30_000 }).toBe('done')
    const ids = await sink.byMessageId()
    return {
      before,
      atBan: count,
      msToLastMail: last - answered,
      msToNextMail,
      mails: ids.size,
      duplicates: [...ids.values()].filter((connections) => connections.length > 1).length,
    }
  } finally {
    await other.end()
    await app.end()
    await sink.stop()
  }
}

async function connect(base: string, token: string, sink: SinkProcess): Promise<void> {
  const body = mailAccountAt(sink)
  const saved = await call(base, mailboxSetup.save, { token, body })
  if (saved.status !== 200) throw new Error(`The mailbox was refused: ${saved.error.detail}`)
}

async function until(sink: SinkProcess, mails: number, timeoutMs: number): Promise<void> {
  await expect.poll(() => sink.count(), { timeout: timeoutMs }).toBeGreaterThanOrEqual(mails)
}
