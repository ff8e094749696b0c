import { expect } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../support/client.ts'
import { signUp, type TestUser } from '../support/factories.ts'
import { testMail } from '../support/mail-servers.ts'
import { oauthEnvironment } from '../support/oauth-issuer.ts'
import { connectByOauth, type OauthServers, startOauthServers } from '../support/oauth-mailbox.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { until } from '../support/until.ts'

const MINUTE = 60_000
const DAYS = 3
const MINUTES = DAYS * 24 * 60
/** Minutes from the start: the issuer is down for this hour … */
const DOWN = { from: 20 * 60, to: 21 * 60 }
/** … and consent is withdrawn here, and given again. */
const WITHDRAWN = { from: 40 * 60, to: 46 * 60 }
const NUDGE_AFTER_MS = 1000
/** Longer than the interval at which a mailbox is read while its owner is away. */
const READ_EVERY_MS = 7 * MINUTE

/** A person's mailbox with what should have happened in it so far. */
type Box = { person: string; user: TestUser; mailboxId: number; toSend: string[]; toRead: string[] }

type Tally = {
  sent: number
  read: number
  /** Mails that were not where they belong in the end, and mails that were there twice. */
  missing: string[]
  doubled: string[]
  failed: number
  refreshes: number
  refreshesAtOnce: number
  reusedRefreshTokens: number
}

/**
 * Two mailboxes that sign in by OAuth 2 live for three days with tokens of five minutes, a refresh token good once, and
 * two processes. Every `stepMinutes` each of them sends a mail and gets one. The issuer is down for an hour, and one owner
 * withdraws the consent and gives it again six hours later.
 */
export async function oauthDays({ stepMinutes }: { stepMinutes: number }): Promise<Tally> {
  const servers = await startOauthServers(['ada@muster.example', 'bob@muster.example'])
  const { clock, issuer } = servers
  // Long enough that two processes which both renew would do so at the same time.
  issuer.slowMs = 30
  const environment = { ...oauthEnvironment(issuer, servers), PLAN_LIMITS: 'off' }
  const app = await startTestApp({ environment, clock })
  const second = await startTestApp({
    environment,
    clock,
    roles: ['worker'],
    database: { url: app.databaseUrl },
  })
  try {
    const ada = await connectBox(app, servers, 'ada@muster.example')
    const bob = await connectBox(app, servers, 'bob@muster.example')
    const start = clock.now().getTime()
    const at = (minutes: number) => new Date(start + minutes * MINUTE)
    const goTo = (minutes: number) =>
      clock.forward(Math.max(0, at(minutes).getTime() - clock.now().getTime()))
    const steps = Array.from({ length: MINUTES / stepMinutes }, (_, index) => (index + 1) * stepMinutes)

    // All mails are written now: while their owners use Howl, connections for reading would stay open.
    const sendAt = [...steps.map((minutes) => minutes - 1), DOWN.from + 30].sort((one, other) => one - other)
    const due = new Map<string, number>()
    for (const box of [ada, bob]) {
      for (const minutes of sendAt) {
        const subject = `${box.person} sends after ${minutes} minutes`
        due.set(subject, minutes)
        await schedule(app, box, subject, at(minutes))
        box.toSend.push(subject)
      }
    }
    const settled = async (box: Box, minutes: number) => {
      const wanted = box.toSend.filter((subject) => (due.get(subject) ?? Infinity) <= minutes)
      await untilPassed(servers, async () => {
        const gone = subjectsOf(servers)
        expect(wanted.filter((subject) => !gone.includes(subject))).toEqual([])
        expect(await unread(app, box)).toEqual([])
      })
    }

    let isDown = false
    let isWithdrawn = false
    for (const minutes of steps) {
      if (!isDown && minutes > DOWN.from) {
        isDown = true
        await anHourWithoutIssuer(app, servers, [ada, bob], goTo, settled)
      }
      if (!isWithdrawn && minutes > WITHDRAWN.from) {
        isWithdrawn = true
        goTo(WITHDRAWN.from)
        issuer.withdraw(bob.person)
      }
      const isWaiting = isWithdrawn && minutes < WITHDRAWN.to
      for (const box of [ada, bob])
        await receive(servers, box, `${box.person} reads after ${minutes} minutes`)
      goTo(minutes)
      await settled(ada, minutes)
      if (!isWaiting && isWithdrawn) await consentAgain(app, servers, bob)
      if (!isWaiting) await settled(bob, minutes)
      else await staysConnectedOnPaper(app, servers, bob)
    }
    return await tally(app, servers, [ada, bob])
  } finally {
    await second.end()
    await app.end()
    await servers.stop()
  }
}

/** Waits as {@link until} does. A pass that was under way while the clock moved comes again only after its usual interval. */
async function untilPassed({ clock }: OauthServers, check: () => void | Promise<void>): Promise<void> {
  let lookedAt = Date.now()
  await until(async () => {
    if (Date.now() - lookedAt > NUDGE_AFTER_MS) {
      clock.forward(READ_EVERY_MS)
      lookedAt = Date.now()
    }
    await check()
  })
}

