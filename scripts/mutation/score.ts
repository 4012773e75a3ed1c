/** The folder for the lists of surviving mutants. */
export const folder = 'test-results/mutation'

/** Percent. */
export const minScore = 85

export type Tally = { killed: number; of: number }

export const scoreOf = ({ killed, of }: Tally): number => (of === 0 ? 100 : (100 * killed) / of)

export const scoreLine = (name: string, { killed, of }: Tally): string =>
  `${name.padEnd(40)} ${scoreOf({ killed, of }).toFixed(1).padStart(5)} %  ${killed} of ${of}`
