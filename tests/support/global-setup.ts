import type { TestProject } from 'vitest/node'
import { startTestPostgres } from './test-postgres.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface ProvidedContext {
    /** A PostgreSQL whose role may create databases; each test file makes its own. */
    databaseUrl: string
  }
}

/** Starts one PostgreSQL for all test files of a project, unless TEST_DATABASE_URL names one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'] ?? ''
  if (given !== '') {
    project.provide('databaseUrl', given)
    return async () => {}
  }
  const { url, stop } = await startTestPostgres()
  project.provide('databaseUrl', url)
  return stop
}
