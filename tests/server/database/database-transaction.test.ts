import { expect, it } from 'vitest'
import { inTransaction } from '../../../server/database/transaction.ts'
import { describeOnEachDatabase } from '../databases.ts'

const failure = (code: string) => Object.assign(new Error('the words of the database'), { code })

describeOnEachDatabase('A transaction', (open) => {
  const failing = async (codes: string[]) => {
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

  it('is retried after a deadlock or conflict, without effects of the failed attempts', async () => {
    expect(await failing(['40P01', '40001'])).toEqual({ outcome: 'done', calls: 3, kept: ['40P01,40001-3'] })
  })

  it('fails after five attempts', async () => {
    const codes = Array.from({ length: 9 }, () => '40P01')
    expect(await failing(codes)).toEqual({ outcome: failure('40P01'), calls: 5, kept: [] })
  })

  it.each(['23505', '08006'])('is not retried after %s', async (code) => {
    expect(await failing([code])).toEqual({ outcome: failure(code), calls: 1, kept: [] })
  })
})
