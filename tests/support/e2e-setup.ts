import { existsSync } from 'node:fs'
import path from 'node:path'
import { startTestPostgres } from './test-postgres.ts'

const PAGES = path.resolve(import.meta.dirname, '../../dist/web/app.html')

/** Starts one PostgreSQL for the whole run, unless TEST_DATABASE_URL names one; Playwright calls what it returns at the end. */
async function setup(): Promise<() => Promise<void>> {
  if (!existsSync(PAGES)) throw new Error('The web pages are not built: run `npm run build` first.')
  if ((process.env['TEST_DATABASE_URL'] ?? '') !== '') return async () => {}
  const { url, stop } = await startTestPostgres()
  // The workers are children of this process: they inherit it.
  process.env['TEST_DATABASE_URL'] = url
  return stop
}

// oxlint-disable-next-line import/no-default-export -- Playwright takes the default export of its global setup
export default setup
