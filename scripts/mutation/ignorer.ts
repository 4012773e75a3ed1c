import type { Ignorer } from '@stryker-mutator/api/ignore'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** The used part of Babel's path. */
type Path = {
  isFunction(): boolean
  isObjectProperty(): boolean
  isRegExpLiteral(): boolean
  node: { key?: { name?: string }; flags?: string }
  toString(): string
}

/**
 * Ignores the `types` of a machine's setup, placeholders that are always provided, and regular expressions with the flag
 * v, whose mutants may not compile.
 */
const ignorer: Ignorer = {
  shouldIgnore(path: Path) {
    if (path.isObjectProperty() && path.node.key?.name === 'types') return 'Types have no effect at run time.'
    if (path.isFunction() && path.toString().includes('must be provided')) return 'A placeholder is never called.'
    if (path.isRegExpLiteral() && path.node.flags?.includes('v')) return 'Its mutants may not compile.'
    return undefined
  },
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'unmutated', ignorer)]
