import { getStateNodes } from '@xstate/graph'
import { expect, it } from 'vitest'
import { allMachines } from '../../scripts/machine-docs/machine-docs.ts'

const machines = await allMachines()

/** XState enters with a region that is entered again all that stand beside it: a link under way would be broken off. */
it('no event of one region starts those beside it over', () => {
  const restarts = machines.flatMap(({ machine }) =>
    getStateNodes(machine).flatMap((node) =>
      node.parent?.type === 'parallel'
        ? [...node.transitions.values()]
            .flat()
            .flatMap(({ reenter, eventType }) => (reenter ? `${node.id}: ${eventType}` : []))
        : [],
    ),
  )
  expect(restarts).toEqual([])
})
