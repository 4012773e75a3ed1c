/**
 * The environment of a child process that must not see the developer's settings. With the directory of compiled modules it
 * starts in a third of the time.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH, TMPDIR, NODE_COMPILE_CACHE }
}
