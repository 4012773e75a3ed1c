import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const entry = fileURLToPath(new URL('../src/service-worker/sw.ts', import.meta.url))

/** The service worker as one script without imports, so that it shares no chunk with the pages. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: 'sw.js' } },
    },
  })
  const [first] = Array.isArray(built) ? built : [built]
  const script = first !== undefined && 'output' in first ? first.output[0] : undefined
  if (script === undefined) throw new Error('the service worker was not built')
  return script.code
}

/** Serves and builds the service worker at the fixed address /sw.js, which browsers compare with the one they have. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  configureServer(server) {
    server.middlewares.use('/sw.js', async (_, response) => {
      response.setHeader('content-type', 'text/javascript')
      response.end(await bundle())
    })
  },
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'sw.js', source: await bundle() })
  },
})
