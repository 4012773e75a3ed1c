import { describe, expect, it } from 'vitest'
import { createKernel, currentProcess, type Machine } from './kernel.ts'

const machine = (name: string): Machine => ({ name, clockOffset: 0, sleepsUntil: 0 })

/** Three processes that each schedule events at the same times; returns the order in which they ran. */
async function orderOf(seed: number): Promise<string[]> {
  const kernel = createKernel({ seed, start: 0 })
  const order: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const process = kernel.start(machine(name), name)
    for (const round of [1, 2, 3]) {
      for (const part of [1, 2]) kernel.schedule(process, round, 'event', () => order.push(`${name}${round}.${part}`))
    }
  }
  await kernel.runUntil(10)
  return order
}

describe('The scheduler of simulations', () => {
  it('runs events by their time, those of one process in their order, and those of others by the seed', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, (_, seed) => orderOf(seed)))
    for (const order of orders) {
      expect(order.map((event) => event.slice(1, 2)).join('')).toBe('111111222222333333')
      for (const name of ['a', 'b', 'c']) {
        const own = order.filter((event) => event.startsWith(name)).map((event) => event.slice(1))
        expect(own).toEqual(['1.1', '1.2', '2.1', '2.2', '3.1', '3.2'])
      }
    }
    expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(5)
    expect(await orderOf(7)).toEqual(orders[7])
  })

  it('waits for what an event has started before it releases the next', async () => {
    const kernel = createKernel({ seed: 1, start: 0 })
    const process = kernel.start(machine('a'), 'a')
    const seen: string[] = []
    kernel.schedule(process, 1, 'first', async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      seen.push('first')
    })
    kernel.schedule(process, 2, 'second', () => void Promise.resolve().then(() => seen.push('second')))
    kernel.schedule(process, 3, 'third', () => seen.push('third'))
    await kernel.runUntil(10)
    expect(seen).toEqual(['first', 'second', 'third'])
  })

  it('runs nothing of a process that has ended, and tells which process is running', async () => {
    const kernel = createKernel({ seed: 1, start: 0 })
    const process = kernel.start(machine('a'), 'a')
    const other = kernel.start(machine('b'), 'b')
    const seen: (string | undefined)[] = []
    process.endAt = { kind: 'statement', count: 2 }
    for (const at of [1, 2, 3]) {
      kernel.schedule(
        process,
        at,
        'statement',
        () => kernel.reach(process, 'statement') && seen.push(currentProcess()?.name),
      )
    }
    kernel.schedule(other, 4, 'other', () => seen.push(currentProcess()?.name))
    await kernel.runUntil(10)
    expect(seen).toEqual(['a', 'b'])
    expect(process.isAlive).toBe(false)
  })

  it('runs what is due on a sleeping machine when it wakes, unless it was cancelled', async () => {
    const kernel = createKernel({ seed: 1, start: 0 })
    const sleeper = machine('a')
    const process = kernel.start(sleeper, 'a')
    const seen: [string, number][] = []
    sleeper.sleepsUntil = 100
    kernel.schedule(process, 10, 'kept', () => seen.push(['kept', kernel.now()]))
    const cancel = kernel.schedule(process, 20, 'cancelled', () => seen.push(['cancelled', kernel.now()]))
    await kernel.runUntil(50)
    cancel()
    await kernel.runUntil(200)
    expect(seen).toEqual([['kept', 100]])
  })
})
