import { expect, it } from 'vitest'
import { withKnownPage } from '../../../src/domain/send/draft.ts'

const draft = { id: 'd1', text: 'half a sentence', pageId: 'p2' }
const page = (id: string) => ({ id })

it('a draft keeps its chosen page, and falls back to Auto-select if that page no longer exists', () => {
  expect(withKnownPage(draft, [page('p1'), page('p2')])).toBe(draft)
  expect(withKnownPage(draft, [page('p1')])).toEqual({ ...draft, pageId: null })
})
