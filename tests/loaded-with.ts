import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

/** The files that a browser loads together with these: their static imports of values, and the imports of those. */
export function loadedWith(starts: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    if (!/\.tsx?$/.test(file)) return
    const { staticImports } = parseSync(file, readFileSync(file, 'utf8')).module
    const values = staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    for (const { moduleRequest } of values) {
      if (moduleRequest.value.startsWith('.')) visit(join(dirname(file), moduleRequest.value))
    }
  }
  starts.forEach(visit)
  return found
}
