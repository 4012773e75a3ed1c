import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'

/** Milliseconds: a statement that waits for a lock may wait for the manual clock. */
const longestWait = 1_000

let inFlight = 0

/** Counts the calls of a method that have not called back. */
function count(name: 'query' | 'connect'): void {
  const call = pg.Client.prototype[name] as (...values: unknown[]) => unknown
  const counted = function (this: pg.Client, ...values: unknown[]): unknown {
    inFlight += 1
    const end = () => {
      inFlight -= 1
    }
    const callback = values.at(-1)
    if (typeof callback !== 'function') {
      const result = call.apply(this, values)
      if (result instanceof Promise) void result.then(end, end)
      else end()
      return result
    }
    return call.apply(this, [
      ...values.slice(0, -1),
      (...answer: unknown[]) => {
        end()
        callback(...answer)
      },
    ])
  }
  Object.assign(pg.Client.prototype, { [name]: counted })
}

count('query')
count('connect')

/**
 * Resolves when no statement of this process awaits PostgreSQL. A manual clock that advances before that overtakes the
 * work on a busy machine.
 */
export async function databaseIdle(): Promise<void> {
  const since = performance.now()
  do {
    await nextTurn()
    await nextTurn()
  } while (inFlight > 0 && performance.now() - since < longestWait)
}
