import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

/**
 * The machine as a Mermaid state diagram, one line an item. Takes a machine made with named actions, guards and delays.
 */
export function diagramOf(machine: AnyStateMachine): string {
  const arrows = allNodes(machine.root).flatMap(arrowsFrom)
  return ['stateDiagram-v2', ...insideOf(machine.root, arrows).map((line) => `  ${line}`)].join('\n')
}

/** `within` is the state in whose body the arrow is to be drawn: Mermaid puts both ends there. */
type Arrow = { within: AnyStateNode | undefined; line: string }

const isComposite = (node: AnyStateNode) => node.type === 'compound' || node.type === 'parallel'
const allNodes = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(allNodes)]

function insideOf(node: AnyStateNode, arrows: readonly Arrow[]): string[] {
  const children = Object.values(node.states).map((child) => stateOf(child, arrows))
  const [first] = node.initial?.target ?? []
  return [
    ...(first && node.type === 'compound' ? [`[*] --> ${idOf(first)}`] : []),
    ...children.flat(),
    ...anywhereOf(node),
    ...arrows.filter(({ within }) => within === node).map(({ line }) => line),
  ]
}

function stateOf(node: AnyStateNode, arrows: readonly Arrow[]): string[] {
  const region = node.parent?.type === 'parallel' ? ' (in parallel)' : ''
  const heading = `state "${node.key}${region}" as ${idOf(node)}`
  if (!isComposite(node)) return [heading, ...said(node).map((line) => `${idOf(node)} : ${line}`)]
  return [`${heading} {`, ...insideOf(node, arrows).map((line) => `  ${line}`), '}']
}

/** In Mermaid no arrow leads from a composite to what is inside it: a state of its own stands for "whichever is active". */
function anywhereOf(node: AnyStateNode): string[] {
  const lines = said(node)
  return lines.length > 0 || transitionsOf(node).length > 0
    ? [
        `state "anywhere in ${node.key}" as ${anywhereIn(node)}`,
        ...lines.map((line) => `${anywhereIn(node)} : ${line}`),
      ]
    : []
}

/** What a state runs, and what it does without leaving. */
const said = (node: AnyStateNode): string[] => [
  ...node.invoke.map(({ src }) => `runs ${named(src)}`),
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

/** An arrow to a composite leads to where that starts: Mermaid draws none from inside to the composite itself. */
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
  const condition = guard ? ` [${named(guard)}]` : ''
  const consequences = actions.length > 0 ? ` / ${actions.map(named).join(', ')}` : ''
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

/** The name by which `setup` knows an action, a guard or an actor; `not`, `and` and `or` with what they join. */
function named(item: unknown): string {
  if (typeof item === 'string') return item
  if (typeof item === 'function') {
    const joined = 'guards' in item && Array.isArray(item.guards) ? item.guards.map(named).join(', ') : ''
    return joined === '' ? item.name || 'inline' : `${item.name}(${joined})`
  }
  return typeof item === 'object' && item !== null && 'type' in item ? String(item.type) : 'inline'
}

const idOf = (node: AnyStateNode) => node.id.replace(/[^A-Za-z0-9]/g, '_')
const anywhereIn = (node: AnyStateNode) => `${idOf(node)}__anywhere`
