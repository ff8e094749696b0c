import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from './howl-process.ts'
import type { TestApp } from './test-app.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs `npm run account -- …` beside an app, on its database; returns the exit code and what was said. */
export const accountCommand = (app: TestApp, ...args: readonly string[]) =>
  operatorCommand(app, 'account', ...args)

/** The same for any command of the operator: `restore`, `activities`. */
export async function operatorCommand(
  app: TestApp,
  script: string,
  ...args: readonly string[]
): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      ...COMPILE_CACHE,
      LOG_LEVEL: 'fatal',
      SECRET_KEY: 'a secret key that only the tests know of',
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.dataDir,
    },
  })
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const [code] = (await once(child, 'exit')) as [number]
  return { code, said }
}
