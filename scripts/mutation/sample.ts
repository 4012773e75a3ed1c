/** The environment variable that tells Stryker's processes to run one mutant in so many. */
export const sampleVariable = 'MUTATION_SAMPLE'

/** The result of a mutant that was left out. */
export const notInSample = 'This mutant is not in the sample.'

/** `mutant`: the number that Stryker gave the mutant. */
export const isInSample = (mutant: string): boolean => Number(mutant) % Number(process.env[sampleVariable] ?? 1) === 0
