import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresForTests, type RunningPostgres } from '../../scripts/postgres.ts'
import type { Backend } from './database.ts'
import { dropTemplate, postgresBackend } from './postgres.ts'
import { run } from './run.ts'

const server: RunningPostgres | null = await postgresForTests()

describe.skipIf(server === null)('The simulation on PostgreSQL', () => {
  const url = server?.url ?? ''
  let backend: Backend
  let time = Date.UTC(2026, 2, 2, 9)
  const [one, two] = [{}, {}]

  beforeAll(async () => {
    backend = await postgresBackend({ url, seed: 1, now: () => time })
    await backend.read('create table numbers (id integer primary key, number integer)', [])
    await backend.read('insert into numbers values (1, 0), (2, 0)', [])
  })
  afterAll(async () => {
    await backend?.close()
    await dropTemplate(url)
    await server?.stop()
  })

  /** Starts a statement and returns what has ended then: the session, and the rows or the code of the error. */
  async function execute(session: object, text: string): Promise<unknown[]> {
    backend.start(session, text, [])
    return outcomes()
  }
  const outcomes = async () =>
    (await backend.ended()).map(({ session, result }) => [
      session === one ? 'one' : 'two',
      'answer' in result ? result.answer.rows : (result.error as { code: string }).code,
    ])
  const raise = (id: number) => `update numbers set number = number + 1 where id = ${id}`

  it('lets a statement wait for a lock until the other transaction has ended', async () => {
    await execute(one, 'begin')
    expect(await execute(one, raise(1))).toEqual([['one', []]])
    expect(await execute(two, raise(1))).toEqual([])
    expect(await execute(one, 'commit')).toEqual([
      ['one', []],
      ['two', []],
    ])
    expect(await backend.read('select number from numbers where id = 1', [])).toEqual([{ number: 2 }])
  })

  it('ends a deadlock with an error of the transaction that came last', async () => {
    for (const session of [one, two]) await execute(session, 'begin')
    await execute(one, raise(1))
    await execute(two, raise(2))
    expect(await execute(one, raise(2))).toEqual([])
    expect(await execute(two, raise(1))).toEqual([
      ['one', []],
      ['two', '40P01'],
    ])
    await execute(two, 'rollback')
    await execute(one, 'rollback')
    expect(await backend.read('select number from numbers order by id', [])).toEqual([{ number: 2 }, { number: 0 }])
  })

  it('rolls back the transaction of a connection that is cut, also one that others wait for', async () => {
    await execute(one, 'begin')
    await execute(one, raise(1))
    expect(await execute(two, raise(1))).toEqual([])
    await backend.drop(one)
    expect(await outcomes()).toEqual([['two', []]])
    expect(await backend.read('select number from numbers where id = 1', [])).toEqual([{ number: 3 }])
  })

  it('has the simulated time, which stands still within a transaction, and ids of the seed', async () => {
    await execute(two, 'begin')
    const began = time
    time += 5_000
    const [[, rows] = []] = (await execute(
      two,
      'select now() as began, clock_timestamp() as at, gen_random_uuid() as id',
    )) as [string, { began: Date; at: Date; id: string }[]][]
    await execute(two, 'rollback')
    expect(rows?.map(({ began: from, at }) => [from.getTime(), at.getTime()])).toEqual([[began, time]])
    const other = await postgresBackend({ url, seed: 1, now: () => time })
    expect(await other.read('select gen_random_uuid() as id', [])).toEqual([{ id: rows?.[0]?.id }])
    await other.close()
  })

  it('passes a seed', async () => {
    process.env['TEST_DATABASE_URL'] = url
    const { passed, output } = await run('--database=postgres', '--seed=1', '--steps=5')
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })
})
