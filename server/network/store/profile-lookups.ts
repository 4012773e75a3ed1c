import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { codeOf } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import { createWorkLoop } from '../../work-loop.ts'
import type { KeepAddress } from '../graph/addresses.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import { type PageCalls, PageUnusable } from '../graph/page-calls.ts'
import { type Profile, profileOf } from './profiles.ts'
import type { Database, Identity } from './store.ts'

/** Times in milliseconds. */
export const lookupLimits = {
  /** Calls under way at once in one process. */
  calls: 6,
  /** After the first failure; each further pause is four times as long. */
  firstPause: 60_000,
  longestPause: 12 * 60 * 60_000,
  /** The last of these calls is made about 30 hours after the first. */
  failures: 8,
  /** After the last failure nobody asks for this long. Then the person's next message starts again. */
  givenUpFor: 7 * 24 * 60 * 60_000,
} as const

const idlePause = 5_000
/** Longer than a call takes, so that two processes never ask for one person at the same time. */
const takenFor = 60_000

export type ProfileLookups = ReturnType<typeof createProfileLookups>

/**
 * Reads people's names and pictures from the network, apart from the storing of messages: no message waits for a
 * profile. The table `profile_lookups` says who is to be asked for; each person is asked for by one process at a time.
 */
export function createProfileLookups({
  db,
  graph,
  calls,
  keep,
  clock,
  logger,
  onFirstAnswer = async () => undefined,
}: {
  db: Db
  graph: Pick<Graph, 'person'>
  calls: Pick<PageCalls, 'call'>
  keep: Pick<KeepAddress, 'picture'>
  clock: Clock
  logger: Pick<Logger, 'warn' | 'error'>
  /** Called after the first call for a person without a name, whether it brought one or not. */
  onFirstAnswer?: (fbUserId: string) => Promise<void>
}) {
  const underWay = new Set<Promise<void>>()

  /** Starts calls while some are due and fewer than the limit are under way. Does not wait for them. */
  async function startCalls(isRunning: () => boolean): Promise<void> {
    while (isRunning() && underWay.size < lookupLimits.calls) {
      const person = await take()
      if (person === undefined) return
      const call = lookUp(person).finally(() => {
        underWay.delete(call)
        loop.wake()
      })
      underWay.add(call)
    }
  }

  /** Takes the person who became due last: somebody who has just written goes before a long historical sync. */
  async function take(): Promise<Person | undefined> {
    const now = new Date(clock.now())
    return db
      .updateTable('profile_lookups as lookup')
      .from('fb_users as person')
      .set({ due_at: new Date(clock.now() + takenFor) })
      .where('lookup.fb_user_id', '=', (query) =>
        query
          .selectFrom('profile_lookups')
          .select('fb_user_id')
          .where('due_at', '<=', now)
          .where('failures', '<', lookupLimits.failures)
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
      const { profile, retryAfter } = await ask(person)
      if (profile !== null) await storeProfile(person, profile)
      if (profile !== null && (profile.name ?? person.name) !== null) await remove(person)
      else await postpone(person, retryAfter)
      if (person.name === null && person.failures === 0) await onFirstAnswer(person.fbUserId)
    } catch (error) {
      // The row stays taken, and is due again after that time.
      logger.error({ pageId: person.pageId, reason: codeOf(error) }, 'a profile could not be stored')
    }
  }

  /** One call. The profile is null where the network gave none; `retryAfter` is the pause that the network asks for. */
  async function ask({ pageId, psid, platform }: Person): Promise<{ profile: Profile | null; retryAfter: number }> {
    try {
      const answer = await calls.call(pageId, { paced: false }, (token) => graph.person(token, psid, platform))
      return { profile: profileOf(answer, keep), retryAfter: 0 }
    } catch (error) {
      if (!(error instanceof GraphError || error instanceof PageUnusable)) throw error
      const code = error instanceof GraphError ? error.code : error.reason
      logger.warn({ pageId, code }, 'a profile could not be read')
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

  async function postpone({ fbUserId, failures }: Person, retryAfter: number): Promise<void> {
    await db
      .updateTable('profile_lookups')
      .set({ failures: failures + 1, due_at: new Date(clock.now() + pauseAfter(failures + 1, retryAfter)) })
      .where('fb_user_id', '=', fbUserId)
      .execute()
  }

  async function sweep(): Promise<void> {
    await db
      .deleteFrom('profile_lookups')
      .where('failures', '>=', lookupLimits.failures)
      .where('due_at', '<=', new Date(clock.now()))
      .execute()
  }

  const loop = createWorkLoop({
    work: startCalls,
    sweep,
    idlePause,
    failure: 'the profiles to read could not be found',
    clock,
    logger,
  })

  return {
    /**
     * Notes that a person's profile is to be read. Somebody who is noted already, or was given up lately, is not asked
     * for again. Belongs in the transaction that makes the identity; `wake` comes after it.
     */
    async note(db: Database, fbUserId: string): Promise<void> {
      const now = new Date(clock.now())
      await db
        .insertInto('profile_lookups')
        .values({ fb_user_id: fbUserId, due_at: now, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    start: loop.start,
    wake: loop.wake,

    /** Resolves when nobody is due and no call is under way. */
    async settled(): Promise<void> {
      do {
        await Promise.all(underWay)
        await loop.settled()
      } while (underWay.size > 0)
    },

    /** Starts no further call, and waits for those under way. */
    async stop(): Promise<void> {
      await loop.stop()
      await Promise.all(underWay)
    },
  }
}

/** Milliseconds until a person is asked for again. */
function pauseAfter(failures: number, retryAfter: number): number {
  if (failures >= lookupLimits.failures) return lookupLimits.givenUpFor
  return Math.max(Math.min(lookupLimits.firstPause * 4 ** (failures - 1), lookupLimits.longestPause), retryAfter)
}

type Person = Identity & { fbUserId: string; failures: number; name: string | null }
