import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHECK_NAMES, type CheckReport } from '#contract/operations/system-health.ts'
import { withOperatorContext } from './account-commands.ts'
import { readConfig } from '../platform/config.ts'
import { runCommand } from '../../tests/support/operator-command.ts'
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts'

/** Runs `npm run doctor` with these settings. */
const doctor = (environment: Record<string, string>, ...args: readonly string[]) =>
  runCommand('doctor', args, { SECRET_KEY: 'a secret key that only the tests know of', ...environment })

let app: TestApp
const settings = () => ({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, PUBLIC_URL: app.url })
type Report = { ok: boolean; checks: CheckReport[] }
const stateIn = (said: string, name: string) =>
  (JSON.parse(said) as Report).checks.find((check) => check.name === name)?.state

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.end())

test('codes that only the log gets are a failure where others use Howl', async () => {
  const { code, said } = await doctor({ ...settings(), PUBLIC_URL: 'https://howl.invalid' })
  expect(said).toContain('✗ Mail from Howl itself')
  expect(said).toContain('Password codes are only written to the log')
  expect(code).toBe(1)
}, 60_000)

test('beside a running Howl it says what is to be looked at, and ends with 0', async () => {
  const { code, said } = await doctor(settings())
  expect(said).toContain('✓ Background work')
  expect(said).toContain('! Mail from Howl itself')
  expect(said).toContain('→ Set SYSTEM_SMTP_URL')
  expect(said).toMatch(/This Howl works: of 18 checks \d+ to look at/)
  expect(code).toBe(0)
  // The worst comes first.
  expect(said.indexOf('! Mail from Howl itself')).toBeLessThan(said.indexOf('✓ Background work'))
}, 60_000)

test('tells all of it as JSON', async () => {
  const { code, said } = await doctor(settings(), '--json')
  const report = JSON.parse(said) as Report
  expect(report.ok).toBe(true)
  expect(report.checks.map(({ name }) => name)).toEqual([...CHECK_NAMES])
  expect([stateIn(said, 'worker'), code]).toEqual(['ok', 0])
}, 60_000)

// These wait for what does not answer, so they wait together.
test.concurrent.each(['refuses', 'hangs'])(
  'with a database that %s it says so, tells what can be told, and ends with 1',
  async (how) => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const port = how === 'hangs' ? (silent.address() as AddressInfo).port : 1
    const { code, said } = await doctor(
      { ...settings(), DATABASE_URL: `postgres://127.0.0.1:${port}/none` },
      '--json',
    )
    silent.close()
    expect([stateIn(said, 'database'), stateIn(said, 'queue'), code]).toEqual(['failure', 'unknown', 1])
    expect(['ok', 'warning']).toContain(stateIn(said, 'disk'))
    expect(stateIn(said, 'public_url')).toBe('ok')
  },
  60_000,
)

test.concurrent('where Howl is stopped it starts the database for itself; where that is broken it says so', async () => {
  const DATA_DIR = await mkdtemp(path.join(os.tmpdir(), 'howl-doctor-'))
  const alone = { DATA_DIR, PORT: '1' }
  const nothing = await doctor(alone, '--json')
  expect([stateIn(nothing.said, 'database'), nothing.code]).toEqual(['failure', 1])
  expect(nothing.said).toContain('Howl has never been started there.')
  expect(await readdir(DATA_DIR)).toEqual([])

  const config = readConfig({ ...alone, SECRET_KEY: 'a secret key that only the tests know of' })
  await withOperatorContext(config, async () => {})
  const stopped = await doctor(alone, '--json')
  // It warns of a database that is slow to answer.
  expect(['ok', 'warning']).toContain(stateIn(stopped.said, 'database'))
  expect(stateIn(stopped.said, 'migrations')).toBe('ok')
  expect([stateIn(stopped.said, 'worker'), stopped.code]).toEqual(['failure', 1])
  expect(stopped.said).toContain('No process of Howl is running.')

  await writeFile(path.join(DATA_DIR, 'postgres', 'PG_VERSION'), '9\n')
  const broken = await doctor(alone)
  expect(broken.said).toContain('✗ Database')
  expect(broken.said).toContain('THIS HOWL IS NOT WELL')
  expect(broken.code).toBe(1)
  await rm(DATA_DIR, { recursive: true, force: true })
}, 120_000)

test('says how it is called', async () => {
  const { code, said } = await doctor(settings(), '--html')
  expect([code, said.trim()]).toEqual([1, 'Usage: npm run doctor -- [--json]'])
})
