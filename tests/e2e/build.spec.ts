import { existsSync, globSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from '@playwright/test'

test('the build contains no development code and no tests', () => {
  const maps = globSync('dist/assets/*.js.map')
  const sources = maps.flatMap((map): string[] => JSON.parse(readFileSync(map, 'utf8')).sources)
  const unwanted = sources.filter(
    (source) => /(^|\/)(src\/dev|tests|server|scripts)\//.test(source) && !source.includes('node_modules'),
  )
  expect(unwanted).toEqual([])
  expect(sources.some((source) => source.endsWith('src/main.tsx'))).toBe(true)
  expect(sources.filter((source) => source.includes('@statelyai'))).toEqual([])
  // Texts of the inspectors, in case a source map does not name their sources.
  const scripts = globSync('dist/assets/*.js').filter((script) =>
    /stately\.ai\/inspect|xstateinspector|Stately inspector/.test(readFileSync(script, 'utf8')),
  )
  expect(scripts).toEqual([])
})

test('the build holds a Brotli file for each larger text file', () => {
  const files = globSync('dist/**/*.{js,css,html,svg}')
  expect(files.length).toBeGreaterThan(20)
  const compressed = files.filter((file) => existsSync(`${file}.br`))
  expect(compressed).toEqual(files.filter((file) => readFileSync(file).length >= 1_024))
  const differ = compressed.filter(
    (file) => !brotliDecompressSync(readFileSync(`${file}.br`)).equals(readFileSync(file)),
  )
  expect(differ).toEqual([])
  expect(globSync('dist/**/*.br')).toHaveLength(compressed.length)
})
