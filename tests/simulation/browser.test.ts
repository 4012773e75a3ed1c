import { describe, expect, it } from 'vitest'
import { createSimulatedBrowser } from './browser.ts'
import { createKernel, type Machine, type Process } from './kernel.ts'

/** A browser with two tabs. `heard` has the storage events of each. */
function openBrowser() {
  const kernel = createKernel({ seed: 1, start: 0 })
  const machine: Machine = { name: 'computer', clockOffset: 0, sleepsUntil: 0 }
  const browser = createSimulatedBrowser({ kernel, seed: 1, machine })
  const heard: Record<string, unknown[]> = { a: [], b: [] }
  const tabs = ['a', 'b'].map((name) => {
    const process = kernel.start(machine, name)
    const window = new EventTarget()
    window.addEventListener('storage', (event) => {
      const { key, oldValue, newValue } = event as StorageEvent
      heard[name]?.push([key, oldValue, newValue])
    })
    browser.addTab(process, { window })
    return process
  }) as [Process, Process]
  /** Runs code of a tab, and all that follows. */
  const run = async (tab: Process, work: () => unknown) => {
    kernel.schedule(tab, 0, 'test', work)
    await kernel.runUntil(kernel.now() + 1_000)
  }
  return { kernel, browser, heard, run, a: tabs[0], b: tabs[1] }
}

describe('The simulated browser', () => {
  it('tells the other tab of each change of the storage, and not the tab that made it', async () => {
    const { browser, heard, run, a, b } = openBrowser()
    await run(a, () => browser.storage.setItem('key', 'one'))
    await run(a, () => browser.storage.setItem('key', 'one'))
    await run(b, () => browser.storage.removeItem('key'))
    await run(b, () => browser.storage.clear())
    expect(heard).toEqual({
      a: [
        ['key', 'one', null],
        [null, null, null],
      ],
      b: [['key', null, 'one']],
    })
  })

  it('keeps nothing that a closed tab or a full storage would store', async () => {
    const { kernel, browser, run, a, b } = openBrowser()
    await run(a, () => {
      kernel.end(a)
      browser.storage.setItem('late', 'text')
    })
    browser.fillStorage(true)
    await run(b, () => expect(() => browser.storage.setItem('more', 'text')).toThrow('quota'))
    expect([...browser.stored]).toEqual([])
  })

  it('gives a lock to one tab at a time, and to the next when its tab is closed', async () => {
    const { kernel, browser, run, a, b } = openBrowser()
    const held: string[] = []
    const hold = (name: string) => () =>
      void browser.navigator.locks.request('lock', () => {
        held.push(name)
        return new Promise(() => undefined)
      })
    await run(a, hold('a'))
    await run(b, hold('b'))
    expect(held).toEqual(['a'])
    kernel.end(a)
    await kernel.runUntil(kernel.now() + 1_000)
    expect(held).toEqual(['a', 'b'])
  })

  it('carries a message of a channel to the other tab', async () => {
    const { browser, run, a, b } = openBrowser()
    const received: unknown[] = []
    const { BroadcastChannel } = browser.globals
    await run(b, () => {
      new BroadcastChannel('news').onmessage = (event) => void received.push((event as MessageEvent).data)
      new BroadcastChannel('others').onmessage = (event) => void received.push(event)
    })
    await run(a, () => new BroadcastChannel('news').postMessage({ text: 'hello' }))
    expect(received).toEqual([{ text: 'hello' }])
  })
})
