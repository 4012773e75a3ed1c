import { type Breach, createChecks } from './invariants.ts'
import { createStaff } from './people.ts'
import type { Script } from './script.ts'
import { createSteps } from './steps.ts'
import { openWorld } from './world.ts'

export type Outcome = {
  breaches: Breach[]
  /** Of all events; equal for equal runs. */
  fingerprint: string
  /** How many events were released. */
  events: number
  /** Simulated milliseconds. */
  duration: number
  /** The log of events: all of it with `keepLog`, else its end. */
  lines: string[]
  /** The problem reports that the tabs would save at the end. */
  reports: string[]
  /** How many steps were carried out before a breach ended the run. */
  stepsDone: number
}

const lookInterval = 5_000
/** The same for a simulation that has not come to rest for `looksOftenFor`. */
const lateLookInterval = 30_000
const looksOftenFor = 5 * 60_000

/** Runs a script until its end or the first breach. */
export async function simulate(
  script: Script,
  {
    keepLog = false,
    keepReports = false,
    postgres,
    restsWithin = 45,
  }: {
    keepLog?: boolean
    keepReports?: boolean
    postgres?: string | undefined
    /** Simulated minutes after which all must have come to rest once faults have ended. */
    restsWithin?: number
  } = {},
): Promise<Outcome> {
  const world = await openWorld({ ...script, keepLog, postgres })
  const { kernel } = world
  const members = createStaff(world.clients, world.browsers)
  const checks = createChecks(world, members)
  const steps = createSteps(world, members)
  let stepsDone = 0
  let reports: string[] = []
  try {
    for (const member of members) {
      member.client.open()
      await kernel.runUntil(kernel.now() + 2_000)
      member.signIn()
    }
    await kernel.runUntil(kernel.now() + 5_000)
    for (const { after, what, which } of script.steps) {
      await kernel.runUntil(kernel.now() + after)
      await steps.perform(what, which)
      await checks.afterStep()
      stepsDone += 1
      if (checks.breaches.length > 0) break
    }
    if (checks.breaches.length === 0) await rest()
    reports = keepReports ? world.clients.map((client) => client.report()) : []
  } finally {
    await world.close()
  }
  return {
    breaches: checks.breaches,
    fingerprint: kernel.fingerprint(),
    events: kernel.count(),
    duration: kernel.now() - world.startTime,
    lines: [...kernel.lines()],
    reports,
    stepsDone,
  }

  async function rest(): Promise<void> {
    await steps.endFaults()
    const start = kernel.now()
    const until = start + restsWithin * 60_000
    await kernel.runUntil(kernel.now() + lookInterval)
    await steps.catchUp()
    let underWay = await checks.underWay()
    while (underWay.length > 0 && kernel.now() < until && checks.breaches.length === 0) {
      for (const member of members) {
        member.signOutOthers()
        member.signIn()
      }
      const isLate = kernel.now() > start + looksOftenFor
      await kernel.runUntil(kernel.now() + (isLate ? lateLookInterval : lookInterval))
      await checks.afterStep()
      underWay = await checks.underWay()
    }
    if (underWay.length > 0) checks.notAtRest(underWay)
    if (checks.breaches.length > 0) return
    for (const member of members) member.reload()
    await kernel.runUntil(kernel.now() + 30_000)
    await checks.afterStep()
    if (checks.breaches.length === 0) await checks.atRest()
  }
}
