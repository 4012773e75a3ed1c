import { act } from '@testing-library/react'
import { expect } from 'vitest'

/** A requested toast appears after the next frame. A closing toast may need another frame. */
export const nextFrame = () =>
  act(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => resolve())
      }),
  )

/** The toasts on the screen, oldest first, without closing ones. */
export const toastsOnScreen = () =>
  // The newest toast is on top.
  [...document.querySelectorAll<HTMLElement>('[data-sonner-toast]:not([data-removed=true])')].reverse()

/** The texts of the toasts. */
export const shownToasts = () =>
  toastsOnScreen().map((toast) => `${toast.dataset['type']}: ${toast.querySelector('[data-title]')?.textContent}`)

/** Waits until exactly these toasts are shown, oldest first. The wait also gives an unexpected toast time to appear. */
export async function expectToasts(texts: readonly string[]): Promise<void> {
  await nextFrame()
  await expect.poll(shownToasts, { interval: 5, timeout: 10_000, message: 'the toasts' }).toEqual(texts)
}
