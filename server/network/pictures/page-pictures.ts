import type { PageFailure } from '../../../src/schemas/page.ts'
import type { Db } from '../../database/database.ts'
import { type Jobs, jobDefaults, workDefaults } from '../../jobs.ts'
import type { Logger } from '../../logger.ts'
import { pageRefusalOf } from '../graph/page-refusals.ts'
import type { Pictures } from './pictures.ts'

const queue = 'page-pictures'
/** Daily at 2:00 (spec section 9). */
const daily = '0 2 * * *'

export type PagePictures = ReturnType<typeof createPagePictures>

/** Refreshes the pictures of all pages, on request or every night. */
export function createPagePictures({
  db,
  jobs,
  pictures,
  timeZone,
  logger,
}: {
  db: Db
  jobs: Jobs
  pictures: Pick<Pictures, 'refreshPage'>
  /** The time zone of `daily`. */
  timeZone: string
  logger: Pick<Logger, 'info'>
}) {
  /** Refreshes each page's picture. A page that fails does not stop the others. */
  async function refreshAll(): Promise<{ refreshed: number; failures: PageFailure[] }> {
    const pages = await db.selectFrom('pages').select(['page_id', 'page_name']).orderBy('page_id').execute()
    const failures: PageFailure[] = []
    for (const { page_id, page_name } of pages) {
      try {
        await pictures.refreshPage(page_id)
      } catch (error) {
        const refusal = pageRefusalOf(error)
        if (refusal === null) throw error
        failures.push({ page_id, page_name, error: refusal.text, code: refusal.code })
      }
    }
    return { refreshed: pages.length - failures.length, failures }
  }

  return {
    refreshAll,

    /** To be called before routes are served, because they queue jobs. */
    createQueue: () => jobs.createQueue(queue, { ...jobDefaults, policy: 'exclusive', retryLimit: 5, retryDelay: 30 }),

    /** Schedules the nightly refresh and starts its worker. It runs in one process. */
    async work(): Promise<void> {
      await jobs.work(queue, workDefaults, async () => {
        const { refreshed, failures } = await refreshAll()
        logger.info({ refreshed, failed: failures.length }, 'page pictures refreshed')
      })
      await jobs.schedule(queue, daily, null, { tz: timeZone, missed: 'once' })
    },
  }
}
