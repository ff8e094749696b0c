import { defineConfig } from '@playwright/test'
import { browserLaunch, READER } from './tests/support/test-browser.ts'

const { reducedMotion, ...reader } = READER

// The whole product in a real browser: every worker drives an app of its own, on a database of its own.
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './tests/support/e2e-setup.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  // Stories wait for mail and for pages: three at a time keep two processors busy.
  workers: 3,
  // A test that passes at the second try has found a fault.
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // What is awaited comes within a second or two, unless the machine does much else: nothing gives up before it must.
  timeout: 300_000,
  expect: { timeout: 45_000 },
  reporter: [['list']],
  use: {
    ...reader,
    screenshot: 'only-on-failure',
    // Recording costs a quarter of the whole run: `--trace on` when a failure has to be looked into.
    trace: 'off',
    contextOptions: { reducedMotion },
    launchOptions: await browserLaunch(),
  },
})
