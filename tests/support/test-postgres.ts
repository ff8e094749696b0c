import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'

const say = (text: string) => void process.stderr.write(`${text}\n`)

/** A test's database need not survive a crash of the machine; many test files connect at once. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/** Starts one PostgreSQL for a whole run of tests; its files go when it stops, and when it does not start. */
export async function startTestPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'howl-test-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir: path.join(folder, 'data'),
      log: { info: () => {}, warn: say, error: say },
      settings: SETTINGS,
    })
    return { url: postgres.url, stop: () => postgres.stop().finally(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}
