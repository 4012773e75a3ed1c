import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize, sep } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'

type Boundary = { ours: string[]; packages: string[] | 'any dependency' }

const clientPackages = ['react', 'react-dom', 'react-router', 'xstate', '@xstate/react', '@supabase/supabase-js', 'idb']

/** The allowed imports of each module; all others are forbidden. */
const boundaries: Record<string, Boundary> = {
  'src/schemas': { ours: ['src/schemas'], packages: ['zod'] },
  'src/texts': { ours: ['src/texts'], packages: ['@lingui/core', '@lingui/message-utils'] },
  'src/domain': { ours: ['src/domain', 'src/schemas', 'src/texts'], packages: ['zod'] },
  'src/machines': { ours: ['src/machines', 'src/domain', 'src/schemas', 'src/texts'], packages: ['xstate'] },
  'src/services': {
    ours: ['src/services', 'src/domain', 'src/schemas'],
    packages: ['zod', 'idb', '@supabase/supabase-js'],
  },
  'src/views': {
    ours: ['src/views', 'src/machines', 'src/domain', 'src/schemas', 'src/texts'],
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
      'uqr',
    ],
  },
  'src/recorder': { ours: ['src/recorder'], packages: ['xstate', 'zod'] },
  'src/dev': {
    ours: [
      'src/dev',
      'src/recorder',
      'src/views',
      'src/machines',
      'src/services',
      'src/domain',
      'src/schemas',
      'src/dialog-registry.ts',
    ],
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
      'src/services-port.ts',
      'src/compose-app.ts',
      'src/compose-session.ts',
      'src/dialog-registry.ts',
      'src/save-report.ts',
    ],
    packages: ['react', 'react-dom', 'react-router', 'xstate', '@xstate/react', 'zod'],
  },
  'src/save-report.ts': {
    ours: ['src/recorder', 'src/services', 'src/domain', 'src/dialog-registry.ts'],
    packages: [],
  },
  'src/service-worker': { ours: ['src/service-worker', 'src/schemas'], packages: [] },
  'src/services-port.ts': { ours: ['src/services', 'src/domain'], packages: [] },
  'src/session-services.ts': {
    ours: ['src/services-port.ts', 'src/services-on-demand.ts', 'src/services', 'src/domain'],
    packages: [],
  },
  'src/services-on-demand.ts': { ours: ['src/services-port.ts', 'src/services'], packages: [] },
  'src/compose-app.ts': {
    ours: ['src/services-port.ts', 'src/machines', 'src/compose-session.ts', 'src/sign-in-steps.ts'],
    packages: ['xstate'],
  },
  'src/compose-session.ts': {
    ours: [
      'src/services-port.ts',
      'src/session-services.ts',
      'src/machines',
      'src/dialog-registry.ts',
      'src/part-registry.ts',
    ],
    packages: ['xstate'],
  },
  'src/part-registry.ts': {
    ours: [
      'src/services-port.ts',
      'src/machines',
      'src/compose-answers.ts',
      'src/compose-attached-files.ts',
      'src/compose-colleagues.ts',
      'src/compose-reply-help.ts',
      'src/compose-state-changes.ts',
      'src/compose-picture-renewal.ts',
      'src/compose-summary-check.ts',
      'src/compose-client-suggestions.ts',
      'src/compose-messages-around.ts',
      'src/compose-message-prefetch.ts',
      'src/compose-gone-conversations.ts',
      'src/compose-notifications.ts',
    ],
    packages: ['xstate'],
  },
  'src/compose-client-suggestions.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/compose-gone-conversations.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/compose-message-prefetch.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/compose-messages-around.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/compose-colleagues.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/compose-answers.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/compose-attached-files.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/compose-reply-help.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/compose-state-changes.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/compose-picture-renewal.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/compose-summary-check.ts': {
    ours: ['src/services-port.ts', 'src/machines', 'src/domain'],
    packages: ['xstate'],
  },
  'src/compose-notifications.ts': { ours: ['src/services-port.ts', 'src/machines'], packages: ['xstate'] },
  'src/sign-in-steps.ts': { ours: ['src/services-port.ts', 'src/machines', 'src/views'], packages: ['xstate'] },
  'src/dialog-registry.ts': {
    ours: ['src/dialogs', 'src/machines', 'src/services-port.ts'],
    packages: [],
  },
  'src/dialogs': {
    ours: [
      'src/dialogs',
      'src/services-port.ts',
      'src/machines',
      'src/views',
      'src/texts',
      'src/compose-attached-files.ts',
    ],
    packages: ['xstate'],
  },
  server: { ours: ['server', 'src/domain', 'src/schemas'], packages: 'any dependency' },
}

