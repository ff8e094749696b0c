import { defineConfig } from 'vitest/config'

// Three kinds of test: `unit` needs nothing but Node; `integration` talks to a real PostgreSQL, Dovecot and SMTP;
// `faults` (the long form, `npm run faults`) kills and cuts at random for many minutes.
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
          include: ['{contract,server,tests,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.unit.test.*', 'tests/architecture.test.ts', '**/*.long.test.ts'],
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
