import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize, sep } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'

type Room = { ours: string[]; packages: string[] | 'any dependency' }

const clientPackages = ['react', 'react-dom', 'react-router', 'xstate', '@xstate/react', '@supabase/supabase-js']

/** Who may import whom. What is not listed may not be imported. */
const rooms: Record<string, Room> = {
  'src/schemas': { ours: ['src/schemas'], packages: ['zod'] },
  'src/domain': { ours: ['src/domain', 'src/schemas'], packages: ['zod'] },
  'src/machines': { ours: ['src/machines', 'src/domain', 'src/schemas'], packages: ['xstate'] },
  'src/services': { ours: ['src/services', 'src/domain', 'src/schemas'], packages: ['zod', '@supabase/supabase-js'] },
  'src/views': {
    ours: ['src/views', 'src/machines', 'src/domain', 'src/schemas'],
    packages: [
      'react',
      'react-dom',
      'react-router',
      'xstate',
      '@xstate/react',
      '@base-ui/react',
      '@tanstack/react-virtual',
      'lucide-react',
      'sonner',
    ],
  },
  'src/recorder': { ours: ['src/recorder'], packages: ['xstate', 'zod'] },
  'src/dev': {
    ours: ['src/dev', 'src/recorder', 'src/views', 'src/machines', 'src/services', 'src/domain', 'src/schemas'],
    packages: ['xstate', '@statelyai/inspect'],
  },
  'src/main.tsx': {
    ours: [
      'src/views',
      'src/machines',
      'src/services',
      'src/domain',
      'src/schemas',
      'src/dev',
      'src/recorder',
      'src/compose-session.ts',
    ],
    packages: ['react', 'react-dom', 'react-router', 'xstate', '@xstate/react', 'zod'],
  },
  'src/compose-session.ts': {
    ours: ['src/machines', 'src/services', 'src/domain', 'src/schemas', 'src/compose-dialogs.ts'],
    packages: ['xstate'],
  },
  'src/compose-dialogs.ts': { ours: ['src/machines', 'src/services'], packages: ['xstate'] },
  server: { ours: ['server', 'src/domain', 'src/schemas'], packages: 'any dependency' },
}

/** What only the outside world's keepers (services, views, main) may touch. */
const browserGlobals = new Set([
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'BroadcastChannel',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'document',
  'window',
  'navigator',
])
const pureRooms = ['src/schemas', 'src/domain', 'src/machines']

const dependencies = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }).dependencies,
)
const files = globSync(['src/**/*.{ts,tsx}', 'server/**/*.ts']).map((file) => file.split(sep).join('/'))

describe('the walls of the design', () => {
  test('every source file stands in a room that the walls know', () => {
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([])
    expect(files.length).toBeGreaterThan(0)
  })

  test('every import goes where its room may go', () => {
    expect(files.flatMap((file) => importsOf(file).flatMap((request) => refusal(file, request)))).toEqual([])
  })

  test('schemas, domain and machines touch nothing of the browser', () => {
    const pure = files.filter((file) => pureRooms.includes(roomOf(file) ?? ''))
    expect(pure.flatMap((file) => globalsOf(file).map((name) => `${file} uses ${name}`))).toEqual([])
  })

  test('the rules refuse what they are there to refuse', () => {
    const refused = (file: string, request: string) => refusal(file, request).length > 0
    expect({
      machineToService: refused('src/machines/auth.ts', '../services/auth.ts'),
      machineToReact: refused('src/machines/auth.ts', 'react'),
      viewToService: refused('src/views/inbox/List.tsx', '../../services/http.ts'),
      serverToView: refused('server/app.ts', '../src/views/App.tsx'),
      serverToReact: refused('server/app.ts', 'react'),
      sourceToTest: refused('src/main.tsx', '../tests/model/harness.ts'),
      sourceToDevDependency: refused('src/views/App.tsx', 'vitest'),
      schemaToNode: refused('src/schemas/auth.ts', 'node:fs'),
      viewToMachine: refused('src/views/App.tsx', '../machines/app.ts'),
      serverToSchema: refused('server/api/auth.ts', '../../src/schemas/auth.ts'),
    }).toEqual({
      machineToService: true,
      machineToReact: true,
      viewToService: true,
      serverToView: true,
      serverToReact: true,
      sourceToTest: true,
      sourceToDevDependency: true,
      schemaToNode: true,
      viewToMachine: false,
      serverToSchema: false,
    })
    expect(globalsIn('a.ts', 'const a = { fetch: 1 }; a.fetch; window.open(); type T = { document: string }')).toEqual([
      'window',
    ])
  })
})

function roomOf(path: string): string | undefined {
  return Object.keys(rooms).find((room) => path === room || path.startsWith(`${room}/`))
}

function refusal(file: string, request: string): string[] {
  const room = rooms[roomOf(file) ?? '']
  if (room === undefined) return []
  const sentence = [`${file} may not import ${request}`]
  if (request.startsWith('.')) {
    const target = roomOf(
      normalize(join(dirname(file), request))
        .split(sep)
        .join('/'),
    )
    return target !== undefined && room.ours.includes(target) ? [] : sentence
  }
  const name = packageOf(request)
  if (name.startsWith('node:') || builtinModules.includes(name)) return room === rooms['server'] ? [] : sentence
  const allowed =
    room.packages === 'any dependency'
      ? dependencies.includes(name) && !clientPackages.includes(name)
      : room.packages.includes(name)
  return allowed ? [] : sentence
}

function packageOf(request: string): string {
  return request
    .split('/')
    .slice(0, request.startsWith('@') ? 2 : 1)
    .join('/')
}

function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const { module, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} could not be parsed`)
  const literal = ({ start, end }: { start: number; end: number }) => source.slice(start + 1, end - 1)
  return [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...module.dynamicImports.map((entry) => literal(entry.moduleRequest)),
    ...Array.from(source.matchAll(/import\.meta\.glob\(\s*'([^']+)'/g), (match) => match[1] ?? ''),
  ]
}

function globalsOf(file: string): string[] {
  return globalsIn(file, readFileSync(file, 'utf8'))
}

function globalsIn(file: string, source: string): string[] {
  const found = new Set<string>()
  const walk = (node: unknown, place: 'reference' | 'name'): void => {
    if (Array.isArray(node)) for (const item of node) walk(item, place)
    if (!isNode(node)) return
    if (node.type === 'Identifier' && place === 'reference' && browserGlobals.has(node.name ?? '')) {
      found.add(node.name ?? '')
    }
    for (const [key, child] of Object.entries(node)) {
      const isName = (key === 'property' || key === 'key') && node.computed !== true
      if (typeof child === 'object') walk(child, isName ? 'name' : 'reference')
    }
  }
  walk(parseSync(file, source).program, 'reference')
  return [...found]
}

function isNode(value: unknown): value is { type: string; name?: string; computed?: boolean } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
