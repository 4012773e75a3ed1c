import type { Hono } from 'hono'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createWebhookRoutes } from '../../../server/api/webhooks.ts'
import type { Db } from '../../../server/database/database.ts'
import { createWebhookEndpoints } from '../../../server/webhooks-out/endpoints.ts'
import { webhookLimits } from '../../../src/schemas/webhook.ts'
import { apiBehindSignIn, callAs } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { at } from '../people.ts'
import { type SignedIn, signIn } from '../sign-in.ts'
import { webhookKeys } from '../webhooks-out/webhooks-harness.ts'

const body = { url: 'https://shop.example.com/hook', description: ' Shop ', events: ['order.changed', 'order.changed'] }

describeOnDatabase('The routes of webhooks', (open) => {
  let db: Db
  let api: Hono
  let administrator: SignedIn
  let woken = 0

  beforeAll(async () => {
    db = (await open()).db
    administrator = await signIn(db)
    const webhooks = {
      endpoints: createWebhookEndpoints({ db, keys: webhookKeys, origins: [] }),
      wake: () => {
        woken += 1
      },
    }
    api = apiBehindSignIn(db)
    api.route('/webhooks', createWebhookRoutes({ db, webhooks, clock: { now: () => at(0).getTime() } }))
  })
  beforeEach(() => db.deleteFrom('webhook_endpoints').execute())

  const ask = (method: string, path: string, sent?: unknown) =>
    callAs(administrator, api, method, `/webhooks${path}`, sent)

  it('make, list, change and delete endpoints; the secret is answered once', async () => {
    const { endpoint, secret } = (await ask('POST', '', body)).body.data
    const made = {
      id: endpoint.id,
      url: 'https://shop.example.com/hook',
      description: 'Shop',
      events: ['order.changed'],
      is_active: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      created_by: endpoint.created_by,
      created_at: at(0).toISOString(),
    }
    expect([endpoint, secret]).toEqual([made, expect.stringMatching(/^whsec_[\w+/]{43}=$/)])
    expect((await ask('GET', '')).body.data).toEqual({ endpoints: [made] })
    const changed = {
      url: 'https://till.example.com/',
      description: '',
      events: ['message.received'],
      is_active: false,
    }
    expect((await ask('PUT', `/${endpoint.id}`, changed)).status).toBe(200)
    expect((await ask('GET', '')).body.data).toEqual({ endpoints: [{ ...made, ...changed }] })
    const replaced = (await ask('POST', `/${endpoint.id}/secret`)).body.data.secret
    expect([replaced === secret, JSON.stringify(await ask('GET', '')).includes(replaced)]).toEqual([false, false])
    for (let times = 0; times < 2; times += 1) expect((await ask('DELETE', `/${endpoint.id}`)).status).toBe(200)
    expect((await ask('GET', '')).body.data).toEqual({ endpoints: [] })
  })

  it('store a test event, list it and send it again; each wakes the worker', async () => {
    const { id } = (await ask('POST', '', body)).body.data.endpoint
    woken = 0
    expect((await ask('POST', `/${id}/test`)).status).toBe(200)
    const { deliveries, next } = (await ask('GET', `/${id}/deliveries`)).body.data
    expect([deliveries.map(({ type }: { type: string }) => type), next]).toEqual([['webhook.test'], null])
    expect((await ask('GET', `/${id}/deliveries?before=${deliveries[0].id}`)).body.data.deliveries).toEqual([])
    expect((await ask('POST', `/${id}/deliveries/${deliveries[0].id}/resend`)).status).toBe(200)
    expect(woken).toBe(2)
  })

  it.each<[string, string, unknown, number]>([
    ['POST', '', { ...body, url: 'http://shop.example.com/' }, 422],
    ['POST', '', { ...body, url: 'https://10.0.0.1/' }, 422],
    ['POST', '', { ...body, url: 'no address' }, 422],
    ['POST', '', { ...body, url: `https://a.example.com/${'x'.repeat(webhookLimits.url)}` }, 400],
    ['POST', '', { ...body, events: [] }, 400],
    ['POST', '', { ...body, events: ['order.deleted'] }, 400],
    ['POST', '', { ...body, description: 'x'.repeat(webhookLimits.description + 1) }, 400],
    ['PUT', '/unknown', body, 404],
    ['PUT', '/unknown', { ...body, url: 'http://shop.example.com/' }, 422],
    ['POST', '/unknown/secret', undefined, 404],
    ['POST', '/unknown/test', undefined, 404],
    ['GET', '/unknown/deliveries', undefined, 404],
    ['GET', '/unknown/deliveries?before=soon', undefined, 400],
    ['POST', '/unknown/deliveries/1/resend', undefined, 404],
    ['POST', '/unknown/deliveries/first/resend', undefined, 400],
  ])('answer %s %s with a wrong request, %#', async (method, path, sent, status) => {
    const answer = await ask(method, path, sent)
    expect(answer).toEqual({ status, body: { success: false, error: expect.any(String) } })
  })

  it('send nothing to an endpoint that is off, and keep the limit of endpoints', async () => {
    const { id } = (await ask('POST', '', { ...body, is_active: false })).body.data.endpoint
    expect(await ask('POST', `/${id}/test`)).toEqual({
      status: 409,
      body: { success: false, error: 'This webhook is off. Switch it on first.' },
    })
    for (let count = 1; count < webhookLimits.endpoints; count += 1) await ask('POST', '', body)
    expect(await ask('POST', '', body)).toEqual({
      status: 409,
      body: { success: false, error: 'There are 20 webhooks. Delete one first.' },
    })
  })
})
