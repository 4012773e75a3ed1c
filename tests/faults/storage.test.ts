import { describe, expect, it } from 'vitest'
import { createStorage } from '../../src/services/storage.ts'
import { contentOf, createArea } from './memory-storage.ts'

const failing = (...methods: (keyof Storage)[]): Storage => {
  const area = createArea({ kept: 'before' })
  const refuse = () => {
    throw new DOMException('no', 'QuotaExceededError')
  }
  return Object.assign(area, Object.fromEntries(methods.map((method) => [method, refuse])))
}

function heard(storage: ReturnType<typeof createStorage>) {
  let times = 0
  storage.onFailed(() => {
    times += 1
  })
  return () => times
}

describe('Storage that works', () => {
  it('stores, returns and removes values without a notice', () => {
    const area = createArea()
    const storage = createStorage(() => area)
    const failures = heard(storage)
    storage.set('a', '1')
    storage.set('b', '2')
    storage.remove('a')
    expect([storage.get('a'), storage.get('b'), contentOf(area), failures()]).toEqual([null, '2', { b: '2' }, 0])
  })
})

describe('Storage that is blocked', () => {
  const blocked = () =>
    createStorage(() => {
      throw new DOMException('denied', 'SecurityError')
    })

  it('keeps values in memory and reports that once', () => {
    const storage = blocked()
    const failures = heard(storage)
    storage.set('a', '1')
    storage.set('b', '2')
    expect([storage.get('a'), storage.get('b'), storage.get('c'), failures()]).toEqual(['1', '2', null, 1])
  })

  it('removes values', () => {
    const storage = blocked()
    storage.set('a', '1')
    storage.remove('a')
    expect(storage.get('a')).toBe(null)
  })

  it('reports the problem to a listener that is added later', () => {
    const storage = blocked()
    storage.get('a')
    expect(heard(storage)()).toBe(1)
  })

  it('reports nothing to a removed listener', () => {
    const storage = blocked()
    const stop = storage.onFailed(() => expect.unreachable())
    stop()
    expect(storage.get('a')).toBe(null)
  })
})

describe('Storage that is full', () => {
  it('still returns its values and keeps the rest in memory', () => {
    const area = failing('setItem')
    const storage = createStorage(() => area)
    const failures = heard(storage)
    storage.set('a', '1')
    expect([storage.get('kept'), storage.get('a'), failures()]).toEqual(['before', '1', 1])
  })

  it('does not return the old value if a write failed', () => {
    const area = failing('setItem')
    const storage = createStorage(() => area)
    storage.set('kept', 'after')
    expect(storage.get('kept')).toBe('after')
    storage.remove('kept')
    expect([storage.get('kept'), contentOf(area)]).toEqual([null, {}])
  })

  it('is used again once there is space', () => {
    const area = failing()
    let isFull = true
    const setItem = area.setItem
    area.setItem = (key, text) => {
      if (isFull) throw new DOMException('no', 'QuotaExceededError')
      setItem(key, text)
    }
    const storage = createStorage(() => area)
    storage.set('a', '1')
    isFull = false
    storage.set('a', '2')
    expect([storage.get('a'), contentOf(area)]).toEqual(['2', { kept: 'before', a: '2' }])
  })
})
