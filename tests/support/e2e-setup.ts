import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'

const PAGES = path.resolve(import.meta.dirname, '../../dist/web/app.html')

const say = (text: string) => void process.stderr.write(`${text}\n`)

/** Starts one PostgreSQL for the whole run, unless TEST_DATABASE_URL names one; Playwright calls what it returns at the end. */
async function setup(): Promise<() => Promise<void>> {
  if (!existsSync(PAGES)) throw new Error('The web pages are not built: run `npm run build` first.')
  if ((process.env['TEST_DATABASE_URL'] ?? '') !== '') return async () => {}
  const folder = await mkdtemp(path.join(tmpdir(), 'howl-e2e-'))
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'data'),
    log: { info: () => {}, warn: say, error: say },
    // Test data need not survive a crash of the machine.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  // The workers are children of this process: they inherit it.
  process.env['TEST_DATABASE_URL'] = postgres.url
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

// oxlint-disable-next-line import/no-default-export -- Playwright takes the default export of its global setup
export default setup
