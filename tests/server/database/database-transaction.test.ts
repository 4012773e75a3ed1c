import { expect, it } from 'vitest'
import { inTransaction } from '../../../server/database/transaction.ts'
import { describeOnEachDatabase } from '../databases.ts'

const failure = (code: string) => Object.assign(new Error('message of the database'), { code })

describeOnEachDatabase('inTransaction', (open) => {
  const runFailing = async (codes: string[]) => {
    const { db } = await open()
    let calls = 0
    const outcome = await inTransaction(db, async (trx) => {
      const code = codes[calls++]
      await trx
        .insertInto('deleted_messages')
        .values({ message_id: `${codes.join()}-${calls}` })
        .execute()
      if (code !== undefined) throw failure(code)
      return 'done'
    }).catch((error: unknown) => error)
    const kept = await db
      .selectFrom('deleted_messages')
      .select('message_id')
      .where('message_id', 'like', `${codes.join()}-%`)
      .execute()
    return { outcome, calls, kept: kept.map(({ message_id }) => message_id) }
  }

  it('retries after a deadlock or conflict, and rolls back the failed attempts', async () => {
    expect(await runFailing(['40P01', '40001'])).toEqual({ outcome: 'done', calls: 3, kept: ['40P01,40001-3'] })
  })

  it('fails after five attempts', async () => {
    const codes = Array.from({ length: 9 }, () => '40P01')
    expect(await runFailing(codes)).toEqual({ outcome: failure('40P01'), calls: 5, kept: [] })
  })

  it.each(['23505', '08006'])('does not retry after error %s', async (code) => {
    expect(await runFailing([code])).toEqual({ outcome: failure(code), calls: 1, kept: [] })
  })
})
