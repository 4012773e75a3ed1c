import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { createActor, SimulatedClock } from 'xstate'
import { memberNameIn, selectMemberName, selectMembers, teamMachine } from '../../../src/machines/list/team.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { TeamMember } from '../../../src/schemas/conversation-state.ts'
import { createControl, createCoverage, createToastLog, driverOf, inspectAll, modelOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'

const coverage = createCoverage(teamMachine)
const user: AuthUser = { id: 's1', email: 'ana@example.com', role: 'agent', permissions: [] }
const withStates: AuthUser = { ...user, features: ['conversation-states'] }
const ana: TeamMember = { id: 's1', name: 'Ana', is_active: true }
const ben: TeamMember = { id: 's2', name: 'Ben', is_active: false }

function start(person = withStates) {
  const load = createControl<readonly TeamMember[]>()
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const actor = createActor(teamMachine.provide({ actors: { loadTeam: load.logic } }), {
    systemId: 'team',
    clock,
    input: { user: person },
    inspect: inspectAll(coverage.inspect, toastLog.inspect),
  }).start()
  return { actor, clock, load, toasts: toastLog.toasts }
}

type State = { calls: number; members: readonly TeamMember[]; isAsking: boolean; isWaiting: boolean }
/** Written by hand: a fetch begins with the session, after a temporary failure, and when a person asks. */
const asking = (state: State): State =>
  state.isAsking ? state : { ...state, calls: state.calls + 1, isAsking: true, isWaiting: false }
const reference: Reference<State> = {
  start: { calls: 1, members: [], isAsking: true, isWaiting: false },
  accepts: ({ isAsking, isWaiting }) => [
    'user.confirmed',
    ...when(!isAsking, 'refetch.requested'),
    ...when(isAsking, ...ends('loadTeam')),
    ...when(isWaiting, 'xstate.after.retryDelay.team.failed.waiting'),
  ],
  rules: {
    'refetch.requested': asking,
    'xstate.done.actor.loadTeam': (_, { output }) => ({ members: output, isAsking: false }),
    'xstate.error.actor.loadTeam': (_, { error }) => ({ isAsking: false, isWaiting: error === faults.noAnswer }),
    'xstate.after.retryDelay.team.failed.waiting': asking,
  },
  shown: ({ calls, members }) => ({ calls, members }),
}

describe('The team', () => {
  const paths = modelOf(teamMachine, {
    input: { user: withStates },
    vertex: ({ context: { members, failures } }) => [members.length, Math.min(failures, 2)],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'user.confirmed': [{ user: withStates }],
      'refetch.requested': [{}],
      'xstate.done.actor.loadTeam': ({ context }) => [{ output: context.members.length === 0 ? [ana] : [ana, ben] }],
      'xstate.error.actor.loadTeam': [{ error: faults.noAnswer }, { error: faults.refused }],
    },
  }).everyTransition()

  it(`is fetched as the reference says on ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const { actor, clock, load } = start()
      const drive = driverOf((event: never) => actor.send(event as AnyEventObject as never), {
        calls: { loadTeam: load },
        delays: { retryDelay: () => clock.increment(60_000) },
      })
      await followBeside(path, drive, reference, () => ({
        calls: load.calls.length,
        members: selectMembers(actor.getSnapshot()),
      }))
      actor.stop()
    }
  })

  it('is not fetched from an API that offers no states, until a confirmed user has them', () => {
    const { actor, load } = start(user)
    actor.send({ type: 'refetch.requested' })
    const before = load.calls.length
    actor.send({ type: 'user.confirmed', user: withStates })
    expect([before, load.calls.length]).toEqual([0, 1])
  })

  it('gives names by id', async () => {
    const { actor, load } = start()
    await load.resolve([ana, ben])
    expect(['s2', 's9', null].map((id) => selectMemberName(id)(actor.getSnapshot()))).toEqual(['Ben', null, null])
    expect([
      memberNameIn(actor.system, 's1'),
      memberNameIn(createActor(teamMachine, { input: { user } }).system, 's1'),
    ]).toEqual(['Ana', null])
  })

  it('reports a series of failures once', async () => {
    const { clock, load, toasts } = start()
    await load.reject(faults.noAnswer)
    clock.increment(60_000)
    await load.reject(faults.noAnswer)
    expect(toasts).toEqual([{ kind: 'error', text: 'Network error. Please check your connection.' }])
  })

  it('is tested in every state and transition', () =>
    expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
})
