const leftOut = (name: string) => new Error(`${name} must be provided`)

/** A placeholder for a call that the composition must provide. Rejects. */
export const mustBeProvided = (name: string) => (): Promise<never> => Promise.reject(leftOut(name))

/** A placeholder for a callback or an action that the composition must provide. Throws. */
export const mustBeGiven = (name: string) => (): never => {
  throw leftOut(name)
}
