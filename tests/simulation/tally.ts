import { type Invariant, invariants, isCheckedAtTheEnd } from './invariants.ts'
import type { What } from './script.ts'

/** What one run was, as a line of the file that the table is made of. */
export type Run = {
  seed: number
  database: string
  /** How often each kind of step was carried out. */
  steps: Partial<Record<What, number>>
  events: number
  /** Simulated milliseconds. */
  duration: number
  breaches: Invariant[]
}

/** The faults, by the part that they meet. */
const faults: Record<string, readonly What[]> = {
  servers: ['serverIsKilled', 'clockJumps'],
  migrations: ['serverIsUpgraded'],
  database: ['databaseIsCut', 'listenerIsLost'],
  files: ['fileStoreFails'],
  requests: ['requestsAreLost', 'answersAreLost', 'answersAreLate', 'requestsComeTwice'],
  network: [
    'networkRefuses',
    'networkSwallows',
    'networkLosesRequests',
    'networkIsSlow',
    'networkLimits',
    'pageTokenIsRevoked',
    'adminRemovesPage',
  ],
  webhooks: ['webhooksComeTwice', 'webhooksAreHeld', 'webhooksAreReversed', 'customerBursts'],
  browsers: [
    'socketsGoSilent',
    'socketsAreCut',
    'tabIsHidden',
    'tabIsClosed',
    'tabSleeps',
    'browserGoesOffline',
    'storageIsFull',
  ],
  persons: ['staffSignsOut', 'anotherSignsIn', 'staffDoubleClicks'],
}

/**
 * The table of `docs/proof.md`: how often each invariant was checked in runs that met at least one fault of a group, and in
 * how many runs it was breached.
 */
export function tableOf(runs: readonly Run[], date: string): string {
  const stepsOf = ({ steps }: Run) => Object.values(steps).reduce((sum, count) => sum + count, 0)
  const meets = ({ steps }: Run, whats: readonly What[]) => whats.some((what) => (steps[what] ?? 0) > 0)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  const format = new Intl.NumberFormat('en').format
  const databases = [...new Set(runs.map(({ database }) => database))]
  const counts = databases.map(
    (name) => `${format(runs.filter(({ database }) => database === name).length)} on ${name}`,
  )
  const groups = Object.entries(faults)
  const rows = (Object.keys(invariants) as Invariant[]).map((invariant) => {
    const checksOf = (run: Run) => (isCheckedAtTheEnd.has(invariant) ? Number(run.breaches.length === 0) : stepsOf(run))
    const cells = groups.map(([, whats]) => format(sum(runs.filter((run) => meets(run, whats)).map(checksOf))))
    return [invariant, ...cells, format(runs.filter(({ breaches }) => breaches.includes(invariant)).length)]
  })
  const metCounts = groups.map(([, whats]) => format(runs.filter((run) => meets(run, whats)).length))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    `${date}: ${format(runs.length)} runs (${counts.join(', ')}) with ${format(sum(runs.map(stepsOf)))} steps, ` +
      `${format(sum(runs.map(({ events }) => events)))} events and ` +
      `${format(Math.round(sum(runs.map(({ duration }) => duration)) / 3_600_000))} simulated hours.`,
    '',
    line(['checks of', ...groups.map(([name]) => name), 'breached in runs']),
    line(['---', ...groups.map(() => '---'), '---']),
    line(['runs with such a fault', ...metCounts, '']),
    ...rows.map(line),
  ].join('\n')
}
