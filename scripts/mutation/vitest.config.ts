import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { excluded } from './excluded.ts'

const mutable = fileURLToPath(new URL('xstate.ts', import.meta.url))

/** Milliseconds. */
const patience = { testTimeout: 8_000, hookTimeout: 20_000 }

/** The tests that run against mutants. The server's tests run on the embedded database alone. */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          {
            name: 'mutable-statecharts',
            enforce: 'pre',
            resolveId: (imported, importer) =>
              imported === 'xstate' && importer?.includes('/src/machines/') ? mutable : undefined,
          },
        ],
        test: {
          name: 'core',
          include: ['tests/domain/**/*.test.ts', 'tests/model/**/*.test.ts', 'tests/faults/**/*.test.ts'],
          exclude: excluded.core,
          environment: 'node',
          ...patience,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'views',
          include: ['tests/views/**/*.test.tsx'],
          exclude: excluded.views,
          environment: 'jsdom',
          setupFiles: ['tests/views/setup.ts'],
          ...patience,
          // A walk through a dialog takes up to 10 s on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          exclude: excluded.server,
          environment: 'node',
          setupFiles: ['tests/server/cheap-hashes.ts'],
          ...patience,
        },
      },
    ],
  },
})
