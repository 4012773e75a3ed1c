import { globSync } from 'node:fs'
import { sep } from 'node:path'

/** The files of each kind of test. */
export const testFiles: Record<string, string> = {
  walls: 'tests/walls.test.ts',
  scripts: 'tests/scripts/**/*.test.ts',
  unit: 'tests/domain/**/*.test.ts',
  model: 'tests/model/**/*.test.ts',
  faults: 'tests/faults/**/*.test.ts',
  views: 'tests/views/**/*.test.tsx',
  server: 'tests/server/**/*.test.ts',
  simulation: 'tests/simulation/**/*.test.ts',
  browsers: 'tests/browsers/**/*.test.ts',
  e2e: 'tests/e2e/**/*.spec.ts',
}
const kinds = ['types', 'lint', ...Object.keys(testFiles)]

export type Selection = {
  kinds: readonly string[]
  /** The selected test files by kind. */
  files: Readonly<Record<string, string[]>>
  /** Words that the path of a test file must contain. Without any, all files of the kinds are selected. */
  filters: readonly string[]
}

/**
 * Selects by the words of the command: names of kinds, and filters. Throws if a named kind or a filter selects no file,
 * because a test that somebody asked for must not be left out without notice.
 */
export function selectTests(words: readonly string[]): Selection {
  const named = words.filter((word) => kinds.includes(word))
  const filters = words.filter((word) => !kinds.includes(word))
  const searched = named.length > 0 ? named : Object.keys(testFiles)
  const selected = filters.length > 0 || named.length > 0 ? searched : kinds
  const files: Record<string, string[]> = {}
  for (const kind of selected) {
    const all = globSync(testFiles[kind] ?? []).map((file) => file.split(sep).join('/'))
    const matching = filters.length === 0 ? all : all.filter((file) => filters.some((filter) => file.includes(filter)))
    if (matching.length > 0) files[kind] = matching
    else if (named.includes(kind) && filters.length > 0) throw new Error(nothingOf(kind, filters))
  }
  const found = Object.values(files).flat()
  const unused = filters.find((filter) => !found.some((file) => file.includes(filter)))
  if (unused !== undefined) throw new Error(`No test file has "${unused}" in its path.`)
  return { kinds: selected, files, filters }
}

function nothingOf(kind: string, filters: readonly string[]): string {
  const words = filters.map((filter) => `"${filter}"`).join(' or ')
  return testFiles[kind] === undefined
    ? `"${kind}" has no test files, so the filter ${words} selects nothing of it. Run "npm test -- ${kind}" by itself.`
    : `No test file of the kind "${kind}" has ${words} in its path.`
}
