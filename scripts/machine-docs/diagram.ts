import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

/** A Mermaid state diagram of a machine. Its actions, guards and delays must be named. */
export function diagramOf(machine: AnyStateMachine): string {
  const arrows = allNodes(machine.root).flatMap(arrowsFrom)
  return ['stateDiagram-v2', ...bodyOf(machine.root, arrows).map((line) => `  ${line}`)].join('\n')
}

/** `within`: the state in whose body the arrow is drawn; Mermaid puts both ends there. */
type Arrow = { within: AnyStateNode | undefined; line: string }

const isComposite = (node: AnyStateNode) => node.type === 'compound' || node.type === 'parallel'
const allNodes = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(allNodes)]

function bodyOf(node: AnyStateNode, arrows: readonly Arrow[]): string[] {
  const children = Object.values(node.states).map((child) => stateOf(child, arrows))
  const [first] = node.initial?.target ?? []
  return [
    ...(first && node.type === 'compound' ? [`[*] --> ${idOf(first)}`] : []),
    ...children.flat(),
    ...anywhereState(node),
    ...arrows.filter(({ within }) => within === node).map(({ line }) => line),
  ]
}

function stateOf(node: AnyStateNode, arrows: readonly Arrow[]): string[] {
  const region = node.parent?.type === 'parallel' ? ' (in parallel)' : ''
  const heading = `state "${node.key}${region}" as ${idOf(node)}`
  if (!isComposite(node)) return [heading, ...descriptionOf(node).map((line) => `${idOf(node)} : ${line}`)]
  return [`${heading} {`, ...bodyOf(node, arrows).map((line) => `  ${line}`), '}']
}

/** Mermaid cannot draw an arrow from a composite to a child, so an extra state stands for "whichever child is active". */
function anywhereState(node: AnyStateNode): string[] {
  const lines = descriptionOf(node)
  return lines.length > 0 || transitionsOf(node).length > 0
    ? [
        `state "anywhere in ${node.key}" as ${anywhereIn(node)}`,
        ...lines.map((line) => `${anywhereIn(node)} : ${line}`),
      ]
    : []
}

/** A state's invoked actors and its transitions without a target. */
const descriptionOf = (node: AnyStateNode): string[] => [
  ...node.invoke.map(({ src }) => `runs ${nameOf(src)}`),
  ...transitionsOf(node)
    .filter(({ target }) => target === undefined)
    .map(labelOf),
]

function arrowsFrom(node: AnyStateNode): Arrow[] {
  const ends: Arrow[] = node.type === 'final' ? [{ within: node.parent, line: `${idOf(node)} --> [*]` }] : []
  const leaving = transitionsOf(node).flatMap((transition) =>
    (transition.target ?? []).map((target): Arrow => {
      const from = isComposite(node) ? anywhereIn(node) : idOf(node)
      const within = isComposite(node) && isIn(node, target) ? node : commonParent(node, target)
      return { within, line: `${from} --> ${idOf(startOf(target))} : ${labelOf(transition)}` }
    }),
  )
  return [...ends, ...leaving]
}

/** The initial leaf of a composite: Mermaid cannot draw an arrow from inside a composite to the composite itself. */
const startOf = (node: AnyStateNode): AnyStateNode => {
  const [first] = node.initial?.target ?? []
  return first && node.type === 'compound' ? startOf(first) : node
}

const isIn = (outer: AnyStateNode, node: AnyStateNode): boolean =>
  node === outer || (node.parent !== undefined && isIn(outer, node.parent))

function commonParent(from: AnyStateNode, to: AnyStateNode): AnyStateNode | undefined {
  const { parent } = from
  return parent === undefined || (parent !== to && isIn(parent, to)) ? parent : commonParent(parent, to)
}

const transitionsOf = (node: AnyStateNode): AnyTransitionDefinition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
]

function labelOf({ eventType, guard, actions }: AnyTransitionDefinition): string {
  const condition = guard ? ` [${nameOf(guard)}]` : ''
  const consequences = actions.length > 0 ? ` / ${actions.map(nameOf).join(', ')}` : ''
  return `${eventOf(eventType)}${condition}${consequences}`
}

/** `xstate.done.actor.load` → `load done`; `xstate.after.retryDelay.list.failed` → `after retryDelay`. */
function eventOf(type: string): string {
  if (type === '') return 'always'
  const [prefix, kind, ...rest] = type.split('.')
  if (prefix !== 'xstate') return type === '*' ? 'any event' : type
  if (kind === 'after') return `after ${rest[0]}`
  const [, ...names] = rest
  return kind === 'done' ? `${names.join('.')} done` : `${names.join('.')} ${kind === 'error' ? 'failed' : kind}`
}

/** The name of an action, guard or actor in `setup`; `not`, `and` and `or` with their operands. */
function nameOf(item: unknown): string {
  if (typeof item === 'string') return item
  if (typeof item === 'function') {
    const joined = 'guards' in item && Array.isArray(item.guards) ? item.guards.map(nameOf).join(', ') : ''
    return joined === '' ? item.name || 'inline' : `${item.name}(${joined})`
  }
  return typeof item === 'object' && item !== null && 'type' in item ? String(item.type) : 'inline'
}

const idOf = (node: AnyStateNode) => node.id.replace(/[^A-Za-z0-9]/g, '_')
const anywhereIn = (node: AnyStateNode) => `${idOf(node)}__anywhere`
