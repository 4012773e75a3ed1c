import type { Ignorer } from '@stryker-mutator/api/ignore'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** As much of Babel's path as is asked for here. */
type Path = {
  isFunction(): boolean
  isObjectProperty(): boolean
  isRegExpLiteral(): boolean
  node: { key?: { name?: string }; flags?: string }
  toString(): string
}

/**
 * Passes over the `types` that a machine is set up with, over what only stands there until it is provided, and over
 * expressions with the flag v, of whose properties some have no opposite: such a break keeps the module from loading.
 */
const ignorer: Ignorer = {
  shouldIgnore(path: Path) {
    if (path.isObjectProperty() && path.node.key?.name === 'types') return 'Types do nothing when it runs.'
    if (path.isFunction() && path.toString().includes('must be provided')) return 'A placeholder is never called.'
    if (path.isRegExpLiteral() && path.node.flags?.includes('v')) return 'Its breaks may not compile.'
    return undefined
  },
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'unbroken', ignorer)]
