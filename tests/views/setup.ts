import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import './browser-globals.ts'

beforeEach(() => {
  vi.useRealTimers()
  document.title = 'Inbox'
})

// Nothing is ignored: no test renders scripts or styles, and the check for them takes as long as the comparison of the text.
// `false` is allowed, but the type of this option lacks it.
configure({ defaultIgnore: false as never })

afterEach(cleanup)
