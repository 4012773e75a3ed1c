import type { SnapshotFrom } from 'xstate'
import { SimulatedClock } from 'xstate'
import type { ListAnswer } from '../../../src/domain/list/list-calls.ts'
import { paletteMachine } from '../../../src/machines/shell/palette.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { faults } from '../client/clients-fixture.ts'
import { createControl, createToastLog, type Inspect, modelOf } from '../harness.ts'
import { startWithRecords } from '../records-fixture.ts'
import { ends, type Reference, when } from '../reference.ts'

const personOf = (id: string, name: string) =>
  conversationOf({ primary_user_id: id, fb_user_id: id, unified_name: name })

export const ana = personOf('u1', 'Ana Cruz')
export const anton = personOf('u2', 'Anton Reyes')

export const answerOf = (rows: ListAnswer['rows'], total = rows.length): ListAnswer => ({
  rows,
  hasNext: total > rows.length,
  total,
})

/** The palette beside the records. The test answers its searches. */
export function startPalette(alsoInspect: Inspect = () => {}) {
  const find = createControl<ListAnswer, { term: string }>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const told: unknown[] = []
  const { actor, records, row } = startWithRecords(paletteMachine.provide({ actors: { findPeople: find.logic } }), {
    input: undefined,
    clock,
    inspect: (event) => {
      alsoInspect(event)
      log.inspect(event)
      if (event.type !== '@xstate.event' || event.event.type !== 'command.chosen') return
      if ('id' in event.actorRef && event.actorRef.id !== 'sut') told.push(event.event)
    },
  })
  return {
    actor,
    clock,
    find,
    row,
    told,
    toasts: log.toasts,
    held: () => records.getSnapshot().context.held.dialog,
    state: () => actor.getSnapshot().value,
  }
}

export const paletteModel = () =>
  modelOf(paletteMachine, {
    input: undefined,
    vertex: ({ context: { term, found, total } }) => [term, found, total],
    cases: {
      'term.typed': [{ term: 'ana' }, { term: ' ' }, { term: 'ant' }],
      // Adds a letter to nothing, and takes it away again.
      'key.typed': ({ context: { term } }) =>
        term === '' ? [{ key: 'a' }] : term === 'a' ? [{ key: 'Backspace' }] : [],
      'refetch.requested': [{}],
      // Only what the palette shows can be chosen.
      'command.chosen': ({ context: { term } }) => (term.trim() === '' ? [{ id: 'faq' }] : []),
      'person.chosen': ({ value, context: { found } }) =>
        found.length > 0 && phaseOf({ value }) === 'found' ? [{}] : [],
      'dialog.dismissed': [{}],
      'xstate.done.actor.findPeople': ({ context: { term } }) => [
        { output: term === 'ana' ? answerOf([ana, anton], 30) : answerOf([anton]) },
      ],
      'xstate.error.actor.findPeople': [{ error: faults.noAnswer }],
    },
  })

export type PaletteShown = {
  phase: 'idle' | 'debouncing' | 'searching' | 'found' | 'failed' | 'closed'
  term: string
  found: readonly string[]
  further: number
  /** The number of failures shown. */
  failures: number
}

const none = { found: [], further: 0 } as const

/** What the palette has to do, by hand. */
export const paletteReference: Reference<PaletteShown> = {
  start: { phase: 'idle', term: '', ...none, failures: 0 },
  accepts: ({ phase }) =>
    phase === 'closed'
      ? []
      : [
          'term.typed',
          'key.typed',
          'command.chosen',
          'person.chosen',
          'dialog.dismissed',
          ...when(phase === 'failed', 'refetch.requested'),
          ...when(phase === 'debouncing', 'xstate.after.searchDebounce.palette.open.debouncing'),
          ...(phase === 'searching' ? ends('findPeople') : []),
        ],
  rules: {
    'term.typed': (_, { term }) =>
      term.trim() === '' ? { term, phase: 'idle', ...none } : { term, phase: 'debouncing' },
    'key.typed': ({ term }) =>
      term === 'a' ? { term: '', phase: 'idle', ...none } : { term: 'a', phase: 'debouncing' },
    'xstate.after.searchDebounce.palette.open.debouncing': () => ({ phase: 'searching' }),
    'xstate.done.actor.findPeople': ({ term }) =>
      term === 'ana'
        ? { phase: 'found', found: ['u1', 'u2'], further: 28 }
        : { phase: 'found', found: ['u2'], further: 0 },
    'xstate.error.actor.findPeople': ({ failures }) => ({ phase: 'failed', ...none, failures: failures + 1 }),
    'refetch.requested': () => ({ phase: 'searching' }),
    'command.chosen': () => ({ phase: 'closed' }),
    'person.chosen': () => ({ phase: 'closed' }),
    'dialog.dismissed': () => ({ phase: 'closed' }),
  },
  shown: (state) => state,
}

/** The state of the machine in the words of the reference. */
export const phaseOf = ({ value }: Pick<SnapshotFrom<typeof paletteMachine>, 'value'>): string =>
  typeof value === 'string' ? value : value.open
