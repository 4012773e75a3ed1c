/**
 * The environment of a child process that must not see the developer's settings. It keeps the folders of temporary files
 * and compiled modules, which `scripts/test-environment.ts` chooses for speed.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH, TMPDIR, NODE_COMPILE_CACHE }
}