/** Only services, views and main may use these. */
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
/** The folders of every layer. */
const subjects = ['session', 'list', 'thread', 'send', 'client', 'pages', 'sync', 'faq', 'reports', 'comments', 'shell']
const layers = ['domain', 'machines', 'services', 'views']
const pureModules = ['src/schemas', 'src/texts', 'src/domain', 'src/machines']

const dependencies = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }).dependencies,
)
const files = globSync(['src/**/*.{ts,tsx}', 'server/**/*.ts']).map((file) => file.split(sep).join('/'))

/** The imports of project files by each file, including types and dynamic imports. */
const ownImports = new Map(files.map((file) => [file, ownImportsOf(file)]))

describe('Module boundaries', () => {
  test('every source file belongs to a listed module', () => {
    expect(files.filter((file) => moduleOf(file) === undefined)).toEqual([])
    expect(files.length).toBeGreaterThan(0)
  })

  test('every import is allowed for its module', () => {
    expect(files.flatMap((file) => importsOf(file).flatMap((request) => refusal(file, request)))).toEqual([])
  })

  test('every layer of the client has a folder for each subject', () => {
    const folders = layers.flatMap((layer) => {
      const inLayer = files.filter((file) => file.startsWith(`src/${layer}/`)).map((file) => file.split('/'))
      return inLayer.flatMap((parts) => (parts.length > 3 ? [`${layer}/${parts.slice(2, -1).join('/')}`] : []))
    })
    const expected = [
      ...layers.flatMap((layer) => subjects.map((subject) => `${layer}/${subject}`)),
      'views/components',
    ]
    expect([...new Set(folders)].sort()).toEqual(expected.sort())
  })

  test('no import cycle exists between files', () => {
    expect(ownImports.size).toBeGreaterThan(300)
    expect(cyclesOf(ownImports)).toEqual([])
  })

  test('no import cycle exists between subject folders', () => {
    const imports = groupedBy(subjectFolderOf, ownImports)
    expect([...imports.keys()]).toEqual(expect.arrayContaining(['src/machines/send', 'server/network/send']))
    expect(cyclesOf(imports)).toEqual([])
  })

  test('no import cycle exists between folders of the server', () => {
    const server = new Map([...ownImports].filter(([file]) => file.startsWith('server/')))
    expect(cyclesOf(groupedBy((file) => file.split('/').slice(0, 2).join('/'), server))).toEqual([])
  })

  test('only the API, exports and retention import notes, so that no message can contain one', () => {
    const importers = [...ownImports].flatMap(([file, imported]) =>
      !file.startsWith('server/notes/') && imported.some((path) => path.startsWith('server/notes/')) ? [file] : [],
    )
    expect(importers.sort()).toEqual([
      'server/api/notes.ts',
      'server/exports/sources.ts',
      'server/people/export.ts',
      'server/people/retention.ts',
    ])
    const named = files.filter(
      (file) =>
        file.startsWith('server/') &&
        /\bnotes\b.*\b(from|into|update|join)\b|\b(from|into|update|join) notes\b/i.test(readFileSync(file, 'utf8')),
    )
    expect(
      named.filter(
        (file) => !file.startsWith('server/notes/') && file !== 'server/api/api.ts' && !importers.includes(file),
      ),
    ).toEqual([])
    const outbox = ['src/machines/send', 'src/services/send', 'src/domain/send']
    const schemas = [...ownImports].filter(([file]) => outbox.some((folder) => file.startsWith(folder)))
    expect(schemas.filter(([, imported]) => imported.includes('src/schemas/note.ts')).map(([file]) => file)).toEqual([])
  })

  test('schemas, texts, domain and machines use no browser globals', () => {
    const pure = files.filter((file) => pureModules.includes(moduleOf(file) ?? ''))
    expect(pure.flatMap((file) => globalsOf(file).map((name) => `${file} uses ${name}`))).toEqual([])
  })

  test('the checks reject forbidden imports, cycles and globals', () => {
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
    expect(
      cyclesOf(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', ['b']],
        ]),
      ),
    ).toEqual(['b → c → b'])
    expect(importsIn('a.ts', "import type { B } from './b.ts'\ntype C = import('./c.ts').C\nimport('./d.ts')")).toEqual(
      ['./b.ts', './d.ts', './c.ts'],
    )
    expect(globalsIn('a.ts', 'const a = { fetch: 1 }; a.fetch; window.open(); type T = { document: string }')).toEqual([
      'window',
    ])
  })
})

