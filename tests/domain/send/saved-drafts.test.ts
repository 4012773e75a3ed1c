import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isUnsaved,
  nothingSaved,
  reconcile,
  type SavedDraft,
  type ServerDraft,
  settle,
  withSent,
} from '../../../src/domain/send/saved-drafts.ts'

const server = (text: string, version = 'v2'): ServerDraft => ({ conversationId: 'c1', text, version })
const saved = (text: string, version: string | null = 'v1', sent: readonly string[] = []): SavedDraft => ({
  version,
  text,
  sent,
})

describe('The draft of the server and the text of this browser', () => {
  it.each<[string, string, SavedDraft, ServerDraft | null, string, string | null, boolean]>([
    ['nothing changed', 'a', saved('a'), server('a', 'v1'), 'a', 'v1', false],
    ['typed here only', 'ab', saved('a'), server('a', 'v1'), 'ab', 'v1', false],
    ['typed elsewhere only', 'a', saved('a'), server('ab'), 'ab', 'v2', false],
    ['nothing here, a draft elsewhere', '', nothingSaved, server('a'), 'a', 'v2', false],
    ['white space here, a draft elsewhere', ' \n', nothingSaved, server('a'), 'a', 'v2', false],
    ['sent here, typed elsewhere', '', saved('a'), server('ab'), 'ab', 'v2', false],
    ['sent elsewhere, unchanged here', 'a', saved('a'), null, '', null, false],
    ['sent elsewhere, typed here', 'ab', saved('a'), null, 'ab', null, false],
    ['the same text in both', 'ab', saved('a'), server('ab'), 'ab', 'v2', false],
    ['written again elsewhere without a change', 'ab', saved('a'), server('a'), 'ab', 'v2', false],
    ['an own write whose answer was lost', 'abc', saved('a', 'v1', ['v2']), server('ab'), 'abc', 'v2', false],
    ['typed in both', 'ab', saved('a'), server('ac'), 'ab', 'v1', true],
    ['typed in both before the first save', 'a', nothingSaved, server('b'), 'a', null, true],
  ])('%s', (_, text, before, from, expectedText, version, differs) => {
    const result = reconcile(text, before, from)
    expect([result.text, result.saved.version, result.other]).toEqual([expectedText, version, differs ? from : null])
  })

  it('keep every text that was typed after the last common text', () => {
    const text = fc.constantFrom('', ' ', 'a', 'b', 'ab')
    fc.assert(
      fc.property(text, text, text, (here, common, there) => {
        const result = reconcile(here, saved(common.trim()), there.trim() === '' ? null : server(there))
        const kept = [result.text, result.other?.text ?? '']
        if (here.trim() !== common.trim() && here.trim() !== '') expect(kept).toContain(here)
        if (there.trim() !== common.trim() && there.trim() !== '') expect(kept).toContain(there)
      }),
      { seed: 17, numRuns: 500 },
    )
  })

  it.each([
    ['this', 'ab', true],
    ['other', 'ac', false],
    ['both', 'ab\n\nac', true],
  ] as const)('are settled by the choice %s', (choice, text, needsSave) => {
    const settled = settle('ab', saved('a', 'v1', ['v0']), server('ac'), choice)
    expect(settled).toEqual({ text, saved: { version: 'v2', text: 'ac', sent: ['v0'] } })
    expect(isUnsaved(settled.text, settled.saved)).toBe(needsSave)
  })

  it('remember the last 20 versions that were sent', () => {
    const versions = Array.from({ length: 25 }, (_, index) => `v${index}`)
    const after = [...versions, 'v24'].reduce(withSent, nothingSaved)
    expect(after.sent).toEqual(versions.slice(5))
  })
})
