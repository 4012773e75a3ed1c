import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { type DeliberateFault, deliberateFaults } from './deliberate-faults.ts'

const project = new URL('../../', import.meta.url).href
const dependencies = new URL('node_modules/', project).href
const editsOf = (fault: DeliberateFault) => ('file' in fault ? [fault] : fault)
const faults = new Map(Object.entries(deliberateFaults).map(([name, fault]) => [name, editsOf(fault)]))
/** The files with a fault that were loaded, by the name of the fault. */
const loaded = new Map<string, Set<string>>()

/**
 * Prepares this process for the simulation, whose modules are loaded afterwards. The query `?fault=NAME` of a module passes
 * on to all modules of the project that it imports, so each fault has its own copies of the modules. The file of the fault
 * is loaded with the fault. So one process can run the product with one fault after another.
 */
export function registerLoader(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context)
      const query = faultQuery(context.parentURL)
      const isOwn = resolved.url.startsWith(project) && !resolved.url.startsWith(dependencies)
      if (query === '' || !isOwn || resolved.url.includes('?')) return resolved
      return { ...resolved, url: `${resolved.url}${query}` }
    },
    load: (url, context, next) => {
      const { pathname, searchParams } = new URL(url)
      // The simulation shows no views, and Node cannot load JSX. A dialog still imports its view.
      if (pathname.endsWith('.tsx'))
        return { format: 'module', source: 'export default () => null', shortCircuit: true }
      const name = searchParams.get('fault') ?? ''
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
  const { simulate } = await import(`./simulation.ts?fault=${encodeURIComponent(invariant)}`)
  for (const { file } of fault) if (!loaded.get(invariant)?.has(file)) throw new Error(`${file} was not loaded`)
  return simulate
}

const faultQuery = (url = ''): string => /\?fault=.*$/.exec(url)?.[0] ?? ''
