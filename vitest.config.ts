import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import type { TestProject } from 'vitest/node'
import { hasOutsideServers } from './tests/support/outside-servers.mjs'
import { browserLaunch, READER } from './tests/support/test-browser.ts'
import { SlowFirst } from './tests/support/slow-first.ts'

// Six kinds of test: `unit` needs nothing but Node; `component` shows pages and dialogs in a real browser on a fake server made
// of the contract; `integration` talks to a real PostgreSQL, Dovecot and SMTP; `outside` runs
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

/** Chromium, looked for when a component test wants it: the other projects need no browser. */
const chromium = {
  ...playwright(),
  prewarm: () => {},
  providerFactory: (async (project: TestProject) =>
    playwright({
      launchOptions: await browserLaunch(),
      contextOptions: READER,
      actionTimeout: 20_000,
    }).providerFactory(project)) as unknown as ReturnType<typeof playwright>['providerFactory'],
}

/** Most tests wait for servers and processes: four at a time keep two processors busy. */
const WORKERS = 4

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          name: 'unit',
          // Loading modules costs more than most files' tests: files share what a worker has loaded.
          isolate: false,
          // By itself it would leave one processor free.
          maxWorkers: '100%',
          include: [
            '{contract,server,web,tests,scripts}/**/*.unit.test.{ts,tsx}',
            'tests/architecture.test.ts',
          ],
        },
      },
      {
        plugins: [react(), tailwind()],
        publicDir: 'web/public',
        // All that pages import is bundled before the first test: what is found later would reload the page amid a test.
        optimizeDeps: { entries: ['web/main.tsx', 'web/**/*.component.test.tsx'] },
        test: {
          name: 'component',
          // Four pages for all files, which mostly wait: each loads the app's modules once.
          isolate: false,
          maxWorkers: 4,
          include: ['web/**/*.component.test.tsx'],
          testTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
          browser: {
            enabled: true,
            headless: true,
            provider: chromium,
            instances: [{ browser: 'chromium' }],
            viewport: { width: 1440, height: 900 },
            // As in Playwright's tests.
            locators: { exact: false },
            screenshotFailures: false,
          },
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
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // What is awaited comes within milliseconds, unless the machine does much else.
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: WORKERS,
        },
      },
      {
        test: {
          name: 'outside',
          isolate: false,
          include: hasOutsideServers() ? ['tests/outside/*.outside.test.ts', ...MAIN_PATHS] : [],
          globalSetup: ['tests/support/outside-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: WORKERS,
        },
      },
      {
        test: {
          // Each file in a process of its own: what others leave in memory would be collected while it measures.
          name: 'linear',
          include: ['{server,tests}/**/linear*.test.ts'],
          // They measure, so nothing else runs beside them, and each has a processor.
          sequence: { groupOrder: 1 },
          testTimeout: 180_000,
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
