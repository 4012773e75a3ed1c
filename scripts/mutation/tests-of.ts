import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

const importOf = /from '(\.[^']+)'/g
const isTestCode = (file: string) => file.startsWith('tests/')

const importers = new Map<string, string[]>()
for (const file of globSync(['src/**/*.ts', 'tests/{domain,model,faults}/**/*.ts'])) {
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(importOf)) {
    const imported = join(dirname(file), path)
    importers.set(imported, [...(importers.get(imported) ?? []), file])
  }
}

/** Test files that import `files`, directly or through fixtures. */
function testsImporting(files: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (file: string) => {
    for (const importer of importers.get(file) ?? []) {
      if (!isTestCode(importer) || found.has(importer)) continue
      found.add(importer)
      visit(importer)
    }
  }
  for (const file of files) visit(file)
  return [...found].filter((file) => file.endsWith('.test.ts')).sort()
}

/**
 * The test files nearest to a module: those that import it, or else those that import its importers, and so on. Paths are
 * relative to the root. Throws if no test reaches the module.
 */
export function testsOf(module: string): string[] {
  const reached = new Set([module])
  for (let level: readonly string[] = [module]; level.length > 0; ) {
    const tests = testsImporting(level)
    if (tests.length > 0) return tests
    level = level.flatMap((file) => importers.get(file) ?? []).filter((file) => !isTestCode(file) && !reached.has(file))
    for (const file of level) reached.add(file)
  }
  throw new Error(`No test reaches ${module}.`)
}
