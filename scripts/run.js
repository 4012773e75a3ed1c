// Plain JavaScript that an old Node parses, so that it can say what is wrong before any TypeScript is loaded.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const needed = 24

if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(
    `Staff Inbox needs Node ${needed} or later, but this is Node ${process.versions.node} (npm ci installs a fitting one on Linux unless optional dependencies are left out).`,
  )
  process.exit(1)
}

const script = resolve(process.argv[2])
process.argv.splice(1, 2, script)
await import(pathToFileURL(script).href)
