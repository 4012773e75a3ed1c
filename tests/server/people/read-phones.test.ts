import { beforeEach, expect, it } from 'vitest'
import { listConversations } from '../../../server/database/conversation-list.ts'
import type { Db } from '../../../server/database/database.ts'
import { readPhones } from '../../../server/people/read-phones.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addPage } from '../people.ts'

describeOnDatabase('readPhones', (open) => {
  let db: Db
  beforeEach(async () => {
    db = (await open()).db
    await db.deleteFrom('clients').execute()
  })

  const add = (id: string, phone: string | null, external_id: string | null = null) =>
    db.insertInto('clients').values({ id, first_name: 'Ana', last_name: id, phone, external_id }).execute()
  const stored = async () =>
    Object.fromEntries(
      (await db.selectFrom('clients').select(['id', 'phone', 'phone_e164', 'external_id']).orderBy('id').execute()).map(
        ({ id, ...rest }) => [id, Object.values(rest)],
      ),
    )

  it('fills the one form of stored numbers, again after another text, and leaves the text', async () => {
    await add('k1', '0956 123 4567')
    await add('k2', 'ask Nena')
    await add('k3', null)
    await readPhones(db, 'PH', { all: true })
    // The previous release knows the text only.
    await db.updateTable('clients').set({ phone: '+63 917 000 1111' }).where('id', '=', 'k1').execute()
    await add('k4', '09170001111')
    await readPhones(db, 'PH', { all: false })
    expect(await stored()).toEqual({
      k1: ['+63 917 000 1111', '+639170001111', null],
      k2: ['ask Nena', null, null],
      k3: [null, null, null],
      k4: ['09170001111', '+639170001111', null],
    })
    await db.updateTable('clients').set({ phone: null }).where('id', '=', 'k1').execute()
    await readPhones(db, 'PH', { all: false })
    expect((await stored())['k1']).toEqual([null, null, null])
  })

  it('reads all numbers again for another country', async () => {
    await add('k1', '(415) 555-2671')
    await readPhones(db, 'PH', { all: true })
    expect((await stored())['k1']).toEqual(['(415) 555-2671', null, null])
    await readPhones(db, 'US', { all: false })
    expect((await stored())['k1']?.[1]).toBeNull()
    await readPhones(db, 'US', { all: true })
    expect((await stored())['k1']?.[1]).toBe('+14155552671')
  })

  it('reads more numbers than one batch has, and stops on request', async () => {
    await db
      .insertInto('clients')
      .values(
        Array.from({ length: 1_201 }, (_, index) => ({
          first_name: 'Ana',
          last_name: 'Cruz',
          phone: `0917${String(index).padStart(7, '0')}`,
        })),
      )
      .execute()
    const count = async () =>
      Number(
        (
          await db
            .selectFrom('clients')
            .select(({ fn }) => fn.count('phone_e164').as('count'))
            .executeTakeFirstOrThrow()
        ).count,
      )
    let batches = 0
    await readPhones(db, 'PH', { all: true, isRunning: () => ++batches <= 2 })
    expect(await count()).toBe(1_000)
    await readPhones(db, 'PH', { all: true })
    expect(await count()).toBe(1_201)
  })

  it('gives clients that a file named by phone alone the id that a file derives now, each id once', async () => {
    await add('k1', '(02) 8123 4567', 'phone:0281234567')
    await add('k2', '02 8123 4567', 'phone:281234567')
    await add('k3', '0917 123 4567', 'c-1')
    await readPhones(db, 'PH', { all: true })
    expect(Object.values(await stored()).map((row) => row[2])).toEqual(['phone:3281234567', 'phone:281234567', 'c-1'])
  })

  it('lets the search for conversations find the number in every notation', async () => {
    await addPage(db, 'p1')
    await addIdentity(db, 'ana', { page: 'p1' })
    await add('k1', '+63 956 123 4567')
    await db.updateTable('conversations').set({ client_id: 'k1' }).where('primary_user_id', '=', 'ana').execute()
    await readPhones(db, 'PH', { all: true })
    const found = async (search: string) =>
      (
        await listConversations(
          db,
          { page: 1, limit: 20, search },
          { staffId: 's1', now: 0, country: 'PH', seesAmounts: true },
        )
      ).total
    const terms = ['0956 123 4567', '09561234567', '+63956', '63 956 123 4567', '(0956) 123-4567', '4567', '0957']
    expect(await Promise.all(terms.map(found))).toEqual([1, 1, 1, 1, 1, 1, 0])
  })
})
