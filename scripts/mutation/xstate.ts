import * as xstate from 'xstate'
import { mutate } from './statechart.ts'

export * from 'xstate'

/** Replaces xstate for the machines of src: turns the machine named in MUTATED_STATECHART into a mutant. */
export const setup = ((parts) => {
  const base = xstate.setup(parts)
  const createMachine: typeof base.createMachine = (statechart) => {
    const [machine, index] = (process.env['MUTATED_STATECHART'] ?? '').split(' ')
    return base.createMachine(statechart.id === machine ? mutate(statechart, Number(index)) : statechart)
  }
  return { ...base, createMachine }
}) as typeof xstate.setup
