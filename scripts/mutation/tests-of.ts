import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, parse } from 'node:path/posix'
import { excluded } from './excluded.ts'

/** The nearest test files. What nearly all views use is reached by nearly all tests, which take minutes. */
const mostFiles = 15

const importOf = /(?:from |import\()'(\.[^']+)'/g
const isTestCode = (file: string) => file.startsWith('tests/')
const isExcluded = (file: string) =>
  Object.values(excluded).some((globs) => globs.some((glob) => matchesGlob(file, glob)))

const importers = new Map<string, string[]>()
for (const file of globSync(['{src,server}/**/*.{ts,tsx}', 'tests/**/*.{ts,tsx}'])) {
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(importOf)) {
    const imported = join(dirname(file), path)
    importers.set(imported, [...(importers.get(imported) ?? []), file])
  }
}

/** The folders of the tests that are run for a module. */
function kindsFor(module: string): readonly string[] {
  if (module.startsWith('server/')) return ['tests/server/']
  return module.startsWith('src/views/') ? ['tests/views/'] : ['tests/domain/', 'tests/model/', 'tests/faults/']
}

/**
 * The subject of a module or of a test: `thread` of `src/machines/thread/thread.ts`, of `tests/model/thread/thread.test.ts`.
 * Null if the file is in no folder of a subject. The path is relative to the root.
 */
export function subjectOf(path: string): string | null {
  const folders = path.split('/').slice(0, -1)
  return folders[folders[0] === 'server' ? 1 : 2] ?? null
}

/** Test files of these kinds that import `files`, directly or through fixtures. */
function testsImporting(files: readonly string[], kinds: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (file: string) => {
    for (const importer of importers.get(file) ?? []) {
      if (!isTestCode(importer) || found.has(importer)) continue
      found.add(importer)
      visit(importer)
    }
  }
  for (const file of files) visit(file)
  const isTest = (file: string) =>
    /\.test\.tsx?$/.test(file) && kinds.some((kind) => file.startsWith(kind)) && !isExcluded(file)
  return [...found].filter(isTest).sort()
}

/** The test files that reach a module: the nearest, at most `mostFiles`, and the others. Relative to the root. */
export type TestsOfModule = { nearest: string[]; others: string[] }

/**
 * The nearest test files are those that import the module, or else those that import its importers, and so on. Of those that
 * reach it by more steps, the ones of its subject are near too: a dialog may have a test and a walk that import it in
 * different ways. First the tests named like the module, then those of its subject. None if no test reaches the module.
 */
export function testsOf(module: string): TestsOfModule {
  const { name } = parse(module)
  const isOfSubject = (test: string) => subjectOf(module) !== null && subjectOf(test) === subjectOf(module)
  const near = new Set<string>()
  const far = new Set<string>()
  const reached = new Set([module])
  for (let level: readonly string[] = [module]; level.length > 0; ) {
    const isNearest = near.size === 0
    for (const test of testsImporting(level, kindsFor(module))) {
      if (isNearest || isOfSubject(test)) near.add(test)
      else far.add(test)
    }
    level = level.flatMap((file) => importers.get(file) ?? []).filter((file) => !isTestCode(file) && !reached.has(file))
    for (const file of level) reached.add(file)
  }
  const distance = (test: string) => (basename(test).startsWith(name) ? 0 : isOfSubject(test) ? 1 : 2)
  const files = [...near].sort((one, other) => distance(one) - distance(other))
  const nearest = files.slice(0, mostFiles)
  return { nearest, others: [...new Set([...files, ...far])].filter((file) => !nearest.includes(file)) }
}

/** What a reader of a module's score must know about its tests. */
export const remarksOn = (module: string): string[] =>
  testsOf(module).nearest.length === 0 ? ['no test reaches this module'] : []
