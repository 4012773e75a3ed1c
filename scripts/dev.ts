import concurrently from 'concurrently'
import { projectRoot } from './project.ts'

const { result } = concurrently(
  [
    { name: 'server', command: 'node --watch server/main.ts' },
    { name: 'pages', command: 'vite' },
  ],
  { cwd: projectRoot, killOthersOn: ['failure', 'success'], prefixColors: 'auto' },
)
await result.catch(() => {
  process.exitCode = 1
})
