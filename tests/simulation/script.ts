import { createRandom } from './random.ts'

/** What happens in a simulation, and how often each among all. `which` chooses to whom or how. */
export const weights = {
  // People
  customerWrites: 26,
  customerBursts: 1,
  customerDeletes: 3,
  pageAnswersElsewhere: 2,
  staffSignsIn: 6,
  staffSignsOut: 1,
  staffOpens: 16,
  staffLeaves: 1,
  staffWrites: 22,
  staffDoubleClicks: 2,
  staffRetries: 4,
  staffDiscards: 1,
  staffFiltersByPage: 2,
  staffSearches: 1,
  staffChoosesUnread: 1,
  staffRefreshes: 1,
  staffSyncsRecent: 1,
  adminLinksClient: 1,
  adminChangesFaq: 1,
  // Faults
  serverIsKilled: 3,
  databaseIsCut: 2,
  listenerIsLost: 1,
  requestsAreLost: 2,
  answersAreLost: 3,
  answersAreLate: 2,
  requestsComeTwice: 1,
  networkRefuses: 1,
  networkSwallows: 2,
  networkLosesRequests: 1,
  networkIsSlow: 1,
  networkLimits: 1,
  webhooksComeTwice: 1,
  webhooksAreHeld: 1,
  webhooksAreReversed: 1,
  webhooksFlowAgain: 3,
  pageTokenIsRevoked: 1,
  pageTokenIsValidAgain: 2,
  socketsGoSilent: 2,
  socketsAreCut: 2,
  tabIsHidden: 1,
  tabIsShown: 2,
  tabIsClosed: 2,
  tabIsOpened: 4,
  tabSleeps: 1,
  browserGoesOffline: 1,
  browserGoesOnline: 3,
  storageIsFull: 1,
  storageIsFree: 2,
  clockJumps: 1,
} as const

export type What = keyof typeof weights
export type Step = {
  /** Milliseconds after the last step. */
  after: number
  what: What
  which: number
}

/** One simulation. The same script runs the same way to the last event. */
export type Script = { seed: number; servers: number; clients: number; steps: Step[] }

const names = Object.keys(weights) as What[]
const total = names.reduce((sum, name) => sum + weights[name], 0)

/** The script of a seed. */
export function scriptOf(seed: number, length: number): Script {
  const random = createRandom(seed, 'script')
  const gap = () => {
    const kind = random.next()
    if (kind < 0.6) return random.between(20, 1_000)
    if (kind < 0.96) return random.between(1_000, 5_000)
    return kind < 0.996 ? random.between(5_000, 60_000) : random.between(60_000, 600_000)
  }
  const choose = (): What => {
    let left = random.next() * total
    for (const name of names) {
      left -= weights[name]
      if (left < 0) return name
    }
    return 'customerWrites'
  }
  return {
    seed,
    servers: random.pick([2, 2, 2, 3, 4]),
    clients: random.between(1, 3),
    steps: Array.from({ length }, () => ({ after: gap(), what: choose(), which: random.between(0, 9_999) })),
  }
}
