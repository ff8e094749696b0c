import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface ProvidedContext {
    /** A PostgreSQL whose role may create databases; each test file makes its own. */
    databaseUrl: string
  }
}

const log = {
  info: () => {},
  warn: (text: string) => void process.stderr.write(`${text}\n`),
  error: (text: string) => void process.stderr.write(`${text}\n`),
}

/** A test's database need not survive a crash of the machine; many test files connect at once. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/** Starts one PostgreSQL for all test files of a project, unless TEST_DATABASE_URL names one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'] ?? ''
  if (given !== '') {
    project.provide('databaseUrl', given)
    return async () => {}
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'howl-test-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const dataDir = path.join(folder, 'data')
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings: SETTINGS })
    project.provide('databaseUrl', postgres.url)
    return async () => {
      await postgres.stop()
      await remove()
    }
  } catch (error) {
    await remove()
    throw error
  }
}
