import { globSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'

test('the build holds no development code and no test', () => {
  const maps = globSync('dist/assets/*.js.map')
  const sources = maps.flatMap((map): string[] => JSON.parse(readFileSync(map, 'utf8')).sources)
  const unwanted = sources.filter(
    (source) => /(^|\/)(src\/dev|tests|server|scripts)\//.test(source) && !source.includes('node_modules'),
  )
  expect(unwanted).toEqual([])
  expect(sources.some((source) => source.endsWith('src/main.tsx'))).toBe(true)
  expect(sources.filter((source) => source.includes('@statelyai'))).toEqual([])
  // What a source map might not name: words of the inspectors.
  const scripts = globSync('dist/assets/*.js').filter((script) =>
    /stately\.ai\/inspect|xstateinspector|Stately inspector/.test(readFileSync(script, 'utf8')),
  )
  expect(scripts).toEqual([])
})

type Chunk = { file: string; name?: string; imports?: string[] }

/** Gzip kilobytes (1,000 bytes) of the scripts that a browser loads before a screen can be shown. */
const budgets = [
  { screen: '/login', chunks: ['index', 'login'], budget: 126 },
  { screen: '/', chunks: ['index', 'inbox'], budget: 195 },
]

for (const { screen, chunks, budget } of budgets) {
  test(`the scripts of ${screen} stay within ${budget} kB`, () => {
    const manifest: Record<string, Chunk> = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))
    const keys = Object.keys(manifest).filter((key) => chunks.includes(manifest[key]?.name ?? ''))
    expect(keys).toHaveLength(chunks.length)
    const loaded = new Set<string>()
    const load = (key: string) => {
      if (loaded.has(key)) return
      loaded.add(key)
      for (const imported of manifest[key]?.imports ?? []) load(imported)
    }
    for (const key of keys) load(key)
    const size = [...loaded].reduce((bytes, key) => {
      const { file } = manifest[key] ?? { file: '' }
      return bytes + gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length
    }, 0)
    expect(size / 1_000).toBeLessThanOrEqual(budget)
    // Smaller than React alone: the graph would be read wrongly.
    expect(size / 1_000).toBeGreaterThan(60)
  })
}
