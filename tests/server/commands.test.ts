import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { childEnvironment } from './child-environment.ts'

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url))

it.each([
  ['staff.ts', ['add', 'ana@example.com', 'agent']],
  ['staff.ts', ['reset', 'ana@example.com']],
  ['person.ts', ['export', 'u1']],
  ['rekey.ts', []],
])('%s %j refuses a directory without a database and creates nothing', (script, words) => {
  const directory = join(tmpdir(), `staff-inbox-mistyped-${process.pid}`)
  const keys = `${'n'.repeat(32)},${'o'.repeat(32)}`
  const env = { ...childEnvironment(), DATA_DIR: directory, SECRET_KEYS: keys }
  const { status, stderr } = spawnSync(process.execPath, [join(scripts, script), ...words], { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    `${directory} has no database. Set DATA_DIR to the data directory of the server.\n`,
  ])
  expect(existsSync(directory)).toBe(false)
})
