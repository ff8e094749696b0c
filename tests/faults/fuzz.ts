import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { auth } from '#contract/accounts/auth.ts'
import { CONTRACT } from '#contract/contract.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { errorBody } from '#contract/platform/errors.ts'
import { call } from '../support/client.ts'
import { signUp, type TestUser } from '../support/factories.ts'
import { startHowlProcess } from '../support/howl-process.ts'
import { seeded } from '../support/seeded.ts'
import { type Exchange, exchange, HANG_MS } from './fuzz-exchange.ts'
import { type FuzzRequest, fuzzRequest } from './fuzz-requests.ts'

export type FuzzTally = {
  requests: number
  /** How often each status was answered; 0 where the connection was closed without one. */
  statuses: Record<number, number>
  /** Answers of 500 and above, answers that are not ours, and requests that were not answered in time. */
  faults: string[]
  files: { before: number; after: number }
  /** Resident memory in MB, half way and at the end: a heap grows at first, but only a leak keeps growing. */
  memory: { before: number; after: number }
  /** Files left behind by uploads that were cut off. */
  leftovers: string[]
}

const AT_ONCE = 16
const USERS = 3
/** Requests before files and memory are counted for the first time: pools and caches are full then. */
const WARM_UP = 600
const FAULTS_MAX = 20
const IDS_MAX = 400
/** The drill's connections are closed after this long: a kept-alive connection is not a leak. */
const QUIET_MS = 45_000

/** Calls that hash a password, wait for a run or look up names: a few of them are enough. */
const DEAR = new Set([
  'auth.register',
  'auth.login',
  'outreach.generateAndSend',
  'mailboxes.test',
  'mailboxes.discover',
])
const DEAR_SHARE = 0.03
/** Left out: a stream has no end, and without the session or the account the next requests would fail. */
const LEFT_OUT = new Set(['events.stream', 'auth.logout', 'auth.endSession', 'leaving.deleteAccount'])

const CALLS = [...CONTRACT].filter(
  ([name, { download }]) => !LEFT_OUT.has(name) && download !== 'text/event-stream',
)
const CHEAP = CALLS.filter(([name]) => !DEAR.has(name))
const COSTLY = CALLS.filter(([name]) => DEAR.has(name))

