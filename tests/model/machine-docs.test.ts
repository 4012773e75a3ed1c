import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { getStateNodes } from '@xstate/graph'
import { describe, expect, test } from 'vitest'
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { allMachines, codeFile, docsFolder, machineDocs } from '../../scripts/machine-docs/machine-docs.ts'
import { projectRoot } from '../../scripts/project.ts'

const machines = await allMachines()

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields => Object(value)

/** The name of a guard or an action, with the operands or events of XState's built-in guards and actions. */
function said(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (typeof value !== 'function') return fieldsOf(value)['type']
  const { guards, stateValue, type, event, to, delay, actorRef } = fieldsOf(value)
  const sent = typeof event === 'function' ? 'made by code' : fieldsOf(event)['type']
  return {
    name: type ?? value.name,
    ...(Array.isArray(guards) && { operands: guards.map(said) }),
    ...(stateValue !== undefined && { stateValue }),
    ...(event !== undefined && { event: sent, delay }),
    // The product resolves the receiver at run time: it is the parent of the machine.
    ...(to !== undefined && { to: typeof to === 'function' ? '#_parent' : to }),
    ...(typeof actorRef === 'string' && { actorRef }),
  }
}

const transitionsOf = (node: AnyStateNode): AnyTransitionDefinition[] => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
]

const transition = ({ source, eventType, target, guard, actions, reenter }: AnyTransitionDefinition) => ({
  from: source.id,
  event: eventType,
  to: target?.map(({ id }) => id) ?? null,
  guard: guard === undefined ? null : said(guard),
  actions: actions.map(said),
  reenter,
})

/** The parts of a state that affect behaviour. Delays are part of the event names (`xstate.after.<delay>.<id>`). */
const stateOf = (node: AnyStateNode) => ({
  id: node.id,
  type: node.type,
  starts: node.initial?.target.map(({ id }) => id) ?? null,
  entry: node.entry.map(said),
  exit: node.exit.map(said),
  runs: node.invoke.map(({ id, src, systemId }) => ({ id, src, systemId })),
  tags: node.tags,
  transitions: transitionsOf(node).map(transition),
})

const statesOf = (machine: AnyStateMachine) => [...new Set([machine.root, ...getStateNodes(machine)])].map(stateOf)

/** The names in `setup`. The implementation of a guard or an action matters only if it is one of XState's own. */
function implementationsOf({ implementations }: AnyStateMachine) {
  const isKnown = (value: unknown) => {
    const { guards, stateValue, type } = fieldsOf(value)
    return guards !== undefined || stateValue !== undefined || type !== undefined
  }
  const entries = (part: unknown) =>
    Object.fromEntries(
      Object.entries(fieldsOf(part)).map(([name, value]) => [name, isKnown(value) ? said(value) : 'code']),
    )
  const { actors, guards, actions, delays } = implementations
  return {
    actors: Object.keys(fieldsOf(actors)),
    guards: entries(guards),
    actions: entries(actions),
    delays: Object.entries(fieldsOf(delays)).map(([name, delay]) => [name, typeof delay === 'number' ? delay : 'code']),
  }
}

/** The file contains only an example of an event that code creates, so the test does not compare that event. */
function withoutGuesses(written: unknown, product: unknown): unknown {
  if (Array.isArray(written) && Array.isArray(product))
    return written.map((item, at) => withoutGuesses(item, product[at]))
  if (typeof written !== 'object' || written === null) return written
  const beside = fieldsOf(product)
  return Object.fromEntries(
    Object.entries(written).map(([key, value]) => [
      key,
      key === 'event' && beside[key] === 'made by code' ? 'made by code' : withoutGuesses(value, beside[key]),
    ]),
  )
}

async function writtenMachine(name: string): Promise<AnyStateMachine> {
  const { machine } = await import(/* @vite-ignore */ join(projectRoot, codeFile(name)))
  return machine
}

describe('the documents of the machines', () => {
  test('match the machines (npm run docs writes them)', async () => {
    const written = globSync(`${docsFolder}/*`).map((file) => file.split(sep).join('/'))
    expect(Object.fromEntries(written.map((file) => [file, readFileSync(file, 'utf8')]))).toEqual(
      Object.fromEntries(await machineDocs()),
    )
  })

  test.each(machines)('contain code that creates the same machine: $name', async ({ name, machine }) => {
    const written = await writtenMachine(name)
    const product = [statesOf(machine), implementationsOf(machine)]
    expect(withoutGuesses([statesOf(written), implementationsOf(written)], product)).toEqual(product)
  })

  test('contain the operands of guards, the sent events, and the children that actions start', async () => {
    const form = readFileSync(codeFile('pageForm'), 'utf8')
    expect(form).toContain(
      'guard: and(["has a name", or(["keeps the stored token", stateIn({"open":{"verification":"valid"}})])])',
    )
    const flow = readFileSync(codeFile('sendFlow'), 'utf8')
    expect(flow).toContain('"report the progress": sendParent({ type: "flow.progressed" })')
    expect((await writtenMachine('outbox')).config.description).toContain(
      '"start the next send" starts the child sendFlow',
    )
    expect((await writtenMachine('dialog')).config.description).toContain('"start the dialog" starts the child opened')
  })
})
