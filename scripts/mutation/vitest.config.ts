import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const breakable = fileURLToPath(new URL('xstate.ts', import.meta.url))

/**
 * The tests that mutants meet. The two that read the machines' source as text would tell a mutant by its looks; the
 * other two walk the whole session for half a minute, which each survivor would have to wait for: the score is without them.
 */
export default defineConfig({
  plugins: [
    {
      name: 'breakable-statecharts',
      enforce: 'pre',
      resolveId: (imported, importer) =>
        imported === 'xstate' && importer?.includes('/src/machines/') ? breakable : undefined,
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
