import { afterEach, expect, it, vi } from 'vitest'
import { rememberedAppearance, showAppearance } from '../../../src/services/shell/appearance.ts'
import { contentOf, createArea } from '../memory-storage.ts'

function openPage(area: Storage, dataset: Record<string, string> = {}) {
  vi.stubGlobal('localStorage', area)
  vi.stubGlobal('document', { documentElement: { dataset } })
  return { area, dataset }
}
afterEach(() => vi.unstubAllGlobals())

it.each([
  ['light', 'light'],
  ['dark', 'dark'],
  ['system', 'system'],
  ['sepia', 'system'],
  [null, 'system'],
])('the stored appearance %j is shown as %s', (stored, shown) => {
  openPage(createArea(stored === null ? {} : { appearance: stored }))
  expect(rememberedAppearance()).toBe(shown)
})

it('a chosen appearance is shown at once and stored, unless it is that of the system', () => {
  const { area, dataset } = openPage(createArea({ token: 't' }), { other: 'kept' })
  const shown = (['dark', 'light', 'system', 'system'] as const).map((appearance) => {
    showAppearance(appearance)
    return [{ ...dataset }, contentOf(area)]
  })
  expect(shown).toEqual([
    [
      { other: 'kept', theme: 'dark' },
      { token: 't', appearance: 'dark' },
    ],
    [
      { other: 'kept', theme: 'light' },
      { token: 't', appearance: 'light' },
    ],
    [{ other: 'kept' }, { token: 't' }],
    [{ other: 'kept' }, { token: 't' }],
  ])
})

it('a browser that blocks its storage shows what is chosen until the next load', () => {
  const blocked = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const area = Object.assign(createArea(), { getItem: blocked, setItem: blocked, removeItem: blocked })
  const { dataset } = openPage(area)
  expect(rememberedAppearance()).toBe('system')
  showAppearance('dark')
  expect(dataset).toEqual({ theme: 'dark' })
  showAppearance('system')
  expect(dataset).toEqual({})
})
