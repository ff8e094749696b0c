import type { TestProject } from 'vitest/node'
import { startPostgres15 } from './postgres-15.ts'

/** Starts one PostgreSQL 15 for all test files of a project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres15()
  project.provide('databaseUrl', url)
  return stop
}
