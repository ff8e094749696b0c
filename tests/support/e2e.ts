import { test as base, expect, type Page } from '@playwright/test'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { type Endpoint, pathOf, type ReplyOf } from '#contract/platform/endpoint.ts'
import { type SmtpSink, startSmtpSink } from './smtp-sink.ts'
import { sql } from './sql.ts'
import { systemMailTo } from './system-mail.ts'
import { READER } from './test-browser.ts'

export { expect }

const MAIN = path.resolve(import.meta.dirname, '../../server/main.ts')
/** What the log-in for administrators asks for first. */
export const ACCESS_CODES = ['grey wolf', 'full moon'] as const
const START_TIMEOUT_MS = 45_000

/** The app under test: the real program, as `npm start` runs it, on a database of its own. */
export type Howl = { url: string; databaseUrl: string; dataDir: string }
/** … with the server that mails from Howl itself arrive at. */
type HowlWithSink = Howl & { systemMail: SmtpSink }

/**
 * `howl` is the app of this worker; every page starts at its address. A sent mail waits one second and not ten, except in
 * the stories in which it is taken back or seen waiting: `test.extend({ takesBack: true })`.
 */
export const test = base.extend<{ takesBack: boolean }, { howl: HowlWithSink }>({
  howl: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the wanted fixtures from this pattern
    async ({}, use) => {
      const systemMail = await startSmtpSink()
      const app = await startHowl(systemMailTo(systemMail))
      await use({ ...app, systemMail })
      await app.end()
      await systemMail.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ howl }, use) => use(howl.url),
  takesBack: [false, { option: true }],
  page: async ({ page, takesBack }, use) => {
    if (!takesBack) await page.addInitScript(waitOneSecond)
    await use(page)
  },
})

/** Runs in the page. */
function waitOneSecond(): void {
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    if (typeof init?.body !== 'string') return fetch(input, init)
    return fetch(input, { ...init, body: init.body.replace('"undo_seconds":10', '"undo_seconds":1') })
  }
}

/**
 * Starts `server/main.ts` as a child process on a free loopback port; `environment` overrides settings.
 *
 * @throws Error with the program's output when it ends or is not ready in time.
 */
export async function startHowl(
  environment: Record<string, string> = {},
): Promise<Howl & { child: ChildProcess; said: () => string; end: () => Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'howl-e2e-data-'))
  const database = await makeDatabase()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      EXCHANGE_RATES_URL: 'off',
      ADMIN_ACCESS_CODES: ACCESS_CODES.join(','),
      LOG_LEVEL: 'warn',
      ...environment,
    },
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await ready(child)
  const end = async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url, databaseUrl: database.url, dataDir, child, said: () => said, end }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const fail = (why: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`Howl ${why}. It said:\n${said}`))
    }
    const timer = setTimeout(() => fail('was not ready in time'), START_TIMEOUT_MS)
    const hear = (chunk: Buffer) => {
      said += chunk.toString()
      if (!said.includes('Howl is ready')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', (code) => fail(`ended with ${code}`))
  })
}

async function makeDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL'] ?? ''
  const name = `howl_e2e_${randomBytes(6).toString('hex')}`
  await sql(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = async () => void (await sql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  return { url: url.href, drop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

export type E2eUser = {
  id: number
  token: string
  name: string
  email: string
  username: string
  password: string
}

/** Opens an account through the API; the page stays signed out. */
export async function newUser(page: Page, fields: { name?: string } = {}): Promise<E2eUser> {
  const username = `user-${randomBytes(5).toString('hex')}`
  const user = {
    name: fields.name ?? 'Ada Muster',
    email: `${username}@howl.example`,
    username,
    password: 'correct horse battery',
  }
  const answer = await page.request.post(pathOf(newAccounts.register), {
    data: { ...user, company_name: 'Muster Ltd' },
  })
  if (!answer.ok()) throw new Error(`Sign-up failed: ${await answer.text()}`)
  const { token, user: made } = (await answer.json()) as { token: string; user: { id: number } }
  return { ...user, id: made.id, token }
}

/** Opens the account of an administrator through the API; the page stays signed out. */
export async function newAdministrator(
  page: Page,
  { databaseUrl }: Howl,
  fields: { name?: string } = {},
): Promise<E2eUser> {
  const user = await newUser(page, fields)
  await sql(databaseUrl, 'UPDATE users SET is_admin = true WHERE id = $1', [user.id])
  return user
}

/** Opens an account of an administrator and signs the page in as one; no page of the app is open yet. */
export async function signedInAdministrator(
  page: Page,
  howl: Howl,
  fields: { name?: string } = {},
): Promise<E2eUser & { adminToken: string }> {
  const administrator = await newAdministrator(page, howl, fields)
  const { email, password } = administrator
  const answer = await page.request.post(pathOf(adminAuth.login), { data: { email, password } })
  if (!answer.ok()) throw new Error(`The administrator cannot log in: ${await answer.text()}`)
  const session = (await answer.json()) as { token: string; user: unknown }
  await page.goto('/health')
  await page.evaluate(({ token, user }) => {
    localStorage.setItem('admin_token', token)
    localStorage.setItem('admin_user', JSON.stringify(user))
    localStorage.setItem('is_admin', 'true')
  }, session)
  return { ...administrator, adminToken: session.token }
}

/** Opens an account and signs the page in; no page of the app is open yet. */
export async function signedIn(page: Page, fields: { name?: string } = {}): Promise<E2eUser> {
  const user = await newUser(page, fields)
  // Any page of our origin gives access to its storage; this one runs no app.
  await page.goto('/health')
  await page.evaluate((token) => localStorage.setItem('token', token), user.token)
  return user
}

export const bearer = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` })

/** Asks the API as a user of the page, in the time zone of the browser: there a day begins hours before it does in UTC. */
export async function ask<E extends Endpoint>(
  page: Page,
  user: E2eUser,
  endpoint: E,
  data?: object,
  params: Record<string, number> = {},
): Promise<ReplyOf<E>> {
  const answer = await page.request.fetch(pathOf(endpoint, params), {
    method: endpoint.method,
    headers: { ...bearer(user), 'X-User-Timezone': READER.timezoneId },
    ...(data === undefined ? {} : { data }),
  })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as ReplyOf<E>
}
