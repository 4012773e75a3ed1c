/** The folder for the lists of surviving mutants. */
export const folder = 'test-results/mutation'

/** Percent. */
export const minScore = 85

/**
 * `of` counts the killed mutants and the survivors. Mutants that timed out count as neither: some are endless loops, which a
 * test notices, but on a slow machine others time out too.
 */
export type Tally = { killed: number; of: number; timedOut: number }

/** Counts the results of Stryker; other statuses were not measured. */
export function tallyOf(statuses: readonly string[]): Tally {
  const count = (status: string) => statuses.filter((one) => one === status).length
  return { killed: count('Killed'), of: count('Killed') + count('Survived'), timedOut: count('Timeout') }
}

export const sumOf = (tallies: readonly Tally[]): Tally => {
  const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0)
  return { killed: sum('killed'), of: sum('of'), timedOut: sum('timedOut') }
}

export const scoreOf = ({ killed, of }: Tally): number => (of === 0 ? 100 : (100 * killed) / of)

export const scoreLine = (name: string, tally: Tally): string => {
  const { killed, of, timedOut } = tally
  const line = `${name.padEnd(40)} ${scoreOf(tally).toFixed(1).padStart(5)} %  ${killed} of ${of}`
  return timedOut === 0 ? line : `${line}, and ${timedOut} timed out`
}
