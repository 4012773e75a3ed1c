import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { workerCount } from './scripts/workers.ts'

type Settings = NonNullable<TestProjectInlineConfiguration['test']>

/**
 * A busy machine is no reason to fail: milliseconds, and on CI a second try, which the report marks. Locally a flaky test
 * fails.
 */
const patience = { testTimeout: 60_000, hookTimeout: 60_000, retry: process.env['CI'] ? 1 : 0 }

/** Such a file needs modules of its own. */
const replacesModules = /\bvi\.((?:doM|m)ock|resetModules)\b/

/**
 * The test files of a worker share its modules, because loading them takes longer than most files. Files that replace
 * modules get a process each, in a project whose name has the suffix "-isolated".
 */
function sharing(
  name: string,
  directory: string,
  settings: Settings = {},
  { extension = '.test.ts', ...options }: TestProjectInlineConfiguration & { extension?: string } = {},
): TestProjectInlineConfiguration[] {
  const isolated = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((file) => join(directory, file))
    .filter((file) => file.endsWith(extension) && replacesModules.test(readFileSync(file, 'utf8')))
  const common = { environment: 'node', ...patience, ...settings }
  const shared = { name, include: [`${directory}/**/*${extension}`], exclude: isolated, isolate: false, ...common }
  return [
    { ...options, test: shared },
    ...(isolated.length > 0 ? [{ ...options, test: { name: `${name}-isolated`, include: isolated, ...common } }] : []),
  ]
}

export default defineConfig({
  test: {
    maxWorkers: workerCount(1),
    // Otherwise a missing description of a screen would be written, and the test would pass.
    update: 'none',
    projects: [
      { test: { name: 'walls', include: ['tests/walls.test.ts'], environment: 'node', ...patience } },
      { test: { name: 'scripts', include: ['tests/scripts/**/*.test.ts'], environment: 'node', ...patience } },
      ...sharing('unit', 'tests/domain'),
      ...sharing('model', 'tests/model', { setupFiles: ['tests/report-walks.ts'] }),
      ...sharing('faults', 'tests/faults'),
      ...sharing(
        'views',
        'tests/views',
        { environment: 'jsdom', setupFiles: ['tests/views/setup.ts', 'tests/report-walks.ts'] },
        { extension: '.test.tsx', plugins: [react()] },
      ),
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
          ...patience,
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
          ...patience,
        },
      },
    ],
  },
})
