import { defineConfig } from '@playwright/test'
import { workerCount } from './scripts/workers.ts'
import { findBrowser } from './tests/e2e/browser.ts'
import type { Options } from './tests/e2e/fixtures.ts'

const browser = await findBrowser()

export default defineConfig<object, Options>({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/seed.ts',
  outputDir: 'test-results/e2e',
  // Each has a browser and a server with a database of its own.
  workers: workerCount(2),
  // A busy CI machine gets a second try, which is reported. Locally a flaky test fails.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-PH',
    timezoneId: 'Asia/Manila',
    // Tracing every test takes a third of the run's time. Locally, use `--trace on`.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: browser.executablePath,
      // The pages of a test live for seconds: optimizing their code takes more CPU time than it saves.
      args: [...browser.args, '--js-flags=--no-opt --no-maglev'],
      env: { ...process.env, ...browser.env },
    },
  },
  projects: process.env['TEST_DATABASE_URL']
    ? [
        { name: 'postgres', testIgnore: 'canary.spec.ts', use: { database: 'postgres' } },
        {
          name: 'embedded',
          testMatch: ['canary.spec.ts', 'journey.spec.ts', 'restart.spec.ts'],
          use: { database: 'embedded' },
        },
      ]
    : [{ name: 'embedded', use: { database: 'embedded' } }],
})
