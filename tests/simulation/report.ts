import { reportFile } from '../../src/recorder/report-file.ts'
import { customers, pages } from './sandbox.ts'
import type { Script, What } from './script.ts'

/** Longer pauses are left out: what a report shows happened within its last events. Milliseconds. */
const longestPause = 120_000

type Happened = { at: number; what: What; which: number }

/** A step's number: who does it, and to whom or how. */
const chosen = (choice: number) => 16 * choice
/** That a customer writes something that no FAQ entry answers. */
const writing = (customer: number) => (customer % 5 === 0 ? customer + customers.length : customer)

/**
 * The script of a problem report: what the person did in that tab, what customers wrote meanwhile, and which calls failed.
 * Texts are masked in a report, so the script has its own. Times between two steps are those of the report; latencies and
 * the order of concurrent events are not in a report and come from the seed. Throws for another file.
 */
export function scriptOfReport(text: string, seed: number): Script {
  const { actors } = reportFile.parse(JSON.parse(text))
  const events = actors
    .flatMap(({ machine, events: received }) => received.map((one) => ({ machine, ...one })))
    .sort((one, other) => one.seq - other.seq)
  const known = createNames()
  const drafts = new Set<unknown>()
  const happened: Happened[] = []
  for (const { machine, at, event } of events) {
    const add = (what: What, which = 0) => void happened.push({ at, what, which })
    const { type } = event
    if (machine === 'auth') {
      if (type === 'signIn.requested') add('staffSignsIn')
      if (type === 'signOut.requested') add('staffSignsOut')
    }
    if (machine === 'session') {
      if (type === 'conversation.selected') add('staffOpensCustomer', chosen(known.customer(event['id'])))
      if (type === 'conversation.deselected') add('staffLeaves')
      if (type === 'page.chosen') add('staffFiltersByPage', chosen(known.filter(event['pageId'])))
      if (type === 'refetch.requested') add('staffRefreshes')
      if (type === 'recentSync.requested') add('staffSyncsRecent')
      if (type === 'tab.hidden') add('tabIsHidden')
      if (type === 'tab.shown') add('tabIsShown')
      if (type === 'browser.offline') add('browserGoesOffline')
      if (type === 'browser.online') add('browserGoesOnline')
      if (type === 'messages.changed') {
        for (const change of listOf(event['changes'])) {
          const record = fieldOf(change, 'record')
          const [direction, kind] = [fieldOf(record, 'direction'), fieldOf(change, 'type')]
          const customer = known.customer(fieldOf(record, 'primary_user_id'), fieldOf(record, 'page_id'))
          if (kind === 'DELETE') add('customerDeletes')
          else if (kind === 'INSERT' && direction === 'incoming') add('customerWrites', writing(customer))
        }
      }
    }
    if (machine === 'conversations') {
      if (type === 'search.typed') add('staffSearches', chosen(event['text'] === '' ? 0 : 2))
      if (type === 'unreadOnly.chosen') add('staffChoosesUnread', chosen(event['unreadOnly'] === true ? 0 : 1))
    }
    if (machine === 'outbox') {
      if (type === 'send.requested') {
        const last = happened.at(-1)
        if (!drafts.has(event['draftId'])) add('staffWrites', chosen(event['pageId'] === null ? 1 : 0))
        else if (last?.what === 'staffWrites') last.what = 'staffDoubleClicks'
        drafts.add(event['draftId'])
      }
      if (type === 'send.retried') add('staffRetries')
      if (type === 'send.discarded') add('staffDiscards')
    }
    if (machine === 'dialog') {
      if (type === 'dialog.requested') {
        const name = dialogNames.indexOf(String(fieldOf(event['dialog'], 'name')))
        if (name >= 0) add('staffOpensDialog', chosen(name))
      }
      if (type === 'dialog.dismissed') add('staffClosesDialog')
    }
    if (machine === 'realtime' && type === 'channel.failed') add('socketsAreCut')
    if (machine === 'sendFlow' && type === 'xstate.error.actor.sendMessage') {
      const kind = fieldOf(fieldOf(event['error'], '$error'), 'kind')
      // The fault comes before the call that it meets.
      const before = happened.findLastIndex(({ what }) => what === 'staffWrites' || what === 'staffRetries')
      const fault: Happened = { at: happened[before]?.at ?? at, what: 'answersAreLost', which: 0 }
      happened.splice(Math.max(before, 0), 0, kind === 'status' ? { ...fault, what: 'networkRefuses' } : fault)
    }
  }
  const start = happened[0]?.at ?? 0
  // A report begins in the middle: the conversations that it names are there already.
  const first = known
    .customers()
    .map((customer): Happened => ({ at: start, what: 'customerWrites', which: writing(customer) }))
  let before = start
  const steps = [...first, ...happened].map(({ at, what, which }, index) => {
    const pause = index < first.length ? 100 : Math.min(Math.max(at - before, 20), longestPause)
    before = at
    return { after: index === first.length ? 5_000 : pause, what, which }
  })
  return { seed, servers: 2, clients: 1, steps: [...steps, { after: 10_000, what: 'webhooksFlowAgain', which: 0 }] }
}

const dialogNames = ['faq', 'pageManager', 'historySync', 'autoSyncControl', 'linkClient', 'shortcuts']

/** Customers and pages of the simulation in place of those of the report, in the order of their appearance. */
function createNames() {
  const pageOf = new Map<unknown, string>()
  const customerOf = new Map<unknown, number>()
  const page = (id: unknown): string => {
    const next = pages[Math.min(pageOf.size, 1)]?.page_id ?? pages[0].page_id
    if (!pageOf.has(id)) pageOf.set(id, next)
    return pageOf.get(id) ?? next
  }
  return {
    customers: () => [...new Set(customerOf.values())],
    /** The number of a customer. `pageId` is unknown for a conversation that was only opened. */
    customer(conversation: unknown, pageId?: unknown): number {
      const found = customerOf.get(conversation)
      if (found !== undefined || conversation == null) return found ?? 0
      const taken = new Set(customerOf.values())
      const wanted = pageId === undefined ? null : page(pageId)
      const free = customers.findIndex((one, index) => !taken.has(index) && (wanted ?? one.pageId) === one.pageId)
      customerOf.set(conversation, Math.max(free, 0))
      return Math.max(free, 0)
    },
    /** The number of a page filter. */
    filter: (id: unknown): number => (id === null ? 0 : 2 + pages.findIndex(({ page_id }) => page_id === page(id))),
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
