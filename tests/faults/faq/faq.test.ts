import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { createFaq } from '../../../src/services/faq/faq.ts'
import { createHttp } from '../../../src/services/http.ts'
import { hoursBody as body, categories, entryOf, hoursMatch as match } from '../../model/faq/faq-fixture.ts'

/** The calls against a server with one fixed answer. */
function callsOn(answer: unknown, status = 200) {
  const asked: unknown[] = []
  const warnings: string[] = []
  const log = { warn: (text: string) => void warnings.push(text) }
  const http = createHttp({
    baseUrl: '/api',
    log,
    retries: 0,
    tokens: { current: () => ({ token: 't', session: 1 }), isEnding: () => false, renew: () => Promise.reject() },
    fetch: async (url, init) => {
      const sent = typeof init?.body === 'string' ? { body: JSON.parse(init.body) } : {}
      asked.push({ call: `${init?.method} ${url}`, ...sent })
      return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status })
    },
  })
  return { faq: createFaq(http, log), asked, warnings }
}

const { signal } = new AbortController()
const success = (data: unknown) => ({ success: true, data })

describe('The lists of FAQ entries and categories', () => {
  it.each([
    ['in the field data', success([entryOf('e1')])],
    ['without an envelope', [entryOf('e1')]],
  ])('are read from an answer %s', async (_, answer) => {
    const { faq, asked } = callsOn(answer)
    expect(await faq.loadEntries(signal)).toEqual([entryOf('e1')])
    expect(asked).toEqual([{ call: 'GET /api/faq/entries' }])
  })

  it('include the categories', async () => {
    const { faq, asked } = callsOn(success(categories))
    expect([await faq.loadCategories(signal), asked]).toEqual([categories, [{ call: 'GET /api/faq/categories' }]])
  })

  it('drop and count unreadable rows, accept unknown fields, and fill in missing ones', async () => {
    const least = { id: 7, title: 'Least', response: 'Yes.' }
    const { faq, warnings } = callsOn(success([{ ...entryOf('e1'), color: 'red' }, { id: 'e2' }, null, least]))
    expect(await faq.loadEntries(signal)).toEqual([
      entryOf('e1'),
      { id: '7', title: 'Least', response: 'Yes.', keywords: [], is_active: true, priority: 0 },
    ])
    expect(warnings).toEqual(['2 FAQs could not be read'])
  })

  it.each([
    ['HTML', '<html>'],
    ['an empty body', ''],
    ['truncated JSON', '{"success":true,"data":['],
    ['an object without a list', success({ entries: [] })],
    ['a refusal with status 200', { success: false, error: 'No' }],
  ])('reject an answer that is %s', async (_, answer) => {
    const failure = await callsOn(answer)
      .faq.loadEntries(signal)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure).toMatchObject({ kind: 'badAnswer', path: '/faq/entries' })
  })
})

describe('Saving and deleting an entry', () => {
  it('creates with POST and updates with PUT, with the id in the path', async () => {
    const { faq, asked } = callsOn(success({}))
    await faq.saveFaq({ id: null, body })
    await faq.saveFaq({ id: 'e/1', body })
    await faq.deleteFaq({ id: 'e/1' })
    expect(asked).toEqual([
      { call: 'POST /api/faq/entries', body },
      { call: 'PUT /api/faq/entries/e%2F1', body },
      { call: 'DELETE /api/faq/entries/e%2F1' },
    ])
  })

  it('returns the reason of a refusal', async () => {
    const { faq } = callsOn({ success: false, error: 'There is no such category' }, 422)
    const failure = await faq.saveFaq({ id: null, body }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'status', status: 422, error: 'There is no such category' })
  })

  it('rejects an empty answer', async () => {
    const failure = await callsOn('')
      .faq.deleteFaq({ id: 'e1' })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'badAnswer' })
  })
})

describe('The match test of a message', () => {
  it.each([
    ['in the field data', success({ message: 'open?', matches: [match] })],
    ['at the top level', { success: true, message: 'open?', matches: [match] }],
  ])('reads matches that are %s', async (_, answer) => {
    const { faq, asked } = callsOn(answer)
    expect(await faq.testMatch({ message: 'open?', pageId: null }, signal)).toEqual({
      message: 'open?',
      matches: [match],
    })
    expect(asked).toEqual([{ call: 'POST /api/faq/test-match', body: { message: 'open?' } }])
  })

  it('rejects an answer without matches', async () => {
    const failure = await callsOn(success({ message: 'open?' }))
      .faq.testMatch({ message: 'open?', pageId: null }, signal)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'badAnswer', path: '/faq/test-match' })
  })
})
