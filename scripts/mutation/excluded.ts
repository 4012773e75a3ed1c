/**
 * Tests that do not run against mutants: those that read the source as text, and would kill every mutant, and two that walk
 * the whole session for half a minute.
 */
export const excluded = {
  core: [
    'tests/model/machine-docs.test.ts',
    'tests/model/every-machine-is-walked.test.ts',
    'tests/model/composed/**',
    'tests/faults/matrix.test.ts',
    'tests/faults/matrix-calls.test.ts',
  ],
  views: ['tests/views/shell/dialog-registry.test.tsx'],
  server: ['tests/server/audit/audited-routes.test.ts'],
}
