import { defineConfig } from 'vitest/config'

/** The tests that mutants meet. The two that read the machines' source as text would tell a mutant by its looks. */
export default defineConfig({
  test: {
    include: ['tests/domain/**/*.test.ts', 'tests/model/**/*.test.ts', 'tests/faults/**/*.test.ts'],
    exclude: ['tests/model/machine-docs.test.ts', 'tests/model/every-machine-is-walked.test.ts'],
    environment: 'node',
  },
})
