/** Runs work once for all calls with the same id while it runs. Between processes the claims of the sends do this. */
export function createSharedRuns<Result>() {
  const running = new Map<string, Promise<Result>>()
  return (id: string, work: () => Promise<Result>): Promise<Result> => {
    const known = running.get(id)
    if (known !== undefined) return known
    const result = work().finally(() => running.delete(id))
    running.set(id, result)
    return result
  }
}
