import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { type DeliberateFault, deliberateFaults } from './deliberate-faults.ts'

const project = new URL('../../', import.meta.url).href
const entry = new URL('simulation.ts', import.meta.url).href
const editsOf = (fault: DeliberateFault) => ('file' in fault ? [fault] : fault)
const faults = new Map(Object.entries(deliberateFaults).map(([name, fault]) => [name, editsOf(fault)]))
/** The modules that a fault needs copies of, by its name. */
const copied = new Map<string, Set<string>>()
/** The files with a fault that were loaded, by the name of the fault. */
const loaded = new Map<string, Set<string>>()

/**
 * Prepares this process for the simulation, whose modules are loaded afterwards. A module has a copy for a fault if it is
 * the file of the fault, or imports that file directly or through others. The query `?fault=NAME` passes on to these
 * modules; all faults share the others. So one process can run the product with one fault after another.
 */
export function registerLoader(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context)
      const name = faultOf(context.parentURL)
      return copied.get(name)?.has(resolved.url) ? { ...resolved, url: urlWithFault(resolved.url, name) } : resolved
    },
    load: (url, context, next) => {
      const { pathname } = new URL(url)
      // The simulation shows no views, and Node cannot load JSX. A dialog still imports its view.
      if (pathname.endsWith('.tsx'))
        return { format: 'module', source: 'export default () => null', shortCircuit: true }
      const name = faultOf(url)
      const fault = faults.get(name)?.find(({ file }) => pathname.endsWith(`/${file}`))
      if (fault === undefined) return next(url, context)
      const source = readFileSync(new URL(url), 'utf8')
      if (!source.includes(fault.find)) throw new Error(`the deliberate fault does not fit ${fault.file}`)
      loaded.set(name, (loaded.get(name) ?? new Set()).add(fault.file))
      const typescript = source.replace(fault.find, () => fault.replace)
      return { format: 'module', source: stripTypeScriptTypes(typescript), shortCircuit: true }
    },
  })
}

/** The function that simulates the product with the deliberate fault for an invariant, or without a fault. */
export async function simulationWith(invariant?: string): Promise<typeof import('./simulation.ts').simulate> {
  if (invariant === undefined) return (await import('./simulation.ts')).simulate
  const fault = faults.get(invariant)
  if (fault === undefined) throw new Error(`there is no invariant "${invariant}"`)
  copied.set(invariant, withImporters(fault.map(({ file }) => new URL(file, project).href)))
  const { simulate } = await import(urlWithFault(entry, invariant))
  for (const { file } of fault) if (!loaded.get(invariant)?.has(file)) throw new Error(`${file} was not loaded`)
  return simulate
}

const urlWithFault = (url: string, name: string) => `${url}?fault=${encodeURIComponent(name)}`
const faultOf = (url = ''): string => new URL(url, project).searchParams.get('fault') ?? ''

/**
 * The specifiers of the project's own modules in a source, also those of types. Not those by template in `client.ts`: a
 * module that is imported there must also have an importer that names it.
 */
const specifiers = /(?:from|import) ?\(?\s*'(\.[^']+\.ts)'/g

let importers: Map<string, string[]> | undefined

/** The modules that import a module, of all that the simulation loads. URLs. */
function readImporters(): Map<string, string[]> {
  const read = new Map<string, string[]>()
  const seen = new Set([entry])
  for (const module of seen) {
    for (const [, specifier = ''] of readFileSync(new URL(module), 'utf8').matchAll(specifiers)) {
      const imported = new URL(specifier, module).href
      read.set(imported, [...(read.get(imported) ?? []), module])
      seen.add(imported)
    }
  }
  return read
}

/** These modules and all that import them, directly or through others. URLs. */
function withImporters(modules: readonly string[]): Set<string> {
  importers ??= readImporters()
  const found = new Set(modules)
  for (const module of found) for (const importer of importers.get(module) ?? []) found.add(importer)
  return found
}
