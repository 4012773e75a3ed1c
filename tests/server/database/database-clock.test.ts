import { afterEach, expect, it, vi } from 'vitest'
import { type DatabaseClock, databaseClock } from '../../../server/database/database-clock.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'

const minute = 60_000
/** Milliseconds that a busy machine may take for a query. */
const tolerance = 5_000

describeOnEachDatabase('The clock of the database', (open) => {
  let clock: DatabaseClock
  afterEach(() => clock.stop())
  const distance = () => Math.abs(clock.now() - Date.now())

  /** A machine with an adjustable clock. */
  const machineOff = (by: number) => {
    const passing = manualClock()
    const after = vi.fn(passing.after)
    const machine = { ...passing, after, off: by, now: () => passing.now() + machine.off }
    return machine
  }

  it('gives the database’s time on a machine that is an hour behind', async () => {
    const { db } = await open()
    clock = await databaseClock(db, machineOff(-60 * minute))
    expect(distance()).toBeLessThan(tolerance)
    expect(Math.abs(clock.offset() - 60 * minute)).toBeLessThan(tolerance)
  })

  it('follows a change of the machine’s clock within a minute, also after an outage', async () => {
    const { db } = await open()
    const machine = machineOff(0)
    clock = await databaseClock(db, machine)
    const known = clock.offset()
    machine.off = 60 * minute

    const away = vi.spyOn(db, 'getExecutor').mockImplementation(() => {
      throw new Error('away')
    })
    machine.advance(minute)
    await vi.waitFor(() => expect(machine.after).toHaveBeenCalledTimes(2))
    expect(clock.offset()).toBe(known)

    away.mockRestore()
    machine.advance(minute)
    await vi.waitFor(() => expect(machine.after).toHaveBeenCalledTimes(3))
    expect(distance()).toBeLessThan(tolerance)
  })
})
