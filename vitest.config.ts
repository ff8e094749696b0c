import { defineConfig } from 'vitest/config'
import { hasOutsideServers } from './tests/support/outside-servers.mjs'

// Five kinds of test: `unit` needs nothing but Node; `integration` talks to a real PostgreSQL, Dovecot and SMTP; `outside` runs
// the main paths on the oldest PostgreSQL that Howl works on, where it is installed; `linear` measures how the cost of readers
// grows; `faults` (the long form, `npm run faults`) kills and cuts at random for many minutes.
/** Together they run every migration with rows, every call, and the SQL that is least like others'. */
const MAIN_PATHS = [
  'server/invoicing/invoices/invoices.test.ts',
  'server/outreach/sequences/sequences.test.ts',
  'server/mail/emails/list/search-emails.test.ts',
  'tests/upgrade/each-migration.test.ts',
  'tests/tenants.test.ts',
]

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Loading modules costs more than most files' tests: files share what a worker has loaded.
          isolate: false,
          include: [
            '{contract,server,web,tests,scripts}/**/*.unit.test.{ts,tsx}',
            'tests/architecture.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'integration',
          isolate: false,
          include: ['{contract,server,tests,scripts}/**/*.test.{ts,tsx}'],
          exclude: [
            '**/*.unit.test.*',
            '**/*.long.test.ts',
            '**/*.outside.test.ts',
            '**/linear*.test.ts',
            'tests/architecture.test.ts',
          ],
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // What is awaited comes within milliseconds, unless the machine does much else.
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'outside',
          isolate: false,
          include: hasOutsideServers() ? ['tests/outside/*.outside.test.ts', ...MAIN_PATHS] : [],
          globalSetup: ['tests/support/outside-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: 2,
        },
      },
      {
        test: {
          // Each file in a process of its own: what others leave in memory would be collected while it measures.
          name: 'linear',
          include: ['{server,tests}/**/linear*.test.ts'],
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.long.test.ts'],
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 3_600_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