/** Sends so many random requests to its own Howl and counts the effects. */
export async function fuzz(options: { requests: number; seed: number }): Promise<FuzzTally> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-fuzz-'))
  const howl = await startHowlProcess({
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret key that only the tests know of',
    // With a public address Howl dials no host of this machine's network, whatever it is told.
    PUBLIC_URL: 'https://howl.invalid',
    ALLOW_PRIVATE_MAIL_HOSTS: 'off',
  })
  try {
    const users = await Promise.all(Array.from({ length: USERS }, () => aUser(howl.url)))
    const drill = new Drill(howl.url, users, options.seed)
    await drill.send(WARM_UP)
    const before = await standing(howl.pid)
    await drill.send(Math.ceil(options.requests / 2))
    const half = await standing(howl.pid)
    await drill.send(Math.floor(options.requests / 2))
    const { statuses, faults } = drill
    const after = await settled(howl.pid, before.files)
    const alive = await fetch(`${howl.url}/health`)
    if (alive.status !== 200) faults.push(`/health answered ${alive.status} at the end`)
    return {
      requests: options.requests,
      statuses,
      faults,
      files: { before: before.files, after: after.files },
      memory: { before: half.memory, after: after.memory },
      leftovers: await partFiles(dataDir),
    }
  } finally {
    await howl.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A user with the practice mailbox: whatever is sent stays inside. */
async function aUser(url: string): Promise<TestUser> {
  const user = await signUp(url)
  await call(url, mailboxSetup.practice, { token: user.token })
  return user
}

class Drill {
  readonly statuses: Record<number, number> = {}
  readonly faults: string[] = []
  readonly #ids: number[] = []
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  readonly #url: URL
  readonly #users: TestUser[]
  readonly #seed: number
  #sent = 0

  constructor(url: string, users: TestUser[], seed: number) {
    this.#url = new URL(url)
    this.#users = users
    this.#seed = seed
  }

  /** Sends so many requests, some at once, and waits for the last answer. */
  async send(count: number): Promise<void> {
    const last = this.#sent + count
    const one = async () => {
      while (this.#sent < last && this.faults.length < FAULTS_MAX) await this.#sendNext()
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
    this.#agent.destroy()
  }

  async #sendNext(): Promise<void> {
    const number = (this.#sent += 1)
    const random = seeded(this.#seed * 1_000_003 + number)
    const user = this.#users[Math.floor(random() * USERS)] as TestUser
    const calls = random() < DEAR_SHARE ? COSTLY : CHEAP
    const chosen = calls[Math.floor(random() * calls.length)] as (typeof CALLS)[number]
    const request = fuzzRequest(random, chosen, user.token, this.#ids)
    const exchanges = await Promise.all(
      Array.from({ length: request.copies }, () => exchange(this.#url, this.#agent, request, random)),
    )
    for (const each of exchanges) this.#judge(number, request, each)
    if (exchanges.some(({ status }) => status === 401)) await this.#stillSignedIn(user)
  }

  #judge(number: number, request: FuzzRequest, { status, text, milliseconds }: Exchange): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    const found = faultOf(request, status, text, milliseconds)
    if (found !== null) {
      const what = `${request.method} ${request.path.slice(0, 200)} ${request.body.toString().slice(0, 300)}`
      this.faults.push(
        `#${number} ${request.name} (${request.kind}): ${found}\n  ${what}\n  ${text.slice(0, 300)}`,
      )
    }
    for (const [, id = ''] of text.slice(0, 5000).matchAll(/"id":(\d{1,15})\b/g))
      if (this.#ids.length < IDS_MAX) this.#ids.push(Number(id))
      else this.#ids[number % IDS_MAX] = Number(id)
  }

  /** A session that the fuzz test has ended is started again; a user who no longer exists would be a fault. */
  async #stillSignedIn(user: TestUser): Promise<void> {
    const base = this.#url.origin
    const { status } = await call(base, auth.me, { token: user.token })
    if (status === 200) return
    const { email, password } = user
    const again = await call(base, auth.login, { body: { email, password } })
    if (again.status === 200) user.token = again.body.token
    else this.faults.push(`a user cannot sign in any more: ${again.status}`)
  }
}

/** Why an exchange is a fault of ours; null if it is not. */
function faultOf(request: FuzzRequest, status: number, text: string, milliseconds: number): string | null {
  if (milliseconds >= HANG_MS) return `no answer for ${Math.round(milliseconds / 1000)} s`
  if (status >= 500 && !isMailServerFault(request, text)) return `answered ${status}`
  // A client that left, or did not speak HTTP, need not be answered; one that still sends when it is refused may miss the answer (RFC 9112 9.6).
  if (status === 0)
    return request.wellFramed && request.kind !== 'huge'
      ? 'the connection was closed without an answer'
      : null
  if (status < 400 || request.method === 'HEAD') return null
  return isOurError(text) ? null : `answered ${status} with another body than the house's`
}

/** The specified answer of reading mail at once when the user's own mail server fails: a request may have saved such a server. */
function isMailServerFault({ name }: FuzzRequest, text: string): boolean {
  return name === 'emails.ingest' && text.includes('"code":"MAIL_SERVER"') && isOurError(text)
}

function isOurError(text: string): boolean {
  try {
    const body = errorBody.parse(JSON.parse(text))
    return body.detail.length > 0 && !/\bat .*\.(?:ts|js):\d+|SELECT |\/server\//.test(body.detail)
  } catch {
    return false
  }
}

type Standing = { files: number; memory: number }

/** Open files and resident memory of a process, as Linux reports them; zeros on other systems. */
async function standing(pid: number): Promise<Standing> {
  if (os.platform() !== 'linux') return { files: 0, memory: 0 }
  const files = (await readdir(`/proc/${pid}/fd`)).length
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return { files, memory: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024) }
}

/** The state once no more files are open than before, or when the time is up. */
async function settled(pid: number, files: number): Promise<Standing> {
  const limit = performance.now() + QUIET_MS
  for (;;) {
    const now = await standing(pid)
    if (now.files <= files || performance.now() > limit) return now
    await pause(250)
  }
}

async function partFiles(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true })
  return all.filter((file) => file.endsWith('.part'))
}
