import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { workerCount } from './scripts/workers.ts'

/** Milliseconds: a machine that is busy is no reason to fail. */
const patience = { testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    maxWorkers: workerCount(1),
    projects: [
      { test: { name: 'walls', include: ['tests/walls.test.ts'], environment: 'node', ...patience } },
      { test: { name: 'scripts', include: ['tests/scripts/**/*.test.ts'], environment: 'node', ...patience } },
      { test: { name: 'unit', include: ['tests/domain/**/*.test.ts'], environment: 'node', ...patience } },
      {
        test: {
          name: 'model',
          include: ['tests/model/**/*.test.ts'],
          environment: 'node',
          setupFiles: ['tests/report-walks.ts'],
          ...patience,
        },
      },
      { test: { name: 'faults', include: ['tests/faults/**/*.test.ts'], environment: 'node', ...patience } },
      {
        plugins: [react()],
        test: {
          name: 'views',
          include: ['tests/views/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: ['tests/views/setup.ts', 'tests/report-walks.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'simulation',
          include: ['tests/simulation/**/*.test.ts'],
          environment: 'node',
          testTimeout: 15 * 60_000,
        },
      },
      {
        test: {
          name: 'browsers',
          include: ['tests/browsers/**/*.test.ts'],
          environment: 'node',
          // As in playwright.config.ts: these tests start processes and wait for them.
          retry: process.env['CI'] ? 1 : 0,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          environment: 'node',
          // Runs only when a test of this project does.
          globalSetup: 'tests/server/global-setup.ts',
          setupFiles: ['tests/server/cheap-hashes.ts'],
          isolate: false,
          // As in playwright.config.ts: these tests start processes and wait for them.
          retry: process.env['CI'] ? 1 : 0,
          ...patience,
        },
      },
    ],
  },
})
