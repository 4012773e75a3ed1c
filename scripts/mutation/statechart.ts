/** As much of a machine's configuration as can be broken here. */
type Statechart = {
  states?: Record<string, Statechart> | undefined
  on?: Record<string, unknown> | undefined
  after?: Record<string, unknown> | undefined
  [field: string]: unknown
}
type Transition = Record<string, unknown> & { target?: string }

/** One way to break a statechart: what is wrong then, and doing so to the statechart that was looked at. */
type Break = { what: string; apply: () => void }

/** What is wrong with each of the statecharts that `broken` makes of a machine's configuration. */
export const breaksOf = (config: object): string[] => waysToBreak(copied(config)).map(({ what }) => what)

/** A copy that is broken in one of the ways of `breaksOf`, counted from 0. */
export function broken<Config extends object>(config: Config, index: number): Config {
  const copy = copied(config)
  waysToBreak(copy)[index]?.apply()
  return copy
}

/**
 * What breaking expressions leaves out, for it stands there as a text: a transition leads to the state beside the one
 * it should lead to, its guard is gone, or an action is that is given by its name alone.
 */
function waysToBreak(config: object): Break[] {
  const root: Statechart = Object(config)
  const found: Break[] = []
  visit(root, [])
  return found

  function visit(state: Statechart, path: readonly string[]): void {
    const place = path.join('.') || 'anywhere'
    const { on = {}, after = {}, states = {} } = state
    for (const trigger of Object.keys(on)) breakTransitions(on, trigger, path, `${place} -- ${trigger}`)
    for (const delay of Object.keys(after)) breakTransitions(after, delay, path, `${place} -- after ${delay}`)
    for (const field of ['always', 'onDone']) breakTransitions(state, field, path, `${place} -- ${field}`)
    for (const actor of recordsIn(state['invoke']))
      for (const field of ['onDone', 'onError'])
        breakTransitions(actor, field, path, `${place} -- ${field} of ${String(actor['src'])}`)
    for (const field of ['entry', 'exit']) dropActions(state, field, `${place} -- ${field}`)
    for (const [key, child] of Object.entries(states)) visit(child, [...path, key])
  }

  function breakTransitions(owner: Record<string, unknown>, field: string, path: readonly string[], trigger: string) {
    if (owner[field] === undefined) return
    const transitions = [owner[field]]
      .flat()
      .map((one): Transition => (typeof one === 'string' ? { target: one } : Object(one)))
    owner[field] = transitions
    for (const [index, transition] of transitions.entries()) {
      const name = transitions.length > 1 ? `${trigger} #${index}` : trigger
      misdirect(transition, path, name)
      if (transition['guard'] !== undefined)
        found.push({ what: `${name}: its guard is gone`, apply: () => Reflect.deleteProperty(transition, 'guard') })
      dropActions(transition, 'actions', name)
    }
  }

  function misdirect(transition: Transition, path: readonly string[], name: string): void {
    const { target } = transition
    if (target === undefined) return
    const to = target.split('.')
    const key = to.pop() ?? ''
    const beside = Object.keys(stateAt(root, path, to)?.states ?? {})
    const other = beside[(beside.indexOf(key) + 1) % beside.length]
    if (!beside.includes(key) || other === undefined || other === key) return
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

/** The state that an address names, as it is written in the state at `path`: from a root, from within, or beside it. */
function stateAt(root: Statechart, path: readonly string[], address: readonly string[]): Statechart | undefined {
  const [first = null, ...rest] = address
  const steps = first?.startsWith('#') ? rest : first === '' ? [...path, ...rest] : [...path.slice(0, -1), ...address]
  return steps.reduce<Statechart | undefined>((state, key) => state?.states?.[key], root)
}

const recordsIn = (value: unknown): Record<string, unknown>[] => [value ?? []].flat().map(Object)

/** Lists and plain objects are copied, all else is shared: machines share parts of their statecharts. */
function copied<Value>(value: Value): Value
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => copied(one))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copied(one)]))
}
