import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '#server/platform/database/connect.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { emptyDatabase } from '../support/database.ts'
import { schemaText } from '../support/schema-text.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

test('all migrations make the same schema on PostgreSQL 15 as on the one that comes with Howl', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-schema-'))
  const embedded = await startEmbeddedPostgres({ dataDir, log: silent, settings: { fsync: 'off' } })
  const older = await emptyDatabase()
  try {
    const [ours, theirs] = await Promise.all([schemaOf(embedded.url), schemaOf(older.url)])
    expect(ours.length).toBeGreaterThan(1000)
    expect(theirs).toEqual(ours)
  } finally {
    await older.drop()
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** As PostgreSQL 15 writes a view, each column has the name of its only table; times are written in the server's zone. */
async function schemaOf(url: string): Promise<string[]> {
  const { db, close } = connect(url, () => {})
  await migrate(db)
  await close()
  const inUtc = new URL(url)
  inUtc.searchParams.set('options', '-c timezone=UTC')
  const lines = await schemaText(inUtc.href)
  return lines
    .map((line) => (line.startsWith('view ') ? line.replaceAll(/\b\w+\.(?=\w)/g, '') : line))
    .toSorted()
}
