/** The part of a machine's configuration that can be mutated. */
type Statechart = {
  states?: Record<string, Statechart> | undefined
  on?: Record<string, unknown> | undefined
  after?: Record<string, unknown> | undefined
  [field: string]: unknown
}
type Transition = Record<string, unknown> & { target?: string }

/** A mutation of a statechart: its description, and a function that applies it in place. */
type Mutation = { what: string; apply: () => void }

/** Describes each mutant that `mutate` can create. */
export const mutantsOf = (config: object): string[] => mutationsOf(copy(config)).map(({ what }) => what)

/** Returns a mutated copy; `index` is the position in `mutantsOf`. */
export function mutate<Config extends object>(config: Config, index: number): Config {
  const mutant = copy(config)
  mutationsOf(mutant)[index]?.apply()
  return mutant
}

/**
 * The mutations that Stryker does not make, because statecharts use names: retarget a transition to a sibling state, remove
 * a guard, remove a named action.
 */
function mutationsOf(config: object): Mutation[] {
  const root: Statechart = Object(config)
  const found: Mutation[] = []
  visit(root, [])
  return found

  function visit(state: Statechart, path: readonly string[]): void {
    const place = path.join('.') || 'anywhere'
    const { on = {}, after = {}, states = {} } = state
    for (const trigger of Object.keys(on)) mutateTransitions(on, trigger, path, `${place} -- ${trigger}`)
    for (const delay of Object.keys(after)) mutateTransitions(after, delay, path, `${place} -- after ${delay}`)
    for (const field of ['always', 'onDone']) mutateTransitions(state, field, path, `${place} -- ${field}`)
    for (const actor of recordsIn(state['invoke']))
      for (const field of ['onDone', 'onError'])
        mutateTransitions(actor, field, path, `${place} -- ${field} of ${String(actor['src'])}`)
    for (const field of ['entry', 'exit']) dropActions(state, field, `${place} -- ${field}`)
    for (const [key, child] of Object.entries(states)) visit(child, [...path, key])
  }

  function mutateTransitions(owner: Record<string, unknown>, field: string, path: readonly string[], trigger: string) {
    if (owner[field] === undefined) return
    const transitions = [owner[field]]
      .flat()
      .map((one): Transition => (typeof one === 'string' ? { target: one } : Object(one)))
    owner[field] = transitions
    for (const [index, transition] of transitions.entries()) {
      const name = transitions.length > 1 ? `${trigger} #${index}` : trigger
      retarget(transition, path, name)
      if (transition['guard'] !== undefined)
        found.push({ what: `${name}: its guard is removed`, apply: () => Reflect.deleteProperty(transition, 'guard') })
      dropActions(transition, 'actions', name)
    }
  }

  function retarget(transition: Transition, path: readonly string[], name: string): void {
    const { target } = transition
    if (target === undefined) return
    const to = target.split('.')
    const key = to.pop() ?? ''
    const siblings = Object.keys(stateAt(root, path, to)?.states ?? {})
    const other = siblings[(siblings.indexOf(key) + 1) % siblings.length]
    if (!siblings.includes(key) || other === undefined || other === key) return
    const apply = () => {
      transition.target = [...to, other].join('.')
    }
    found.push({ what: `${name}: it leads to ${other} and not to ${target}`, apply })
  }

  function dropActions(owner: Record<string, unknown>, field: string, name: string): void {
    const actions = [owner[field] ?? []].flat()
    for (const action of actions.filter((one) => typeof one === 'string')) {
      const apply = () => {
        owner[field] = actions.filter((other) => other !== action)
      }
      found.push({ what: `${name}: '${action}' is not done`, apply })
    }
  }
}

/** Resolves a target written in the state at `path`: absolute, a child, or a sibling. */
function stateAt(root: Statechart, path: readonly string[], address: readonly string[]): Statechart | undefined {
  const [first = null, ...rest] = address
  const steps = first?.startsWith('#') ? rest : first === '' ? [...path, ...rest] : [...path.slice(0, -1), ...address]
  return steps.reduce<Statechart | undefined>((state, key) => state?.states?.[key], root)
}

const recordsIn = (value: unknown): Record<string, unknown>[] => [value ?? []].flat().map(Object)

/** Copies arrays and plain objects and shares the rest: machines share parts of their statecharts. */
function copy<Value>(value: Value): Value
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => copy(one))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]))
}
