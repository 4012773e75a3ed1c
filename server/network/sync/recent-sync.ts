import type { PageFailure } from '../../../src/schemas/page.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { codeOf } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import { PagePaused } from '../graph/pace.ts'
import { type PageRefusal, pageRefusalOf } from '../graph/page-refusals.ts'
import type { Sync } from './sync.ts'

/** Pages that are read at once; each has a pace of its own. */
const atOnce = 4
const hour = 60 * 60 * 1000

/** What became of one page: the new messages, or why there are none. */
export type PageOutcome = {
  page_id: string
  page_name: string
  messages: number
  refusal: PageRefusal | null
  retryAt: Date | null
}

export type RecentSync = ReturnType<typeof createRecentSync>

/** Takes in what happened on pages of late (spec section 7, sync-recent and sync-all-recent). */
export function createRecentSync({
  db,
  sync,
  clock,
  logger,
}: {
  db: Db
  sync: Pick<Sync, 'recent' | 'conversation'>
  clock: Clock
  logger: Pick<Logger, 'error'>
}) {
  const page = (pageId: string, hoursBack: number) => sync.recent(pageId, new Date(clock.now() - hoursBack * hour))

  async function outcomeOf({ page_id, page_name }: { page_id: string; page_name: string }, hoursBack: number) {
    const outcome: PageOutcome = { page_id, page_name, messages: 0, refusal: null, retryAt: null }
    try {
      outcome.messages = await page(page_id, hoursBack)
    } catch (error) {
      outcome.refusal = pageRefusalOf(error) ?? broken
      outcome.retryAt = error instanceof PagePaused ? error.until : null
      if (outcome.refusal === broken) {
        logger.error({ pageId: page_id, code: codeOf(error) }, 'a page could not be synced')
      }
    }
    return outcome
  }

  return {
    /** One page. Returns how many messages were new; throws as Sync does. */
    page,

    /** One conversation of a page. */
    conversation: sync.conversation,

    /**
     * All active pages, except those of `skip`; one that fails does not stop the others. `onPage` hears of each as it is
     * done; no further page is begun once `goesOn` says so.
     */
    async allPages(
      hoursBack: number,
      {
        skip = new Set<string>(),
        onPage = async () => undefined,
        goesOn = async () => true,
      }: {
        skip?: ReadonlySet<string>
        onPage?: (outcome: PageOutcome) => Promise<void>
        goesOn?: () => Promise<boolean>
      } = {},
    ): Promise<PageOutcome[]> {
      const pages = await db
        .selectFrom('pages')
        .select(['page_id', 'page_name'])
        .where('is_active', '=', true)
        .orderBy('page_id')
        .execute()
      const waiting = pages.filter(({ page_id }) => !skip.has(page_id))
      const outcomes: PageOutcome[] = []
      const work = async () => {
        while (waiting.length > 0 && (await goesOn())) {
          const next = waiting.shift()
          if (next === undefined) return
          const outcome = await outcomeOf(next, hoursBack)
          outcomes.push(outcome)
          await onPage(outcome)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      return outcomes
    },
  }
}

const broken: PageRefusal = { status: 503, code: 'INTERNAL', text: 'The sync of this page broke off.' }

/** Those that failed, as they are answered. */
export const failuresOf = (outcomes: readonly PageOutcome[]): PageFailure[] =>
  outcomes.flatMap(({ page_id, page_name, refusal }) =>
    refusal === null ? [] : [{ page_id, page_name, error: refusal.text, code: refusal.code }],
  )
