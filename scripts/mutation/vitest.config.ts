import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const mutable = fileURLToPath(new URL('xstate.ts', import.meta.url))

/**
 * The tests that run against mutants. Excluded: two tests that read the machines' source as text, and would kill every
 * mutant, and two that walk the whole session for half a minute.
 */
export default defineConfig({
  plugins: [
    {
      name: 'mutable-statecharts',
      enforce: 'pre',
      resolveId: (imported, importer) =>
        imported === 'xstate' && importer?.includes('/src/machines/') ? mutable : undefined,
    },
  ],
  test: {
    include: ['tests/domain/**/*.test.ts', 'tests/model/**/*.test.ts', 'tests/faults/**/*.test.ts'],
    exclude: [
      'tests/model/machine-docs.test.ts',
      'tests/model/every-machine-is-walked.test.ts',
      'tests/model/composed/**',
      'tests/faults/matrix.test.ts',
    ],
    environment: 'node',
    testTimeout: 8_000,
  },
})
