import { expect, it } from 'vitest'
import { mutantsOf, mutate } from '../../scripts/mutation/statechart.ts'

const config = {
  id: 'shop',
  on: { 'door.closed': '.open.shut' },
  entry: ['sweep', { type: 'count' }],
  states: {
    open: {
      on: { 'shop.left': { guard: 'is late', target: '#shop.closed', actions: 'lock' } },
      states: {
        shut: { after: { hour: [{ guard: 'is hot', target: 'ajar' }, { actions: 'wait' }] } },
        ajar: { invoke: { src: 'watch', onDone: '#shop.open.shut', onError: { target: '.nowhere' } } },
        wide: {},
      },
    },
    closed: { always: { target: 'open', actions: ['unlock', () => {}] } },
  },
}

it('the mutations of a statechart cover each transition, each guard and each named action', () => {
  expect(mutantsOf(config)).toEqual([
    'anywhere -- door.closed: it leads to ajar and not to .open.shut',
    "anywhere -- entry: 'sweep' is not done",
    'open -- shop.left: it leads to open and not to #shop.closed',
    'open -- shop.left: its guard is removed',
    "open -- shop.left: 'lock' is not done",
    'open.shut -- after hour #0: it leads to wide and not to ajar',
    'open.shut -- after hour #0: its guard is removed',
    "open.shut -- after hour #1: 'wait' is not done",
    'open.ajar -- onDone of watch: it leads to ajar and not to #shop.open.shut',
    'closed -- always: it leads to closed and not to open',
    "closed -- always: 'unlock' is not done",
  ])
})

it('a mutation is applied alone and to a copy of the statechart', () => {
  const before = JSON.stringify(config)
  const { open, closed } = mutate(config, 2).states
  expect([open.on['shop.left'], open.states, closed.always]).toEqual([
    [{ guard: 'is late', target: '#shop.open', actions: 'lock' }],
    {
      shut: { after: { hour: [{ guard: 'is hot', target: 'ajar' }, { actions: 'wait' }] } },
      ajar: { invoke: { src: 'watch', onDone: [{ target: '#shop.open.shut' }], onError: [{ target: '.nowhere' }] } },
      wide: {},
    },
    [config.states.closed.always],
  ])
  expect(mutate(config, 3).states.open.on['shop.left']).toEqual([{ target: '#shop.closed', actions: 'lock' }])
  expect(mutate(config, 10).states.closed.always).toEqual([
    { target: 'open', actions: [config.states.closed.always.actions[1]] },
  ])
  expect(JSON.stringify(config)).toBe(before)
})
