import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changedFiles } from '../../scripts/changed-files.ts'

const root = mkdtempSync(join(tmpdir(), 'staff-inbox-changed-'))
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root, stdio: 'ignore' })
const write = (...names: string[]) => {
  for (const name of names) writeFileSync(join(root, name), String(Math.random()))
}
const commit = (message: string) => {
  git('add', '-A')
  git('commit', '-m', message)
}

beforeAll(() => {
  git('init', '-b', 'main')
  mkdirSync(join(root, 'folder'))
  writeFileSync(join(root, '.gitignore'), 'ignored')
  write('unchanged', 'edited', 'staged', 'deleted')
  commit('first')
  git('switch', '-c', 'branch')
  write('on the branch')
  commit('second')
  git('switch', 'main')
  write('on main')
  commit('third')
  git('switch', 'branch')
  write('edited', 'staged', 'folder/é new', 'ignored')
  git('add', 'staged')
  rmSync(join(root, 'deleted'))
})
afterAll(() => rmSync(root, { recursive: true }))

const uncommitted = ['edited', 'folder/é new', 'staged']

test('changedFiles returns edited, staged and new files, but not deleted or ignored ones', () => {
  expect(changedFiles('HEAD', root)).toEqual(uncommitted)
})

test('changedFiles returns what a branch changed since the merge base, but not what the other branch changed', () => {
  expect(changedFiles('main', root)).toEqual(['edited', 'folder/é new', 'on the branch', 'staged'])
})

test('changedFiles throws for an unknown reference', () => {
  expect(() => changedFiles('unknown-branch', root)).toThrow('unknown-branch')
})
