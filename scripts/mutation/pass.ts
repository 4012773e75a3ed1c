/** The environment variable that tells Stryker's processes to run one mutant in so many. */
export const sampleVariable = 'MUTATION_SAMPLE'

/**
 * The environment variable with the numbers of the mutants of a second pass, which ignores the sample. Empty in the first
 * pass.
 */
export const secondPassVariable = 'MUTATION_SECOND_PASS'

/** The result of a mutant that was left out. */
export const notInPass = 'This mutant is not in the pass.'

export const isSecondPass = (): boolean => (process.env[secondPassVariable] ?? '') !== ''

/** `mutant`: the number that Stryker gave the mutant. The number is the same in both passes. */
export const isInPass = (mutant: string): boolean =>
  isSecondPass()
    ? (process.env[secondPassVariable] ?? '').split(',').includes(mutant)
    : Number(mutant) % Number(process.env[sampleVariable] ?? 1) === 0
