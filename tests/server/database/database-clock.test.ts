import { afterEach, expect, it, vi } from 'vitest'
import { type DatabaseClock, databaseClock } from '../../../server/database/database-clock.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'

const minute = 60_000
/** Milliseconds that a busy machine may take for a query. */
const tolerance = 5_000

describeOnEachDatabase('databaseClock', (open) => {
  let clock: DatabaseClock
  afterEach(() => clock.stop())
  const distance = () => Math.abs(clock.now() - Date.now())

  /** A machine with an adjustable clock. */
  const machineWithOffset = (offset: number) => {
    const time = manualClock()
    const after = vi.fn(time.after)
    const machine = { ...time, after, offset, now: () => time.now() + machine.offset }
    return machine
  }

  it('returns the time of the database on a machine whose clock is an hour behind', async () => {
    const { db } = await open()
    clock = await databaseClock(db, machineWithOffset(-60 * minute))
    expect(distance()).toBeLessThan(tolerance)
    expect(Math.abs(clock.offset() - 60 * minute)).toBeLessThan(tolerance)
  })

  it('corrects a changed machine clock within a minute, also after a database outage', async () => {
    const { db } = await open()
    const machine = machineWithOffset(0)
    clock = await databaseClock(db, machine)
    const known = clock.offset()
    machine.offset = 60 * minute

    const outage = vi.spyOn(db, 'getExecutor').mockImplementation(() => {
      throw new Error('connection lost')
    })
    machine.advance(minute)
    await vi.waitFor(() => expect(machine.after).toHaveBeenCalledTimes(2))
    expect(clock.offset()).toBe(known)

    outage.mockRestore()
    machine.advance(minute)
    await vi.waitFor(() => expect(machine.after).toHaveBeenCalledTimes(3))
    expect(distance()).toBeLessThan(tolerance)
  })
})
