import { act, fireEvent } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ToastKind } from '../../../src/domain/toast.ts'
import { notifierMachine } from '../../../src/machines/shell/notifier.ts'
import { createCoverage, followByHand } from '../../model/harness.ts'
import { showApp } from '../app-harness.tsx'
import { found } from '../found.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { expectToasts, toastsOnScreen } from '../shown-toasts.ts'

const coverage = createCoverage(notifierMachine)

type Said = { say: ToastKind; text: string }
type Deed = Said | 'close the oldest' | { wait: number }

const deeds: readonly Deed[] = [
  { say: 'error', text: 'Failed to load messages' },
  { say: 'success', text: 'Failed to load messages' },
  { say: 'warning', text: 'Settings updated' },
  'close the oldest',
  { wait: 3_000 },
  { wait: 6_000 },
]

const durations = { success: 3_000, info: 3_000, warning: 4_000, error: 5_000 }
type Screen = { now: number; said: Readonly<Record<string, number>>; toasts: readonly (Said & { until: number })[] }
const empty: Screen = { now: 0, said: {}, toasts: [] }

/** Spec sections 8 and 9: each toast stays for the time of its kind, and the same text appears once within 3000 ms. */
function after({ now, said, toasts }: Screen, deed: Deed): Screen {
  if (deed === 'close the oldest') return { now, said, toasts: toasts.slice(1) }
  if ('wait' in deed) {
    const then = now + deed.wait
    return { now: then, said, toasts: toasts.filter(({ until }) => until > then) }
  }
  const last = said[deed.text]
  if (last !== undefined && now - last < 3_000) return { now, said, toasts }
  return {
    now,
    said: { ...said, [deed.text]: now },
    toasts: [...toasts, { ...deed, until: now + durations[deed.say] }],
  }
}

type Step = { deed: Deed; screen: Screen }

/** All sequences of this many actions that begin with a toast. */
const pathsOf = (length: number): Step[][] => {
  if (length === 0) return [[]]
  return pathsOf(length - 1).flatMap((path) => {
    const before = path.at(-1)?.screen ?? empty
    return deeds
      .filter((deed) => (path.length === 0 ? deed instanceof Object && 'say' in deed : true))
      .filter((deed) => deed !== 'close the oldest' || before.toasts.length > 0)
      .map((deed) => [...path, { deed, screen: after(before, deed) }])
  })
}

async function start() {
  const app = await showApp('/', coverage.inspect)
  const notifier = app.app.system.get('notifier')
  const run = (deed: Deed) => {
    if (deed === 'close the oldest') {
      const button = toastsOnScreen()[0]?.querySelector('[data-close-button]')
      return act(async () => fireEvent.click(found(button, 'the button that closes the oldest toast')))
    }
    if ('wait' in deed) return act(async () => app.clock.increment(deed.wait))
    return act(async () => notifier.send({ type: 'toast.requested', kind: deed.say, text: deed.text }))
  }
  return { run, notifier, stop: app.stop }
}

describe('The toast container shows the toasts of the notifier', () => {
  const paths = pathsOf(3)

  it(`over ${paths.length} paths: all sequences of three actions`, async () => {
    const { run, stop } = await start()
    for (const path of paths) {
      await followByHand(
        notifierMachine,
        path.map(({ deed, screen }) => ({
          name: JSON.stringify(deed),
          run: () => run(deed),
          check: async () => {
            await expectToasts(screen.toasts.map(({ say, text }) => `${say}: ${text}`))
          },
        })),
      )
      // All toasts go, and each text may be said again.
      await run({ wait: 10_000 })
      await expectToasts([])
    }
    stop()
  }, 300_000)

  it('hides the toast of a change that is undone', async () => {
    const { notifier, stop } = await start()
    const undoable = { type: 'toast.requested', kind: 'success', text: 'Ana is done', undo: 'k1' } as const
    await act(async () => notifier.send(undoable))
    await expectToasts(['success: Ana is done'])
    await act(async () => notifier.send({ type: 'change.undone', key: 'k1' }))
    await expectToasts([])
    stop()
  })

  it('exists once the list has loaded, before the first toast', async () => {
    const inbox = await showInbox({ inspect: coverage.inspect, withToasts: true })
    const place = () => document.querySelector('[aria-label^="Notifications"]') !== null
    await followByHand(notifierMachine, [
      { name: 'nothing', run: () => {}, check: () => expect(place()).toBe(false) },
      {
        name: 'the list has loaded',
        run: () => inbox.answer('loadTop', listOf([])),
        check: () => expect(place()).toBe(false),
      },
      { name: 'it is painted', run: () => inbox.pass(100), check: () => expect.poll(place).toBe(true) },
    ])
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
