import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const testsOf = (path: string) => new URL(`../${path}`, import.meta.url)
const rows = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))

test('docs/security.md names each threat once', () => {
  const threats = rows.map(([threat]) => threat)
  expect(threats.length).toBeGreaterThan(40)
  expect(threats.filter((threat, index) => threats.indexOf(threat) !== index)).toEqual([])
})

/** `path`: title; title. A `…` stands for any text within a title. */
test.each(rows.map(([threat = '', , tests = '']) => [threat, tests]))(
  '%s: the tests in docs/security.md exist',
  (_, tests) => {
    const named = [...tests.matchAll(/`([\w/.-]+)`(?:: ([^`]*?))?(?=; `|$)/g)]
    expect(named.map(([whole]) => whole).join('; ')).toBe(tests)
    for (const [, path = '', titles = ''] of named) {
      expect(existsSync(testsOf(path)), path).toBe(true)
      const source = readFileSync(testsOf(path), 'utf8')
      const parts = titles.split(/; |…/).map((part) => part.trim())
      expect(parts.filter((part) => !source.includes(part) && !source.includes(part.replaceAll("'", "\\'")))).toEqual(
        [],
      )
    }
  },
)
