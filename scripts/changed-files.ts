import { spawnSync } from 'node:child_process'

/**
 * The files that differ from a commit, branch or tag: committed since the merge base, uncommitted, and untracked. Paths are
 * relative to the root, with forward slashes. Deleted files are left out.
 * @throws if git does not know the reference.
 */
export function changedFiles(reference: string, root: string): string[] {
  const git = (...args: string[]): string[] => {
    const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
    return stdout.split('\0').filter((line) => line !== '')
  }
  const diff = (...what: string[]) => git('diff', '--name-only', '--relative', '--diff-filter=d', '-z', ...what, '--')
  const all = [
    ...diff(`${reference}...HEAD`),
    ...diff('HEAD'),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ]
  return [...new Set(all)].toSorted()
}
