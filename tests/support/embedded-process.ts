import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'

// A process of its own that holds an embedded PostgreSQL, to be killed by a test. It prints one line of JSON: where the
// database is, or why it could not start. It stops cleanly when its input ends.
const [dataDir = ''] = process.argv.slice(2)
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const silent = { info: () => {}, warn: () => {}, error: () => {} }

try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, settings: { fsync: 'off' } })
  say({ url: postgres.url, pid: postgres.pid, refused: null })
  process.stdin.on('end', () => void postgres.stop()).resume()
} catch (error) {
  say({ url: '', pid: 0, refused: (error as Error).message })
}
