import { type AnyStateMachine, StateMachine } from 'xstate'

/**
 * The machine as code that the Stately editor imports: `setup` with a stub for each actor, guard, action and delay, and
 * the configuration with its states and transitions. Guards keep their operands; sent and raised events are
 * named by their type. Code of the product (context, inputs, assignments) is left out.
 */
export function codeOf(machine: AnyStateMachine, source: string): string {
  const { actors, guards, actions, delays } = machine.implementations
  const stubs = {
    actors: mapped(
      actors,
      (logic) => new Code(logic instanceof StateMachine ? 'createMachine({})' : 'fromPromise(async () => {})'),
    ),
    guards: mapped(guards, (guard) => builtInGuard(guard) ?? new Code('() => true')),
    actions: mapped(actions, (action) => builtInAction(action) ?? new Code('() => {}')),
    delays: mapped(delays, (delay) => (typeof delay === 'number' ? delay : new Code('() => 1000'))),
  }
  const notes = spawnNotes(actions)
  const config = {
    ...(notes.length > 0 && { description: notes.join('\n') }),
    ...Object(configuration(machine.config)),
  }
  const body = `setup(${printed(stubs, '')}).createMachine(${printed(config, '')})`
  const used = names.filter((name) => new RegExp(`(?<![.\\w])${name}\\(`).test(body))
  return `// Written by \`npm run docs\` from ${source}.
import { ${used.join(', ')} } from 'xstate'

export const machine = ${body}
`
}

/** The allowed imports of the files. */
const names = [
  'and',
  'assign',
  'createMachine',
  'emit',
  'enqueueActions',
  'fromPromise',
  'not',
  'or',
  'raise',
  'sendParent',
  'sendTo',
  'setup',
  'stateIn',
  'stopChild',
]

/** Printed unchanged. */
class Code {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields =>
  (typeof value === 'object' && value !== null) || typeof value === 'function' ? (value as Fields) : {}
const mapped = (record: unknown, to: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(fieldsOf(record)).map(([name, value]) => [name, to(value)]))

/** The keys whose values are code of the product. */
const leftOut = new Set(['context', 'input', 'output', 'types', 'meta'])

/** The configuration without code. */
function configuration(value: unknown, key = ''): unknown {
  if (key === 'guard') return builtInGuard(value) ?? reference(value)
  if (key === 'actions' || key === 'entry' || key === 'exit')
    return Array.isArray(value) ? value.map(action) : action(value)
  if (Array.isArray(value)) return value.map((item) => configuration(item))
  if (typeof value !== 'object' || value === null) return value
  const isNames = key === 'states' || key === 'on' || key === 'after'
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNames || !leftOut.has(name))
      .map(([name, inner]) => [name, configuration(inner, isNames ? '' : name)]),
  )
}

const action = (value: unknown) => builtInAction(value) ?? reference(value)

/** The name of a guard or an action, with its parameters that are not code. */
function reference(value: unknown): unknown {
  if (typeof value === 'function') return new Code(`function ${value.name || 'inline'}() {}`)
  if (typeof value !== 'object' || value === null) return value
  const { type, params } = fieldsOf(value)
  if (typeof params !== 'function') return params === undefined ? { type } : { type, params }
  const [event] = eventTypesIn(params)
  return event === undefined ? { type } : { type, params: { type: event } }
}

function builtInGuard(value: unknown): Code | null {
  if (typeof value !== 'function') return null
  const { guards, stateValue } = fieldsOf(value)
  if (value.name === 'stateIn') return new Code(`stateIn(${JSON.stringify(stateValue)})`)
  if (!Array.isArray(guards)) return null
  const operands = guards.map((guard) => printed(builtInGuard(guard) ?? reference(guard), ''))
  return new Code(value.name === 'not' ? `not(${operands[0]})` : `${value.name}([${operands.join(', ')}])`)
}

function builtInAction(value: unknown): Code | null {
  if (typeof value !== 'function') return null
  const { type, event, to, delay, actorRef, collect } = fieldsOf(value)
  const options = delay === undefined ? '' : `, ${printed({ delay }, '')}`
  const sent = `${eventOf(event)}${options}`
  if (type === 'xstate.assign') return new Code('assign({})')
  if (type === 'xstate.raise') return new Code(`raise(${sent})`)
  if (type === 'xstate.emit') return new Code(`emit(${eventOf(event)})`)
  if (type === 'xstate.sendTo')
    return new Code(typeof to === 'string' ? `sendTo(${JSON.stringify(to)}, ${sent})` : `sendParent(${sent})`)
  if (type === 'xstate.stopChild')
    return new Code(`stopChild(${typeof actorRef === 'string' ? JSON.stringify(actorRef) : '() => "the child"'})`)
  if (type === 'xstate.enqueueActions') {
    const raised = eventTypesIn(collect).map((name) => `enqueue.raise({ type: ${JSON.stringify(name)} })`)
    return new Code(
      raised.length === 0 ? 'enqueueActions(() => {})' : `enqueueActions(({ enqueue }) => { ${raised.join('; ')} })`,
    )
  }
  return null
}

/** The sent event; the type of a computed event is read from its code. */
const eventOf = (event: unknown): string => {
  const type = typeof event === 'function' ? eventTypesIn(event).join(' | ') : fieldsOf(event)['type']
  return `{ type: ${JSON.stringify(type || 'an event')} }`
}

/** The event types in the source of a function: strings with a dot. */
function eventTypesIn(code: unknown): string[] {
  const types = [...String(code).matchAll(/\btype:\s*([^,}]*)/g)].flatMap(([, value]) =>
    [...(value ?? '').matchAll(/['"](\w+(?:\.\w+)+)['"]/g)].map(([, name]) => name ?? ''),
  )
  return [...new Set(types)]
}

/** Children that an action starts: they are not part of the configuration. */
const spawnNotes = (actions: unknown): string[] =>
  Object.entries(fieldsOf(actions)).flatMap(([name, value]) => {
    const assignment = fieldsOf(value)['assignment']
    const parts = typeof assignment === 'object' ? Object.values(fieldsOf(assignment)) : [assignment]
    return parts.flatMap((code) => {
      const spawned = /\bspawn\b[\s)]*\(\s*(?:['"](\w+)['"]|\w+\s*,\s*\{\s*id:\s*['"](\w+)['"])/.exec(String(code))
      return spawned === null ? [] : [`The action "${name}" starts the child ${spawned[1] ?? spawned[2]}.`]
    })
  })

function printed(value: unknown, indent: string): string {
  if (value instanceof Code) return value.text
  const deeper = `${indent}  `
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((item) => `${deeper}${printed(item, deeper)},\n`).join('')}${indent}]`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  if (entries.length === 0) return '{}'
  const lines = entries.map(([key, inner]) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)
    return `${deeper}${name}: ${printed(inner, deeper)},\n`
  })
  return `{\n${lines.join('')}${indent}}`
}