async function connectBox(app: TestApp, servers: OauthServers, person: string): Promise<Box> {
  const user = await signUp(app.url)
  const { id } = await connectByOauth(app, servers, user, person)
  return { person, user, mailboxId: id, toSend: [], toRead: [] }
}

async function schedule(app: TestApp, { user }: Box, subject: string, at: Date): Promise<void> {
  const { status, error } = await call(app.url, emails.send, {
    token: user.token,
    body: { to: 'kim@people.example', subject, content: 'Hello', schedule_at: at.toISOString() },
  })
  if (status !== 200) throw new Error(error.detail)
}

async function receive({ dovecot, clock }: OauthServers, box: Box, subject: string): Promise<void> {
  const headers = { To: box.person, Subject: subject, 'Message-ID': `<${subject.replaceAll(' ', '.')}>` }
  await dovecot.deliver(box.person, 'INBOX', testMail(headers), clock.now())
  box.toRead.push(subject)
}

/** The issuer is away longer than any token is good: mail waits, none fails, and all leaves once it is back. */
async function anHourWithoutIssuer(
  app: TestApp,
  servers: OauthServers,
  boxes: readonly Box[],
  goTo: (minutes: number) => void,
  settled: (box: Box, minutes: number) => Promise<void>,
): Promise<void> {
  goTo(DOWN.from)
  servers.issuer.isUp = false
  goTo(DOWN.from + 31)
  for (const box of boxes) {
    await receive(servers, box, `${box.person} reads while the issuer is down`)
    await untilPassed(servers, async () =>
      expect(await lastError(app, box)).toContain('does not work at the moment'),
    )
  }
  goTo(DOWN.to)
  servers.issuer.isUp = true
  // The longest wait of a renewal that failed before.
  goTo(DOWN.to + 6)
  for (const box of boxes) {
    await untilPassed(servers, () => {
      const gone = subjectsOf(servers)
      expect(
        box.toSend.filter(
          (subject) => subject.endsWith(`after ${DOWN.from + 30} minutes`) && !gone.includes(subject),
        ),
      ).toEqual([])
    })
  }
  // Reading waits longer after its own failures.
  goTo(DOWN.to + 50)
  for (const box of boxes) await settled(box, DOWN.to + 50)
}

async function consentAgain(app: TestApp, servers: OauthServers, box: Box): Promise<void> {
  if (!(await isWithdrawnAt(app, box))) return
  await connectByOauth(app, servers, box.user, box.person, box.mailboxId)
}

/** Without consent the mailbox and its mails are still there, and the owner reads what to do. */
async function staysConnectedOnPaper(app: TestApp, servers: OauthServers, box: Box): Promise<void> {
  await untilPassed(servers, async () => {
    expect(await isWithdrawnAt(app, box)).toBe(true)
    expect(await lastError(app, box)).toContain('Please connect it again')
  })
}

const rows = async (app: TestApp, text: string, values: unknown[]) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]

async function isWithdrawnAt(app: TestApp, { user }: Box): Promise<boolean> {
  const { body } = await call(app.url, mailboxes.get, { token: user.token })
  return body.oauth?.withdrawn === true
}

async function lastError(app: TestApp, { user, mailboxId }: Box): Promise<string> {
  const [row] = await rows(
    app,
    'SELECT coalesce(last_error, read_error, $3) AS words FROM mailboxes WHERE user_id = $1 AND id = $2',
    [user.id, mailboxId, ''],
  )
  return String(row?.['words'])
}

/** Mails that lie at the server and are not in Howl. */
async function unread(app: TestApp, { user, toRead }: Box): Promise<string[]> {
  const found = await rows(app, `SELECT subject FROM emails WHERE user_id = $1 AND direction = 'in'`, [
    user.id,
  ])
  const subjects = new Set(found.map(({ subject }) => subject))
  return toRead.filter((subject) => !subjects.has(subject))
}

function subjectsOf({ sink }: OauthServers): string[] {
  return sink.received.map(({ raw }) => /^subject: (.*)\r$/im.exec(raw.toString('latin1'))?.[1] ?? '')
}

async function tally(app: TestApp, servers: OauthServers, boxes: readonly Box[]): Promise<Tally> {
  const gone = subjectsOf(servers)
  const stored = (
    await rows(app, `SELECT subject FROM emails WHERE direction = 'in' AND subject LIKE $1`, ['% reads %'])
  ).map(({ subject }) => String(subject))
  const [failed] = await rows(
    app,
    `SELECT count(*) AS n FROM deliveries WHERE user_id = ANY($1) AND state IN ('failed', 'unsure')`,
    [boxes.map(({ user }) => user.id)],
  )
  const wanted = boxes.flatMap(({ toSend, toRead }) => [...toSend, ...toRead])
  const there = [...gone, ...stored]
  return {
    sent: gone.length,
    read: stored.length,
    missing: wanted.filter((subject) => !there.includes(subject)),
    doubled: there.filter((subject, index) => there.indexOf(subject) !== index),
    failed: Number(failed?.['n']),
    refreshes: [...servers.issuer.refreshes.values()].reduce((sum, each) => sum + each, 0),
    refreshesAtOnce: servers.issuer.mostRefreshesAtOnce,
    reusedRefreshTokens: servers.issuer.reused,
  }
}
