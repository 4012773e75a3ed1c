import { act } from '@testing-library/react'
import { expect } from 'vitest'

/** What was asked for is on the screen after the next frame; what goes may take another. */
export const nextFrame = () =>
  act(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => resolve())
      }),
  )

/** The toasts on the screen, the oldest first; one that is going is not counted. */
export const toastsOnScreen = () =>
  // The newest stands on top.
  [...document.querySelectorAll<HTMLElement>('[data-sonner-toast]:not([data-removed=true])')].reverse()

/** What they say. */
export const shownToasts = () =>
  toastsOnScreen().map((toast) => `${toast.dataset['type']}: ${toast.querySelector('[data-title]')?.textContent}`)

/** Waits until the toasts say this and no more, the oldest first: one that must not come has had the time to. */
export async function expectToasts(texts: readonly string[]): Promise<void> {
  await nextFrame()
  await expect.poll(shownToasts, { interval: 5, timeout: 10_000, message: 'the toasts' }).toEqual(texts)
}
