import { getStateNodes } from '@xstate/graph'
import { expect, it } from 'vitest'
import { allMachines } from '../../scripts/machine-docs/machine-docs.ts'

const machines = await allMachines()

/** When XState re-enters a region, it also re-enters its sibling regions: this would abort a link that is under way. */
it('an event of one region does not restart its sibling regions', () => {
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
