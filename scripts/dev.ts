import concurrently from 'concurrently'
import { projectRoot } from './project.ts'

/** `--inspect` shows the running machines beside the application. */
const inspect = process.argv.includes('--inspect') ? { VITE_INSPECT: 'yes' } : {}

const { result } = concurrently(
  [
    { name: 'server', command: 'node --watch server/main.ts' },
    { name: 'pages', command: 'vite', env: inspect },
  ],
  { cwd: projectRoot, killOthersOn: ['failure', 'success'], prefixColors: 'auto' },
)
await result.catch(() => {
  process.exitCode = 1
})
