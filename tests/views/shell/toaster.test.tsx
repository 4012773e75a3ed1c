import { act, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { ToastKind } from '../../../src/domain/toast.ts'
import { showApp } from '../app-harness.tsx'

vi.mock('../../../src/views/shell/InboxScreen.tsx', () => ({ InboxScreen: () => <p>The inbox</p> }))

async function start() {
  const app = await showApp('/')
  const notifier = app.app.system.get('notifier')
  return {
    app,
    say: (kind: ToastKind, text: string) => act(async () => notifier.send({ type: 'toast.requested', kind, text })),
    passes: (milliseconds: number) => act(async () => void app.clock.increment(milliseconds)),
    shown: () =>
      [...document.querySelectorAll<HTMLElement>('[data-sonner-toast]:not([data-removed=true])')].map((toast) => [
        toast.dataset['type'],
        toast.querySelector('[data-title]')?.textContent,
      ]),
    place: () => {
      const { xPosition, yPosition } = document.querySelector<HTMLElement>('[data-sonner-toaster]')?.dataset ?? {}
      return [yPosition, xPosition]
    },
  }
}

describe('A toast', () => {
  it('appears top right in its kind, for as long as the notifier decides', async () => {
    const { say, passes, shown, place } = await start()
    await say('error', 'Failed to load messages')
    await expect.poll(shown).toEqual([['error', 'Failed to load messages']])
    expect(place()).toEqual(['top', 'right'])
    await passes(4_999)
    expect(shown()).toEqual([['error', 'Failed to load messages']])
    await passes(1)
    await expect.poll(shown).toEqual([])
  })

  it('is announced next to a dialog that opened before the code of the toasts had loaded', async () => {
    const { say, shown } = await start()
    const place = document.querySelector('[aria-live]')
    expect(shown()).toEqual([])
    await say('error', 'Failed to load messages')
    await expect.poll(shown).toEqual([['error', 'Failed to load messages']])
    expect(place?.contains(document.querySelector('[data-sonner-toast]'))).toBe(true)
  })

  it('appears once, however often it is requested', async () => {
    const { say, shown } = await start()
    await say('error', 'Failed to load messages')
    await say('error', 'Failed to load messages')
    await expect.poll(shown).toEqual([['error', 'Failed to load messages']])
  })

  it('neutralizes bidirectional control characters in foreign text', async () => {
    const { say, shown } = await start()
    await say('error', 'Failed to sync recent messages: Lakbay\u202e: gone\u0007')
    await expect.poll(shown).toEqual([['error', 'Failed to sync recent messages: Lakbay: gone ']])
  })

  it('can be closed', async () => {
    const { app, say, shown } = await start()
    await say('success', 'Message sent successfully')
    const close = await screen.findByRole('button', { name: 'Close toast' })
    await act(async () => close.click())
    await expect.poll(shown).toEqual([])
    expect(app.app.system.get('notifier').getSnapshot().context.toasts).toEqual([])
  })
})
