import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type DraftContent,
  isUnsaved,
  nothingSaved,
  reconcile,
  type SavedDraft,
  type ServerDraft,
  settle,
  withSent,
} from '../../../src/domain/send/saved-drafts.ts'

/** A letter after an asterisk is the title of a quick reply. */
const content = (written: string): DraftContent => {
  const [text = '', title] = written.split('*')
  return { text, extras: title === undefined ? null : { structure: { kind: 'quickReplies', titles: [title] } } }
}
const server = (written: string, version = 'v2'): ServerDraft => ({
  conversationId: 'c1',
  ...content(written),
  version,
})
const saved = (written: string, version: string | null = 'v1', sent: readonly string[] = []): SavedDraft => ({
  version,
  ...content(written),
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
    ['quick replies added here only', 'a*q', saved('a'), server('a', 'v1'), 'a*q', 'v1', false],
    ['quick replies added elsewhere only', 'a', saved('a'), server('a*q'), 'a*q', 'v2', false],
    ['quick replies removed elsewhere only', 'a*q', saved('a*q'), server('a'), 'a', 'v2', false],
    ['sent elsewhere with its quick replies', 'a*q', saved('a*q'), null, '', null, false],
    ['the same text with other quick replies', 'a*q', saved('a'), server('a*r'), 'a*q', 'v2', false],
    ['typed elsewhere, quick replies removed here', 'a', saved('a*q'), server('ab*q'), 'a', 'v1', true],
  ])('%s', (_, written, before, from, expected, version, differs) => {
    const result = reconcile(content(written), before, from)
    expect([result.content, result.saved.version, result.other]).toEqual([
      content(expected),
      version,
      differs ? from : null,
    ])
  })

  it('keep every text that was typed after the last common text', () => {
    const text = fc.constantFrom('', ' ', 'a', 'b', 'ab')
    fc.assert(
      fc.property(text, text, text, (here, common, there) => {
        const result = reconcile(content(here), saved(common.trim()), there.trim() === '' ? null : server(there))
        const kept = [result.content.text, result.other?.text ?? '']
        if (here.trim() !== common.trim() && here.trim() !== '') expect(kept).toContain(here)
        if (there.trim() !== common.trim() && there.trim() !== '') expect(kept).toContain(there)
      }),
      { seed: 17, numRuns: 500 },
    )
  })

  it.each([
    ['this', 'ab', 'ac*r', 'ab', true],
    ['other', 'ab*q', 'ac', 'ac', false],
    ['both', 'ab', 'ac', 'ab\n\nac', true],
    ['both', 'ab*q', 'ac*r', 'ab\n\nac*q', true],
    ['both', 'ab', 'ac*r', 'ab\n\nac*r', true],
  ] as const)('are settled by the choice %s, %j and %j', (choice, here, there, expected, needsSave) => {
    const settled = settle(content(here), saved('a', 'v1', ['v0']), server(there), choice)
    expect(settled).toEqual({ content: content(expected), saved: saved(there, 'v2', ['v0']) })
    expect(isUnsaved(settled.content, settled.saved)).toBe(needsSave)
  })

  it('remember the last 20 versions that were sent', () => {
    const versions = Array.from({ length: 25 }, (_, index) => `v${index}`)
    const after = [...versions, 'v24'].reduce(withSent, nothingSaved)
    expect(after.sent).toEqual(versions.slice(5))
  })
})
