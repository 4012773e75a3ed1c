import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GraphError } from '../../../server/network/graph/graph-error.ts'
import { createDataCallbacks } from '../../../server/network/webhooks/data-callbacks.ts'
import { userOfSignedRequest } from '../../../server/network/webhooks/signed-request.ts'
import { describeOnDatabase } from '../databases.ts'
import { appSecret, type Harness, openHarness, prints } from '../network-harness.ts'
import { columnsWith } from '../people/catalogue.ts'

const signed = (payload: object, secret = appSecret) => {
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`
}
const requestOf = (userId: string, issuedAt = 1) =>
  signed({ algorithm: 'HMAC-SHA256', issued_at: issuedAt, user_id: userId })

it('refuses a correctly signed request without a user', () => {
  const request = 'vlXgu64BQGFSQrY0ZcJBZASMvYvTHu9GQ0YM9rjPSso.eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsIjAiOiJwYXlsb2FkIn0'
  expect(userOfSignedRequest('secret', request)).toBeNull()
  expect(
    createHmac('sha256', 'secret')
      .update(request.split('.')[1] ?? '')
      .digest('base64url'),
  ).toBe(request.split('.')[0])
})

describeOnDatabase('createDataCallbacks', (open) => {
  let harness: Harness
  let checks = 0
  const warnings: string[] = []
  let idsOf: (userId: string) => Promise<string[]> = async () => []
  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  const app = () =>
    createDataCallbacks({
      appSecret,
      appToken: 'app|secret',
      graph: { pageScopedIds: (_, userId) => idsOf(userId) },
      erasures: harness.erasures,
      checkTokens: () => {
        checks += 1
      },
      isBehindProxy: true,
      clock: harness.clock,
      logger: { warn: (message: string) => void warnings.push(message) },
    })
  const post = async (path: string, signedRequest: string) => {
    const response = await app().request(`http://inbox.example.com${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-proto': 'https' },
      body: new URLSearchParams({ signed_request: signedRequest }),
    })
    return { status: response.status, body: await response.json() }
  }
  const isKnown = async (psid: string) => (await columnsWith(harness.db, psid)).length > 0
  const statusOf = async (code: string) => {
    const response = await app().request(`/data-deletion/${code}`)
    return [response.status, /<p>(.*)<\/p>/.exec(await response.text())?.[1]]
  }

  it.each([
    ['another secret', () => signed({ algorithm: 'HMAC-SHA256', user_id: '1' }, 'other')],
    ['another algorithm', () => signed({ algorithm: 'none', user_id: '1' })],
    ['no user', () => signed({ algorithm: 'HMAC-SHA256' })],
    ['no signature', () => requestOf('1').replace(/^[^.]*/, '')],
    ['a third part', () => `${requestOf('1')}.x`],
    ['no form', () => ''],
  ])('refuses a request with %s', async (_, request) => {
    expect((await post('/data-deletion', request())).status).toBe(401)
    expect((await post('/deauthorize', request())).status).toBe(401)
    expect(checks).toBe(0)
  })

  it('refuses a large body', async () => {
    expect((await post('/data-deletion', 'x'.repeat(20_000))).status).toBe(413)
  })

  it('erases the person whom a page knows by the id that the network tells, and shows the state without naming anybody', async () => {
    const psid = await harness.createPerson()
    idsOf = async (userId) => (userId === 'app-scoped-1' ? [psid] : [])
    const { status, body } = await post('/data-deletion', requestOf('app-scoped-1'))
    const code = body.confirmation_code
    expect([status, body]).toEqual([
      200,
      { url: `https://inbox.example.com/webhooks/meta/data-deletion/${code}`, confirmation_code: code },
    ])
    expect(code).toMatch(/^[0-9a-f]{32}$/)
    expect(await statusOf(code)).toEqual([
      200,
      'Your data is being deleted from the inbox of this business. Look again in a few minutes.',
    ])
    await harness.erasures.run(code)
    expect(await statusOf(code)).toEqual([200, 'Your data was deleted from the inbox of this business.'])
    expect(await isKnown(psid)).toBe(false)
    expect(await isKnown('app-scoped-1')).toBe(false)
    expect(await statusOf('unknown')).toEqual([404, 'No request has this code. Check the address.'])
  })

  it('erases nobody again for a repeated request, even if the person has written since', async () => {
    const psid = await harness.createPerson()
    idsOf = async () => [psid]
    const first = await post('/data-deletion', requestOf(psid, 2))
    await harness.erasures.run(first.body.confirmation_code)
    harness.clock.advance(1_000)
    await harness.control('POST', `/people/${psid}/messages`, { text: 'Hello again' })
    await harness.settle()
    expect((await post('/data-deletion', requestOf(psid, 2))).body).toEqual(first.body)
    expect(await isKnown(psid)).toBe(true)
    const second = await post('/data-deletion', requestOf(psid, 3))
    await harness.erasures.run(second.body.confirmation_code)
    expect(await isKnown(psid)).toBe(false)
  })

  it('completes the request of a person who is not known, also if the network refuses the ids', async () => {
    idsOf = () => Promise.reject(GraphError.refused('ids_for_pages', 400, 100, null, null))
    const { body } = await post('/data-deletion', requestOf('stranger'))
    await harness.erasures.run(body.confirmation_code)
    expect((await statusOf(body.confirmation_code))[1]).toBe('Your data was deleted from the inbox of this business.')
  })

  it('answers one request that arrives several times at the same time alike, and records it once', async () => {
    idsOf = async () => []
    const answers = await Promise.all(Array.from({ length: 4 }, () => post('/data-deletion', requestOf('many', 9))))
    const [first] = answers
    expect(first?.status).toBe(200)
    expect(answers).toEqual(answers.map(() => first))
    const entries = await harness.db.selectFrom('audit_entries').select('details').execute()
    const code = first?.body.confirmation_code
    expect(entries.filter(({ details }) => JSON.stringify(details).includes(code))).toHaveLength(1)
  })

  it('answers 503 and logs a warning while the network does not answer', async () => {
    idsOf = () => Promise.reject(GraphError.unanswered('ids_for_pages', 'none'))
    expect((await post('/data-deletion', requestOf('stranger', 4))).status).toBe(503)
    expect(warnings.at(-1)).toBe(
      'a request for the deletion of data was answered 503: the network did not tell the ids',
    )
  })

  it('checks the tokens of the pages when a person takes the app’s rights away', async () => {
    expect(await post('/deauthorize', requestOf('admin'))).toEqual({ status: 200, body: { success: true } })
    expect(checks).toBe(1)
  })
})
