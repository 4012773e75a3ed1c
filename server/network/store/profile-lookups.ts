import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { codeOf } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import { createWorkLoop } from '../../work-loop.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import { type PageCalls, PageUnusable } from '../graph/page-calls.ts'
import { type Profile, profileOf } from './profiles.ts'
import type { Database, IdentityKey } from './store.ts'

/** Times in milliseconds. */
export const lookupLimits = {
  /** Concurrent calls in one process. */
  maxCalls: 6,
  /** The backoff after the first failure; it grows fourfold with each failure. */
  initialBackoff: 60_000,
  maxBackoff: 12 * 60 * 60_000,
  /** The last call is made about 30 hours after the first. */
  maxFailures: 8,
  /** No lookup for this long after the last failure. Then the person's next message queues one again. */
  giveUpPeriod: 7 * 24 * 60 * 60_000,
} as const

const pollInterval = 5_000
/** Longer than a call takes, so that two processes never look up one person at the same time. */
const leaseDuration = 60_000

export type ProfileLookups = ReturnType<typeof createProfileLookups>

/**
 * Reads people's names and pictures from the network in the background, so that no message waits for a profile. The
 * table `profile_lookups` is the queue.
 */
export function createProfileLookups({
  db,
  graph,
  calls,
  normalizeUrl,
  clock,
  logger,
  onFirstLookup = async () => undefined,
}: {
  db: Db
  graph: Pick<Graph, 'person'>
  calls: Pick<PageCalls, 'call'>
  normalizeUrl: Pick<NormalizeUrl, 'picture'>
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
  /** Called after the first lookup of a person without a name, also if it failed. */
  onFirstLookup?: (fbUserId: string) => Promise<void>
}) {
  const inFlight = new Set<Promise<void>>()

  /** Starts due lookups up to the limit. Does not wait for them. */
  async function startCalls(isRunning: () => boolean): Promise<void> {
    while (isRunning() && inFlight.size < lookupLimits.maxCalls) {
      const person = await claim()
      if (person === undefined) return
      const call = lookUp(person).finally(() => {
        inFlight.delete(call)
        loop.wake()
      })
      inFlight.add(call)
    }
  }

  /** Claims the person who became due last: new writers come before a long historical sync. */
  async function claim(): Promise<Person | undefined> {
    const now = new Date(clock.now())
    return db
      .updateTable('profile_lookups as lookup')
      .from('fb_users as person')
      .set({ due_at: new Date(clock.now() + leaseDuration) })
      .where('lookup.fb_user_id', '=', (query) =>
        query
          .selectFrom('profile_lookups')
          .select('fb_user_id')
          .where('due_at', '<=', now)
          .where('failures', '<', lookupLimits.maxFailures)
          .orderBy('due_at', 'desc')
          .orderBy('fb_user_id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .whereRef('person.id', '=', 'lookup.fb_user_id')
      .returning([
        'lookup.fb_user_id as fbUserId',
        'lookup.failures',
        'person.page_id as pageId',
        'person.psid',
        'person.platform',
        'person.name',
      ])
      .executeTakeFirst()
  }

  async function lookUp(person: Person): Promise<void> {
    try {
      const { profile, retryAfter } = await fetchProfile(person)
      if (profile !== null) await storeProfile(person, profile)
      if (profile !== null && (profile.name ?? person.name) !== null) await remove(person)
      else await reschedule(person, retryAfter)
      if (person.name === null && person.failures === 0) await onFirstLookup(person.fbUserId)
    } catch (error) {
      // Retried when the lease expires.
      logger.error({ pageId: person.pageId, reason: codeOf(error) }, 'storing a profile failed')
    }
  }

  /** The profile is null if the network refused; `retryAfter` (milliseconds) is the pause that the network asked for. */
  async function fetchProfile({
    pageId,
    psid,
    platform,
  }: Person): Promise<{ profile: Profile | null; retryAfter: number }> {
    try {
      const response = await calls.call(pageId, { paced: false }, (token) => graph.person(token, psid, platform))
      return { profile: profileOf(response, normalizeUrl), retryAfter: 0 }
    } catch (error) {
      if (!(error instanceof GraphError || error instanceof PageUnusable)) throw error
      const code = error instanceof GraphError ? error.code : error.reason
      logger.warn({ pageId, code }, 'reading a profile failed')
      return { profile: null, retryAfter: (error instanceof GraphError ? error.retryAfter : null) ?? 0 }
    }
  }

  async function storeProfile({ fbUserId }: Person, { name, firstName, lastName, picture }: Profile): Promise<void> {
    if (name === null && picture === null) return
    await db
      .updateTable('fb_users')
      .set({
        ...(name === null ? {} : { name, first_name: firstName, last_name: lastName }),
        ...(picture === null ? {} : { profile_pic: picture }),
      })
      .where('id', '=', fbUserId)
      .execute()
  }

  async function remove({ fbUserId }: Person): Promise<void> {
    await db.deleteFrom('profile_lookups').where('fb_user_id', '=', fbUserId).execute()
  }

  async function reschedule({ fbUserId, failures }: Person, retryAfter: number): Promise<void> {
    await db
      .updateTable('profile_lookups')
      .set({ failures: failures + 1, due_at: new Date(clock.now() + backoffAfter(failures + 1, retryAfter)) })
      .where('fb_user_id', '=', fbUserId)
      .execute()
  }

  async function sweep(): Promise<void> {
    await db
      .deleteFrom('profile_lookups')
      .where('failures', '>=', lookupLimits.maxFailures)
      .where('due_at', '<=', new Date(clock.now()))
      .execute()
  }

  const loop = createWorkLoop({
    work: startCalls,
    sweep,
    pollInterval,
    failureMessage: 'reading the due profile lookups failed',
    clock,
    logger,
  })

  return {
    /**
     * Queues people's profiles. Does nothing for those that are already queued or were recently given up. Call it in the
     * transaction that creates the identity, and `wake` after the commit.
     */
    async enqueue(db: Database, fbUserIds: readonly string[]): Promise<void> {
      if (fbUserIds.length === 0) return
      const now = new Date(clock.now())
      await db
        .insertInto('profile_lookups')
        .values(fbUserIds.map((fbUserId) => ({ fb_user_id: fbUserId, due_at: now, created_at: now })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    start: loop.start,
    wake: loop.wake,

    /** Resolves when no lookup is due or running. */
    async settled(): Promise<void> {
      do {
        await Promise.all(inFlight)
        await loop.settled()
      } while (inFlight.size > 0)
    },

    /** Starts no further lookup and waits for the running ones. */
    async stop(): Promise<void> {
      await loop.stop()
      await Promise.all(inFlight)
    },
  }
}

/** Milliseconds until the next lookup. */
function backoffAfter(failures: number, retryAfter: number): number {
  if (failures >= lookupLimits.maxFailures) return lookupLimits.giveUpPeriod
  return Math.max(Math.min(lookupLimits.initialBackoff * 4 ** (failures - 1), lookupLimits.maxBackoff), retryAfter)
}

type Person = IdentityKey & { fbUserId: string; failures: number; name: string | null }
