import type { Ignorer } from '@stryker-mutator/api/ignore'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** As much of Babel's path as is asked for here. */
type Path = {
  isFunction(): boolean
  isObjectProperty(): boolean
  node: { key?: { name?: string } }
  toString(): string
}

/** Passes over the `types` that a machine is set up with, and over what only stands there until it is provided. */
const ignorer: Ignorer = {
  shouldIgnore(path: Path) {
    if (path.isObjectProperty() && path.node.key?.name === 'types') return 'Types do nothing when it runs.'
    if (path.isFunction() && path.toString().includes('must be provided')) return 'A placeholder is never called.'
    return undefined
  },
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'types', ignorer)]
