import { describe, expect, it } from 'vitest'
import { type AttachedFile, storedPicture } from '../../../src/domain/send/attached-files.ts'
import { matchingReplies, tokenAt, withInsertion } from '../../../src/domain/send/saved-replies.ts'
import { blockedReasonOf, bodyOf, fieldsOf } from '../../../src/domain/send/saved-reply-fields.ts'
import { withSlash } from '../../../src/domain/send/with-slash.ts'
import { pictureOf, savedReplyOf } from '../../model/send/saved-replies-fixture.ts'

/** The caret is at the mark. */
const at = (marked: string) => ({ text: marked.replace('|', ''), caret: marked.indexOf('|') })

describe('The / that opens the list', () => {
  it.each<[string, { start: number; query: string } | null]>([
    ['/|', { start: 0, query: '' }],
    ['/ho|', { start: 0, query: 'ho' }],
    ['/h|o', { start: 0, query: 'h' }],
    ['Hi /ho|', { start: 3, query: 'ho' }],
    ['Hi\n/|', { start: 3, query: '' }],
    ['/بكم|', { start: 0, query: 'بكم' }],
    ['|/ho', null],
    ['/ho |', null],
    ['and/or|', null],
    ['https://|', null],
    ['//|', null],
    ['|', null],
    [`/${'x'.repeat(41)}|`, null],
  ])('is found in %s', (marked, expected) => {
    const { text, caret } = at(marked)
    expect(tokenAt(text, caret)).toEqual(expected)
  })

  it.each([
    ['|', '/|'],
    ['Hi|', 'Hi /|'],
    ['Hi |', 'Hi /|'],
    ['Hi|there', 'Hi /|there'],
  ])('is written by the button into %s', (before, after) => {
    const { text, caret } = at(before)
    const written = withSlash(text, caret)
    expect(written).toEqual(at(after))
    expect(tokenAt(written.text, written.caret)?.query).toBe('')
  })
})

describe('What is offered', () => {
  const replies = [
    savedReplyOf('address', { text: 'We are in Cebu.' }),
    savedReplyOf('Hours', { text: 'From 9 to 6.', uses: 1 }),
    savedReplyOf('holiday', { text: 'Closed.', uses: 7, page_ids: ['2'] }),
    savedReplyOf('pay-hours', { text: 'Pay from 9.', uses: 9 }),
    savedReplyOf('other', { text: 'Our HOURS changed.', uses: 99, page_ids: ['1', '2'] }),
  ]
  const offered = (query: string, pageIds: string[]) => matchingReplies(replies, query, pageIds).map(({ name }) => name)

  it.each<[string, string[], string[]]>([
    ['', ['1'], ['other', 'pay-hours', 'Hours', 'address']],
    ['ho', ['2'], ['holiday', 'Hours', 'pay-hours', 'other']],
    ['HOURS', ['3'], ['Hours', 'pay-hours']],
    ['cebu', ['1'], ['address']],
    ['none', ['1'], []],
    ['', [], ['pay-hours', 'Hours', 'address']],
  ])('for /%s from the pages %j', (query, pageIds, names) => {
    expect(offered(query, pageIds)).toEqual(names)
  })
})

describe('An inserted saved reply', () => {
  it.each<[string, string, string, string, string]>([
    ['alone', '/ho|', 'From 9.', 'From 9.', ''],
    ['between words', 'Hi /ho| you', 'From 9.', 'Hi From 9. you', ''],
    ['with a placeholder, which is selected', '/ho|', 'Hi ⟦page⟧, ⟦balance⟧', 'Hi ⟦page⟧, ⟦balance⟧', '⟦page⟧'],
  ])('replaces what was typed: %s', (_, marked, inserted, text, selected) => {
    const { text: before, caret } = at(marked)
    const result = withInsertion(before, { start: before.indexOf('/'), end: caret }, inserted)
    expect([result.text, result.text.slice(...result.selection)]).toEqual([text, selected])
    if (selected === '') expect(result.selection[0]).toBe(before.indexOf('/') + inserted.length)
  })
})

describe('The form', () => {
  const reply = savedReplyOf('hours', { text: 'From 9.', page_ids: ['2'] })
  const others = [savedReplyOf('Strassé')]

  it('is filled from a saved reply and gives it back', () => {
    const body = { name: 'hours', text: 'From 9.', page_ids: ['2'], structure: null }
    expect(bodyOf(fieldsOf(reply), reply)).toEqual(body)
    const created = { ...fieldsOf(null), name: ' a ', text: ' b ' }
    expect(bodyOf(created, null)).toEqual({ name: 'a', text: 'b', page_ids: null, structure: null })
    // An API without pictures is told of none.
    const withPictures = { ...reply, pictures: [pictureOf('p2'), pictureOf('p1')] }
    expect(bodyOf(fieldsOf(withPictures), withPictures)).toEqual({ ...body, pictures: ['p2', 'p1'] })
    expect(bodyOf(fieldsOf(reply), withPictures)).toEqual({ ...body, pictures: [] })
  })

  const pictureWith = (status: AttachedFile['status']) => ({ ...storedPicture(pictureOf('p1')), status })
  it.each([
    ['Enter a short name.', { name: ' ' }],
    ['Use a name without spaces and slashes.', { name: 'two words' }],
    ['Use a name without spaces and slashes.', { name: 'a/b' }],
    ['Another saved reply has this name.', { name: 'STRASSE\u0301' }],
    ['Enter a text.', { text: '\n' }],
    ['Choose a page, or all pages.', { pageIds: [] }],
    ['1 picture is still uploading.', { pictures: [pictureWith('uploading'), pictureWith('uploaded')] }],
    ['Retry or remove the files that could not be uploaded.', { pictures: [pictureWith('failed')] }],
    [null, { pictures: [pictureWith('uploaded')] }],
    [null, { name: 'STRASSE' }],
  ])('says: %s', (reason, change) => {
    expect(blockedReasonOf({ ...fieldsOf(reply), ...change }, others)).toBe(reason)
  })
})
