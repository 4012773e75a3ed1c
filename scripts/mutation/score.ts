/** Where what no test noticed is written down. */
export const folder = 'test-results/mutation'

/** In percent; less fails. */
export const lowestScore = 85

export type Tally = { noticed: number; of: number }

export const scoreOf = ({ noticed, of }: Tally): number => (of === 0 ? 100 : (100 * noticed) / of)

export const scoreLine = (name: string, { noticed, of }: Tally): string =>
  `${name.padEnd(40)} ${scoreOf({ noticed, of }).toFixed(1).padStart(5)} %  ${noticed} of ${of}`