function moduleOf(path: string): string | undefined {
  return Object.keys(boundaries).find((module) => path === module || path.startsWith(`${module}/`))
}

function refusal(file: string, request: string): string[] {
  const boundary = boundaries[moduleOf(file) ?? '']
  if (boundary === undefined) return []
  const violation = [`${file} may not import ${request}`]
  if (request.startsWith('.')) {
    const target = moduleOf(inProject(file, request))
    return target !== undefined && boundary.ours.includes(target) ? [] : violation
  }
  const name = packageOf(request)
  if (name.startsWith('node:') || builtinModules.includes(name))
    return boundary === boundaries['server'] ? [] : violation
  const allowed =
    boundary.packages === 'any dependency'
      ? dependencies.includes(name) && !clientPackages.includes(name)
      : boundary.packages.includes(name)
  return allowed ? [] : violation
}

/**
 * The subject folder of a file: a folder of a layer, of the server, or of one of the server's folders. A file at the top of
 * these is a folder of its own, because roots of a layer and files that all subjects share are both at the top.
 */
function subjectFolderOf(file: string): string {
  const depth = /^server\/(network|stand-ins)\//.test(file) || file.startsWith('src/') ? 3 : 2
  return file.split('/').slice(0, depth).join('/')
}

function groupedBy(
  groupOf: (file: string) => string,
  imports: ReadonlyMap<string, readonly string[]>,
): Map<string, string[]> {
  const grouped = new Map<string, string[]>()
  for (const [file, targets] of imports) {
    const group = groupOf(file)
    const others = targets.map(groupOf).filter((target) => target !== group)
    grouped.set(group, [...new Set([...(grouped.get(group) ?? []), ...others])])
  }
  return grouped
}

/** The import cycles, as `a → b → a`. */
function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]) => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '))
    if (path.includes(node) || done.has(node)) return
    for (const target of imports.get(node) ?? []) visit(target, [...path, node])
    done.add(node)
  }
  for (const node of imports.keys()) visit(node, [])
  return cycles
}

function ownImportsOf(file: string): string[] {
  const own = importsOf(file).filter((request) => request.startsWith('.'))
  return own.map((request) => inProject(file, request))
}

function inProject(file: string, request: string): string {
  return normalize(join(dirname(file), request))
    .split(sep)
    .join('/')
}

function packageOf(request: string): string {
  return request
    .split('/')
    .slice(0, request.startsWith('@') ? 2 : 1)
    .join('/')
}

function importsOf(file: string): string[] {
  return importsIn(file, readFileSync(file, 'utf8'))
}

function importsIn(file: string, source: string): string[] {
  const { module, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} could not be parsed`)
  const literal = ({ start, end }: { start: number; end: number }) => source.slice(start + 1, end - 1)
  return [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...module.dynamicImports.map((entry) => literal(entry.moduleRequest)),
    ...Array.from(source.matchAll(/\bimport\(\s*'([^']+)'\s*\)\./g), (match) => match[1] ?? ''),
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
