import { globSync, readFileSync } from 'node:fs'
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
