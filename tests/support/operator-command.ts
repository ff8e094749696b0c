import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from './howl-process.ts'
import type { TestApp } from './test-app.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Starts a command of the operator, as `npm run <script> -- …` does; `environment` holds the settings of its Howl. */
export const startCommand = (
  script: string,
  args: readonly string[],
  environment: Record<string, string>,
): ChildProcess =>
  spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...COMPILE_CACHE,
      LOG_LEVEL: 'fatal',
      EXCHANGE_RATES_URL: 'off',
      ...environment,
    },
  })

/** Runs one to its end; returns the exit code and both outputs. */
export async function runCommand(
  script: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number; said: string }> {
  const child = startCommand(script, args, environment)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

/** The same beside an app, on its database. */
export const operatorCommand = (app: TestApp, script: string, ...args: readonly string[]) =>
  runCommand(script, args, {
    SECRET_KEY: 'a secret key that only the tests know of',
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: app.dataDir,
  })

/** Runs `npm run account -- …` beside an app. */
export const accountCommand = (app: TestApp, ...args: readonly string[]) =>
  operatorCommand(app, 'account', ...args)
