import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type HowlProcess = {
  url: string
  pid: number
  /** kill -9: no goodbye, and nothing is finished. */
  kill(): Promise<void>
  /** SIGTERM; resolves to how long it took and the exit code. */
  stop(): Promise<{ milliseconds: number; code: number | null }>
  exited: Promise<number | null>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** For the environment of a command of Howl: it reuses what an earlier process has compiled, as a start does by itself. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/howl', import.meta.url)),
}
const PACKAGE = new URL('../../package.json', import.meta.url)
const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: { start: string } }
/** The arguments of `node` in the start script. */
const START = scripts.start.split(' ').slice(1)
const READY = /Howl is ready\. Open (\S+)|works in the background/
const START_MS = 60_000

/** Starts Howl as the process that `npm start` runs, on a free loopback port, and waits until it is ready. */
export async function startHowlProcess(
  environment: Record<string, string>,
  args: readonly `--run=${'web' | 'worker'}`[] = [],
): Promise<HowlProcess> {
  const child = spawn(process.execPath, [...START, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      RATE_LIMITS: 'off',
      EXCHANGE_RATES_URL: 'off',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return {
    url: await readyUrl(child),
    pid: child.pid ?? 0,
    exited,
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    stop: async () => {
      const begun = Date.now()
      child.kill('SIGTERM')
      const code = await exited
      return { milliseconds: Date.now() - begun, code }
    },
  }
}

async function readyUrl(child: ChildProcess): Promise<string> {
  const said: string[] = []
  child.stderr?.on('data', (bytes: Buffer) => (said.push(bytes.toString()), process.stderr.write(bytes)))
  return new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`Howl did not start: ${why}\n${said.join('')}`))
    const late = setTimeout(() => fail('no sign within a minute'), START_MS)
    child.once('exit', (code) => fail(`it ended with ${code}`))
    if (child.stdout === null) return fail('no output')
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(`${line}\n`)
      const match = READY.exec(line)
      if (match === null) return
      clearTimeout(late)
      resolve(match[1] ?? '')
    })
  })
}
