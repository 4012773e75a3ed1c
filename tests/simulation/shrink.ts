import type { Invariant } from './invariants.ts'
import type { Script } from './script.ts'
import type { Outcome, simulate as simulation } from './simulation.ts'

/**
 * Looks for the smallest script that still breaches the same invariant: fewer steps, fewer servers, fewer people. Stops
 * after `limit` real milliseconds. `tell` gets each smaller script.
 */
export async function shrink(
  simulate: typeof simulation,
  failing: Script,
  invariant: Invariant,
  {
    limit = 600_000,
    tell = () => undefined,
    postgres,
  }: { limit?: number; postgres?: string | undefined; tell?: (script: Script, outcome: Outcome) => void } = {},
): Promise<Script> {
  const until = performance.now() + limit
  let best = failing
  async function fails(script: Script): Promise<boolean> {
    if (performance.now() > until) return false
    const outcome = await simulate(script, { postgres })
    if (!outcome.breaches.some((breach) => breach.invariant === invariant)) return false
    // What follows the breach is not needed.
    best = { ...script, steps: script.steps.slice(0, outcome.stepsDone + 1) }
    tell(best, outcome)
    return true
  }

  await fails(failing)
  for (let size = Math.ceil(best.steps.length / 2); size >= 1 && performance.now() < until; ) {
    let hasShrunk = false
    for (let from = 0; from < best.steps.length && performance.now() < until; ) {
      if (await fails(without(best, from, size))) hasShrunk = true
      else from += size
    }
    if (size > 1) size = Math.floor(size / 2)
    else if (!hasShrunk) break
  }
  for (const part of ['clients', 'servers'] as const) {
    while (best[part] > 1 && (await fails({ ...best, [part]: best[part] - 1 }))) {
      // Each success has made `best` smaller.
    }
  }
  return best
}

/** The steps that follow what is left out keep their time. */
function without(script: Script, from: number, size: number): Script {
  const left = script.steps.slice(from, from + size).reduce((sum, { after }) => sum + after, 0)
  const rest = script.steps.slice(from + size)
  const [next, ...others] = rest
  const moved = next === undefined ? [] : [{ ...next, after: next.after + left }, ...others]
  return { ...script, steps: [...script.steps.slice(0, from), ...moved] }
}
