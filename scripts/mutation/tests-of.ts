import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

const importOf = /(?:from |import\()'(\.[^']+)'/g
const isTestCode = (file: string) => file.startsWith('tests/')

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
  const isTest = (file: string) => /\.test\.tsx?$/.test(file) && kinds.some((kind) => file.startsWith(kind))
  return [...found].filter(isTest).sort()
}

/**
 * The test files nearest to a module: those that import it, or else those that import its importers, and so on. Of those that
 * reach it by more steps, the ones of its subject run too: a dialog may have a test and a walk that import it in different
 * ways. Paths are relative to the root. Empty if no test reaches the module.
 */
export function testsOf(module: string): string[] {
  const subject = module.startsWith('src/') ? module.split('/')[2] : undefined
  const found = new Set<string>()
  const reached = new Set([module])
  for (let level: readonly string[] = [module]; level.length > 0; ) {
    const isNearest = found.size === 0
    for (const test of testsImporting(level, kindsFor(module))) {
      if (isNearest || test.split('/')[2] === subject) found.add(test)
    }
    level = level.flatMap((file) => importers.get(file) ?? []).filter((file) => !isTestCode(file) && !reached.has(file))
    for (const file of level) reached.add(file)
  }
  return [...found]
}
