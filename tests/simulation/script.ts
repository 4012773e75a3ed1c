import { createRandom } from './random.ts'

/** What happens in a simulation, and how often each among all. `which` chooses to whom or how. */
const weights = {
  // People
  customerWrites: 26,
  customerBursts: 1,
  customerDeletes: 3,
  customerSendsPicture: 2,
  customerEdits: 2,
  customerReacts: 4,
  customerReads: 4,
  customerReplies: 2,
  customerSendsThing: 4,
  customerTaps: 2,
  customerWroteYesterday: 1,
  customerComments: 5,
  customerEditsComment: 1,
  customerDeletesComment: 1,
  broadcastChanges: 1,
  pageAnswersElsewhere: 2,
  staffSignsIn: 6,
  staffSignsOut: 1,
  anotherSignsIn: 2,
  staffPresses: 8,
  staffOpens: 16,
  staffLeaves: 1,
  staffWrites: 22,
  staffDoubleClicks: 2,
  staffReplies: 2,
  staffReacts: 3,
  staffSendsStructure: 4,
  staffAttachesFiles: 3,
  staffSendsFiles: 5,
  staffChangesFiles: 1,
  staffTypes: 2,
  staffWorksOnComments: 10,
  staffRetries: 4,
  staffDiscards: 1,
  staffFiltersByPage: 2,
  staffSearches: 1,
  staffChoosesUnread: 1,
  staffRefreshes: 1,
  staffSyncsRecent: 1,
  staffOpensDialog: 3,
  staffWorksInDialog: 8,
  staffClosesDialog: 2,
  staffChangesStates: 6,
  staffUndoes: 1,
  staffChoosesView: 2,
  staffWritesNote: 4,
  staffDeletesNote: 1,
  adminLinksClient: 2,
  adminChangesFaq: 1,
  adminConnectsPage: 2,
  adminRemovesPage: 1,
  adminSyncsHistory: 1,
  adminErasesPerson: 1,
  adminChangesRole: 1,
  adminChangesLabel: 1,
  adminSwitchesSigns: 1,
  adminChangesSale: 1,
  programImports: 2,
  adminMergesClients: 1,
  adminUndoesMerge: 2,
  adminAddsWebhook: 1,
  adminConnectsShop: 1,
  adminSyncsShop: 1,
  shopSells: 2,
  shopChangesOrder: 3,
  // Not a feature for staff so far: scripts by hand alone.
  conversationsAreMerged: 0,
  // Of scripts of problem reports, which know the conversation.
  staffOpensCustomer: 0,
  // Faults
  serverIsKilled: 3,
  serverIsUpgraded: 1,
  databaseIsCut: 2,
  fileStoreFails: 2,
  receiverFails: 2,
  shopFails: 1,
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
type Step = {
  /** Milliseconds after the last step. */
  after: number
  what: What
  which: number
}

/** One simulation. The same script runs the same way to the last event. */
export type Script = {
  seed: number
  servers: number
  /** Tabs. */
  clients: number
  /** The tabs are spread over so many; as many as tabs if it is missing. */
  browsers?: number
  steps: Step[]
}

const names = Object.keys(weights) as What[]
/** Without these nothing happens. */
const essential: readonly What[] = ['customerWrites', 'staffSignsIn', 'staffOpens', 'staffWrites', 'tabIsOpened']

/**
 * The script of a seed. Each seed leaves some kinds of steps out and has more of others, and has its own pace, because what
 * happens rarely beside everything else happens often in some of the seeds.
 */
export function scriptOf(seed: number, length: number): Script {
  const random = createRandom(seed, 'script')
  const shares = names.map((name) => {
    const factor = random.pick([0, 0.5, 1, 1, 1, 5])
    return weights[name] * (essential.includes(name) ? Math.max(factor, 0.5) : factor)
  })
  const total = shares.reduce((sum, share) => sum + share, 0)
  const pace = random.pick([0.3, 1, 1, 3])
  const gap = () => {
    const kind = random.next()
    if (kind < 0.6) return random.between(20, 1_000 * pace)
    if (kind < 0.96) return random.between(1_000, 2_000 + 3_000 * pace)
    return kind < 0.996 ? random.between(5_000, 60_000) : random.between(60_000, 600_000)
  }
  const choose = (): What => {
    let left = random.next() * total
    for (const [index, name] of names.entries()) {
      left -= shares[index] ?? 0
      if (left < 0) return name
    }
    return 'customerWrites'
  }
  return {
    seed,
    servers: random.pick([2, 2, 2, 3, 4]),
    clients: random.between(1, 4),
    browsers: random.pick([1, 2, 3, 3]),
    steps: Array.from({ length }, () => ({ after: gap(), what: choose(), which: random.between(0, 9_999) })),
  }
}
