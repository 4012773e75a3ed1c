const leftOut = (name: string) => new Error(`${name} must be provided`)

/** Stands for a call that the composition gives to a machine; rejects. */
export const mustBeProvided = (name: string) => (): Promise<never> => Promise.reject(leftOut(name))

/** The same for a callback or an action; throws. */
export const mustBeGiven = (name: string) => (): never => {
  throw leftOut(name)
}
