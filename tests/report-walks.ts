import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'
import { takeWalked } from './model/harness.ts'

/** Writes the coverage of the walks of each test file, for the table at the end of `npm test`. */
afterAll(() => {
  const walked = takeWalked()
  if (Object.keys(walked).length === 0) return
  const file = (expect.getState().testPath ?? '').replace(/^.*\/tests\//, '')
  mkdirSync('test-results/walks', { recursive: true })
  writeFileSync(`test-results/walks/${file.replaceAll('/', '.')}.json`, JSON.stringify({ file, walked }))
})
