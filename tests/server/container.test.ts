import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { childEnvironment } from './child-environment.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))

type Locked = { dev?: boolean; devOptional?: boolean; optional?: boolean; hasInstallScript?: boolean }
const lockFile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}
/** What `npm ci --omit=dev --omit=optional` installs. */
const productionPackages = Object.entries(lockFile.packages).filter(
  ([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional,
)

let image: string
beforeEach(() => {
  image = mkdtempSync(join(tmpdir(), 'staff-inbox-image-'))
})
afterEach(() => rmSync(image, { recursive: true }))

describe('The image of the Dockerfile', () => {
  it('has neither a second Node nor development packages, and no package that runs a script on installation', () => {
    expect(lastStage).toContain('COPY --from=packages /app/node_modules ./node_modules')
    expect(dockerfile).toContain('npm ci --omit=dev --omit=optional')
    const names = productionPackages.map(([path]) => path.replace('node_modules/', ''))
    expect(names.filter((name) => /^(node-linux|vite|vitest|typescript|@playwright)/.test(name))).toEqual([])
    expect(productionPackages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
  })

  it('runs as another user than root', () => {
    expect(lastStage).toMatch(/\nUSER node\n/)
  })

  it('starts with the files and packages that it has, and its health check passes', async () => {
    for (const [path] of productionPackages) {
      // A nested package comes with the one around it.
      if (path.lastIndexOf('node_modules/') > 0) continue
      mkdirSync(dirname(join(image, path)), { recursive: true })
      symlinkSync(join(root, path), join(image, path))
    }
    const copied = [...lastStage.matchAll(/^COPY (?!--from=packages)(?:--from=build )?(?:\/app\/)?(\S+) /gm)]
    for (const [, path = ''] of copied) {
      expect(existsSync(join(root, path)), path).toBe(true)
      cpSync(join(root, path), join(image, path), { recursive: true })
    }
    const environment = { ...childEnvironment(), NODE_ENV: 'production', DATA_DIR: join(image, 'data'), PORT: '0' }
    const server = spawn(process.execPath, ['server/main.ts'], {
      cwd: image,
      env: {
        ...environment,
        // A package then finds its dependencies in the image only.
        NODE_OPTIONS: '--preserve-symlinks',
        LOG_LEVEL: 'warn',
        GRAPH_API_URL: 'http://127.0.0.1:1',
        META_APP_ID: '1',
        META_APP_SECRET: 'app',
        META_VERIFY_TOKEN: 'verify',
      },
    })
    const closed = once(server, 'close')
    let output = ''
    const address = await new Promise<string>((resolve, reject) => {
      for (const stream of [server.stdout, server.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk
          const found = /is at (\S+)\n/.exec(output)?.[1]
          if (found !== undefined) resolve(found)
        })
      }
      closed.then(() => reject(new Error(output)))
    })
    try {
      expect(await (await fetch(address)).text()).toContain('<div id="root">')
      const [, check = ''] = /HEALTHCHECK .*CMD \[(.*)\]/.exec(lastStage) ?? []
      const [command, ...words] = JSON.parse(`[${check}]`) as string[]
      expect(command).toBe('node')
      const exitCodeWith = async (port: string) => {
        const child = spawn(process.execPath, words, { env: { PORT: port } })
        await once(child, 'close')
        return child.exitCode
      }
      expect(await exitCodeWith(new URL(address).port)).toBe(0)
      expect(await exitCodeWith('1')).toBe(1)
    } finally {
      server.kill('SIGTERM')
      await closed
    }
  }, 180_000)
})
