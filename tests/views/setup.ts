import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import './browser-globals.ts'

configure({
  // Nothing is ignored: no test renders scripts or styles, and the check for them takes as long as the comparison of the text.
  // `false` is allowed, but the type of this option lacks it.
  defaultIgnore: false as never,
  // Milliseconds. A busy machine is no reason to fail.
  asyncUtilTimeout: 10_000,
})

beforeEach(() => {
  document.title = 'Inbox'
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

// The next file of the worker has the same window.
afterAll(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/')
  localStorage.clear()
  sessionStorage.clear()
})
