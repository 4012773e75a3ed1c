import type { PageFailure } from '../../../src/schemas/page.ts'
import { CallerGone } from '../../busy.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { codeOf } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import { PagePaused } from '../graph/pace.ts'
import { type PageRefusal, pageRefusalOf } from '../graph/page-refusals.ts'
import type { Sync } from './sync.ts'

/** Pages read at the same time; each has its own rate limit. */
const concurrency = 4
const hour = 60 * 60 * 1000

/** The result of one page: the number of new messages, or why it failed. */
export type PageOutcome = {
  page_id: string
  page_name: string
  messages: number
  refusal: PageRefusal | null
  retryAt: Date | null
}

export type RecentSync = ReturnType<typeof createRecentSync>

/** Syncs recent messages (spec section 7, sync-recent and sync-all-recent). */
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
  const page = (pageId: string, hoursBack: number, signal?: AbortSignal) =>
    sync.recent(pageId, new Date(clock.now() - hoursBack * hour), signal)

  async function outcomeOf(
    { page_id, page_name }: { page_id: string; page_name: string },
    hoursBack: number,
    signal: AbortSignal | undefined,
  ) {
    const outcome: PageOutcome = { page_id, page_name, messages: 0, refusal: null, retryAt: null }
    try {
      outcome.messages = await page(page_id, hoursBack, signal)
    } catch (error) {
      if (error instanceof CallerGone) throw error
      outcome.refusal = pageRefusalOf(error) ?? internalError
      outcome.retryAt = error instanceof PagePaused ? error.until : null
      if (outcome.refusal === internalError) {
        logger.error({ pageId: page_id, code: codeOf(error) }, 'syncing a page failed')
      }
    }
    return outcome
  }

  return {
    /** Syncs one page. Returns the number of new messages; throws like `Sync.recent`. */
    page,

    conversation: sync.conversation,

    /**
     * Syncs all active pages except `skip`. A page that fails does not stop the others. Calls `onPage` after each page;
     * starts no further page once `shouldContinue` returns false.
     */
    async allPages(
      hoursBack: number,
      {
        skip = new Set<string>(),
        onPage = async () => undefined,
        shouldContinue = async () => true,
        signal,
      }: {
        skip?: ReadonlySet<string>
        onPage?: (outcome: PageOutcome) => Promise<void>
        shouldContinue?: () => Promise<boolean>
        signal?: AbortSignal
      } = {},
    ): Promise<PageOutcome[]> {
      const pages = await db
        .selectFrom('pages')
        .select(['page_id', 'page_name'])
        .where('is_active', '=', true)
        .orderBy('page_id')
        .execute()
      const remaining = pages.filter(({ page_id }) => !skip.has(page_id))
      const outcomes: PageOutcome[] = []
      const worker = async () => {
        while (remaining.length > 0 && (await shouldContinue())) {
          const next = remaining.shift()
          if (next === undefined) return
          const outcome = await outcomeOf(next, hoursBack, signal)
          outcomes.push(outcome)
          await onPage(outcome)
        }
      }
      await Promise.all(Array.from({ length: concurrency }, worker))
      return outcomes
    },
  }
}

const internalError: PageRefusal = { status: 503, code: 'INTERNAL', text: 'The sync of this page broke off.' }

/** The failed pages, in the form of the API. */
export const failuresOf = (outcomes: readonly PageOutcome[]): PageFailure[] =>
  outcomes.flatMap(({ page_id, page_name, refusal }) =>
    refusal === null ? [] : [{ page_id, page_name, error: refusal.text, code: refusal.code }],
  )
