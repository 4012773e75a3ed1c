import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listConversations } from '../../../server/database/conversation-list.ts'
import { GraphError } from '../../../server/network/graph/graph-error.ts'
import type { PersonResponse } from '../../../server/network/graph/graph-shapes.ts'
import { lookupLimits } from '../../../server/network/store/profile-lookups.ts'
import { createSync } from '../../../server/network/sync/sync.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'

const minute = 60_000
const hour = 60 * minute

describeOnDatabase('createProfileLookups', (open) => {
  let harness: Harness
  let inboxes: ReturnType<Harness['newInbox']>[] = []
  let written = 0
  /** Releases the pending calls. */
  let releaseCalls: () => void = () => undefined

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
    await harness.worker.stop()
    await harness.lookups.stop()
  })
  afterAll(() => harness.close())
  afterEach(async () => {
    releaseCalls()
    for (const { worker, lookups } of inboxes) {
      await worker.stop()
      await lookups.stop()
    }
    inboxes = []
    await harness.db.deleteFrom('fb_users').execute()
  })

  /** Starts several processes with a network that answers profile calls with `answer`. */
  function start(processes: number, answer: (psid: string) => Promise<PersonResponse>) {
    const calls: string[] = []
    const person = async (_token: string, psid: string) => {
      calls.push(psid)
      return answer(psid)
    }
    const started = Array.from({ length: processes }, () => harness.newInbox({ person }))
    inboxes.push(...started)
    for (const { worker, lookups } of started) {
      worker.start()
      lookups.start()
    }
    /** Lets every process handle the webhook inbox; resolves when everything is stored. */
    const store = async () => {
      for (const { worker } of started) worker.wake()
      await Promise.all(started.map(({ worker }) => worker.settled()))
    }
    const settled = async () => {
      for (const { lookups } of started) lookups.wake()
      await Promise.all(started.map(({ lookups }) => lookups.settled()))
    }
    return { calls, store, settled }
  }

  /** Profile calls that wait until the test releases them. */
  function hanging() {
    const releases: (() => void)[] = []
    let isOver = false
    releaseCalls = () => {
      isOver = true
      for (const end of releases.splice(0)) end()
    }
    return {
      pending: () => releases.length,
      releaseOne: () => releases.shift()?.(),
      answer: async (psid: string) => {
        if (!isOver) await new Promise<void>((resolve) => releases.push(resolve))
        return nameOf(psid)
      },
    }
  }

  const nameOf = (psid: string): PersonResponse => ({ name: `Name of ${psid}`, first_name: 'Name', last_name: psid })
  const write = (psid: string, text: string) => {
    // Each message is one millisecond later than the one before it.
    written += 1
    return harness.post({
      object: 'page',
      entry: [
        {
          id: prints,
          time: harness.clock.now(),
          messaging: [
            {
              sender: { id: psid },
              recipient: { id: prints },
              timestamp: harness.clock.now() + written,
              message: { mid: `m_${randomUUID()}`, text },
            },
          ],
        },
      ],
    })
  }
  const list = async () => {
    const { rows } = await listConversations(
      harness.db,
      { page: 1, limit: 100 },
      { staffId: 's1', now: 0, country: 'PH', seesAmounts: true },
    )
    return new Map(rows.map(({ psid, unified_name, last_message_text }) => [psid, [unified_name, last_message_text]]))
  }
  const waiting = async () =>
    (await harness.db.selectFrom('profile_lookups').select('fb_user_id').execute()).map(({ fb_user_id }) => fb_user_id)

  it.each([1, 2])(
    'stores all messages while every profile call hangs, and calls once per unknown person (%i processes)',
    async (processes) => {
      await harness.db
        .insertInto('fb_users')
        .values({ page_id: prints, psid: 'known', platform: 'messenger', name: 'Maria Santos' })
        .execute()
      const { pending, answer } = hanging()
      const { calls, store, settled } = start(processes, answer)
      const strangers = ['stranger-1', 'stranger-2', 'stranger-3']
      for (const psid of strangers) await write(psid, 'first')
      await store()
      await expect.poll(pending, { timeout: 10_000 }).toBe(3)

      for (const psid of strangers) await write(psid, 'second')
      await write('known', 'behind three strangers')
      const before = performance.now()
      await store()
      const took = performance.now() - before
      expect(pending()).toBe(3)
      expect(await list()).toEqual(
        new Map([
          ['known', ['Maria Santos', 'behind three strangers']],
          ...strangers.map((psid): [string, (string | null)[]] => [psid, [null, 'second']]),
        ]),
      )
      expect(took).toBeLessThan(10_000)

      releaseCalls()
      await settled()
      expect(await list()).toEqual(
        new Map([
          ['known', ['Maria Santos', 'behind three strangers']],
          ...strangers.map((psid): [string, string[]] => [psid, [`Name of ${psid}`, 'second']]),
        ]),
      )
      expect(calls.toSorted()).toEqual(strangers)
      expect(await waiting()).toEqual([])
    },
  )

  it('limits concurrent calls, and looks up the latest writer first', async () => {
    const { pending, releaseOne, answer } = hanging()
    const { calls, store, settled } = start(1, answer)
    const strangers = Array.from({ length: lookupLimits.maxCalls + 3 }, (_, index) => `stranger-${index}`)
    for (const psid of strangers) {
      harness.clock.advance(1_000)
      await write(psid, 'Hello po')
      await store()
    }
    await expect.poll(pending, { timeout: 10_000 }).toBe(lookupLimits.maxCalls)
    expect(calls.toSorted()).toEqual(strangers.slice(0, lookupLimits.maxCalls))
    releaseOne()
    await expect.poll(pending, { timeout: 10_000 }).toBe(lookupLimits.maxCalls)
    expect(calls.slice(lookupLimits.maxCalls)).toEqual(strangers.slice(-1))
    releaseCalls()
    await settled()
    expect(calls.toSorted()).toEqual(strangers)
    expect(await waiting()).toEqual([])
  })

  describe.each([
    ['gets no response', async () => Promise.reject(GraphError.unanswered('person', 'none in time'))],
    ['returns no name', async () => ({})],
  ])('when the profile call %s', (_, answer) => {
    it('looks a new person up once for ten messages, retries with backoff, and starts again after a week', async () => {
      const { calls, store, settled } = start(1, answer)
      for (let message = 1; message <= 10; message++) {
        await write('stranger', `message ${message}`)
        await store()
        await settled()
      }
      expect(calls.length).toBe(1)

      const pauses = [minute, 4 * minute, 16 * minute, 64 * minute, 256 * minute, 12 * hour, 12 * hour]
      for (const [index, pause] of pauses.entries()) {
        harness.clock.advance(pause - 1)
        await settled()
        expect(calls.length).toBe(index + 1)
        harness.clock.advance(1)
        await settled()
        expect(calls.length).toBe(index + 2)
      }

      harness.clock.advance(lookupLimits.giveUpPeriod - 1)
      await write('stranger', 'still here')
      await store()
      await settled()
      expect(calls.length).toBe(lookupLimits.maxFailures)
      harness.clock.advance(2 * hour)
      await settled()
      expect(calls.length).toBe(lookupLimits.maxFailures)
      await write('stranger', 'a week later')
      await store()
      await settled()
      expect(calls.length).toBe(lookupLimits.maxFailures + 1)
    })
  })

  it('waits for the time that the network asks for, if longer than the backoff', async () => {
    const { calls, store, settled } = start(1, async () =>
      Promise.reject(GraphError.refused('person', 400, 613, null, 30 * minute)),
    )
    await write('stranger', 'Hello po')
    await store()
    await settled()
    harness.clock.advance(30 * minute - 1)
    await settled()
    expect(calls.length).toBe(1)
    harness.clock.advance(1)
    await settled()
    expect(calls.length).toBe(2)
  })

  it('retries a lookup of a dead process', async () => {
    const dead = hanging()
    const first = start(1, dead.answer)
    await write('stranger', 'Hello po')
    await first.store()
    await expect.poll(dead.pending, { timeout: 10_000 }).toBe(1)
    const second = start(1, async (psid) => nameOf(psid))
    await second.settled()
    expect(second.calls).toEqual([])
    harness.clock.advance(minute)
    await second.settled()
    expect(second.calls).toEqual(['stranger'])
    expect((await list()).get('stranger')).toEqual(['Name of stranger', 'Hello po'])
  })

  it('makes no call while the page’s token cannot be decrypted', async () => {
    const { calls, store, settled } = start(1, async (psid) => nameOf(psid))
    const { decrypt } = harness.pageTokens
    harness.pageTokens.decrypt = () => {
      throw new Error('another key')
    }
    await write('stranger', 'Hello po')
    await store()
    await settled()
    harness.pageTokens.decrypt = decrypt
    expect([calls, (await list()).get('stranger')]).toEqual([[], [null, 'Hello po']])
    harness.clock.advance(minute)
    await settled()
    expect([calls, (await list()).get('stranger')]).toEqual([['stranger'], ['Name of stranger', 'Hello po']])
  })

  it('does not delay a sync, which stores the name of the conversation', async () => {
    await harness.faults({ holdWebhooks: true })
    const { psid } = await harness.control<{ psid: string }>('POST', '/people', {
      pageId: prints,
      firstName: 'Tala',
      lastName: 'Ramos',
    })
    await harness.control('POST', `/people/${psid}/messages`, { text: 'Hello po' })
    const { pending, answer } = hanging()
    const { store, settled } = start(1, answer)
    const [inbox] = inboxes
    if (inbox === undefined) throw new Error('The inbox has just been started')
    const sync = createSync({ ...harness, lookups: inbox.lookups })
    expect(await sync.conversation(prints, 'messenger', psid)).toBe(1)
    await expect.poll(pending, { timeout: 10_000 }).toBe(1)
    expect((await list()).get(psid)).toEqual(['Tala Ramos', 'Hello po'])
    releaseCalls()
    await settled()
    const person = await harness.db.selectFrom('fb_users').select(['name', 'first_name']).executeTakeFirstOrThrow()
    expect([person, await waiting()]).toEqual([{ name: `Name of ${psid}`, first_name: 'Name' }, []])
    await harness.faults({})
    await harness.sandbox.settle()
    await store()
  })

  it('deletes a lookup together with its identity', async () => {
    const { store, settled } = start(1, async () => ({}))
    await write('stranger', 'Hello po')
    await store()
    await settled()
    expect(await waiting()).toHaveLength(1)
    await harness.db.deleteFrom('fb_users').where('psid', '=', 'stranger').execute()
    expect(await waiting()).toEqual([])
  })
})
