import { expect, it } from 'vitest'
import { withKnownPage } from '../../../src/domain/send/draft.ts'

const draft = { id: 'd1', text: 'half a sentence', pageId: 'p2' }
const page = (id: string) => ({ id })

it('a draft keeps the page that was chosen for it, and falls back to Auto-select where that page is gone', () => {
  expect(withKnownPage(draft, [page('p1'), page('p2')])).toBe(draft)
  expect(withKnownPage(draft, [page('p1')])).toEqual({ ...draft, pageId: null })
})
