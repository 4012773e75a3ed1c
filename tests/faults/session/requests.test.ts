import { describe, expect, it } from 'vitest'
import type { AuditFilters } from '../../../src/schemas/audit.ts'
import { createHttp } from '../../../src/services/http.ts'
import { createAccount } from '../../../src/services/session/account.ts'
import { createApiKeys } from '../../../src/services/session/api-keys.ts'
import { createAudit } from '../../../src/services/session/audit.ts'
import { createPasswordReset } from '../../../src/services/session/password-reset.ts'
import { createStaff } from '../../../src/services/session/staff.ts'
import { createWebhooks } from '../../../src/services/session/webhooks.ts'
import { enrolment, proofs, recoveryCodes, statusOf } from '../../model/session/account-fixture.ts'
import { shop as shopKey, till as tillKey } from '../../model/session/api-keys-fixture.ts'
import { ana, auditPageOf, ben, listOf, newMember } from '../../model/session/staff-fixture.ts'
import { firstPage, shop, till } from '../../model/session/webhooks-fixture.ts'
import { describeRequests, done, ok, unreadable } from '../requests.ts'

const keyBody = { name: 'New', scopes: ['clients.import' as const] }

describeRequests('The service of API keys', createApiKeys, [
  {
    claim: 'asks for the keys',
    call: (keys, signal) => keys.loadApiKeys(signal),
    asks: ['GET /api-keys'],
    answer: ok({ keys: [shopKey, unreadable, tillKey] }),
    gives: [shopKey, tillKey],
    warns: ['1 API keys could not be read'],
  },
  {
    claim: 'creates a key, and gives its secret',
    call: (keys) => keys.createApiKey(keyBody),
    asks: ['POST /api-keys', keyBody],
    answer: ok({ key: shopKey, secret: 'sik_secret' }),
    gives: 'sik_secret',
  },
  {
    claim: 'revokes a key',
    call: (keys) => keys.revokeApiKey({ id: 'k/1' }),
    asks: ['DELETE /api-keys/k%2F1'],
    answer: done,
  },
])

const added = { ...newMember, role: 'agent' as const }
const changed = { name: 'Ben', role: 'viewer' as const, is_active: false }

describeRequests('The service of members of staff', createStaff, [
  {
    claim: 'asks for the members',
    call: (staff, signal) => staff.loadStaff(signal),
    asks: ['GET /staff'],
    answer: ok({ staff: [ana, unreadable, ben], manages_passwords: false, own_id: 'ana' }),
    gives: listOf([ana, ben], { manages_passwords: false, own_id: 'ana' }),
    warns: ['1 members of staff could not be read'],
  },
  {
    claim: 'adds a member, and gives the one-time password',
    call: (staff) => staff.saveStaff({ id: null, body: added }),
    asks: ['POST /staff', added],
    answer: ok({ id: 's3', password: 'one-time' }),
    gives: 'one-time',
  },
  {
    claim: 'changes a member, who gets no password',
    call: (staff) => staff.saveStaff({ id: 's/2', body: changed }),
    asks: ['PUT /staff/s%2F2', changed],
    answer: done,
    gives: null,
  },
  {
    claim: 'resets a password, and gives the one-time password',
    call: (staff) => staff.resetPassword({ id: 's/2' }),
    asks: ['POST /staff/s%2F2/reset-password'],
    answer: ok({ password: 'one-time' }),
    gives: 'one-time',
  },
  {
    claim: 'removes a second factor',
    call: (staff) => staff.removeSecondFactor({ id: 's/2' }),
    asks: ['POST /staff/s%2F2/remove-second-factor'],
    answer: done,
  },
])

const endpoint = {
  url: 'https://shop.example.com',
  description: '',
  events: ['order.changed' as const],
  is_active: true,
}

describeRequests('The service of webhooks', createWebhooks, [
  {
    claim: 'asks for the endpoints',
    call: (webhooks, signal) => webhooks.loadWebhooks(signal),
    asks: ['GET /webhooks'],
    answer: ok({ endpoints: [shop, unreadable, till] }),
    gives: [shop, till],
    warns: ['1 webhooks could not be read'],
  },
  {
    claim: 'creates an endpoint that has no id, and gives its secret',
    call: (webhooks) => webhooks.saveWebhook({ id: null, body: endpoint }),
    asks: ['POST /webhooks', endpoint],
    answer: ok({ endpoint: shop, secret: 'whsec_secret' }),
    gives: 'whsec_secret',
  },
  {
    claim: 'changes an endpoint that has an id, which gets no secret',
    call: (webhooks) => webhooks.saveWebhook({ id: 'w/1', body: endpoint }),
    asks: ['PUT /webhooks/w%2F1', endpoint],
    answer: done,
    gives: null,
  },
  {
    claim: 'deletes an endpoint',
    call: (webhooks) => webhooks.deleteWebhook({ id: 'w/1' }),
    asks: ['DELETE /webhooks/w%2F1'],
    answer: done,
  },
  {
    claim: 'replaces a secret, and gives the new one',
    call: (webhooks) => webhooks.replaceWebhookSecret({ id: 'w/1' }),
    asks: ['POST /webhooks/w%2F1/secret'],
    answer: ok({ secret: 'whsec_new' }),
    gives: 'whsec_new',
  },
  {
    claim: 'sends a test to an endpoint',
    call: (webhooks) => webhooks.testWebhook({ id: 'w/1' }),
    asks: ['POST /webhooks/w%2F1/test'],
    answer: done,
  },
  {
    claim: 'asks for the newest deliveries',
    call: (webhooks, signal) => webhooks.loadDeliveries({ id: 'w/1', before: null }, signal),
    asks: ['GET /webhooks/w%2F1/deliveries'],
    answer: ok({ ...firstPage, deliveries: [...firstPage.deliveries, unreadable] }),
    gives: firstPage,
    warns: ['1 deliveries could not be read'],
  },
  {
    claim: 'asks for the deliveries before one',
    call: (webhooks, signal) => webhooks.loadDeliveries({ id: 'w/1', before: 5 }, signal),
    asks: ['GET /webhooks/w%2F1/deliveries?before=5'],
    answer: ok(firstPage),
    gives: firstPage,
  },
  {
    claim: 'sends a delivery again',
    call: (webhooks) => webhooks.resendDelivery({ id: 'w/1', delivery: 4 }),
    asks: ['POST /webhooks/w%2F1/deliveries/4/resend'],
    answer: done,
  },
])

const filters: AuditFilters = { person: 'ana', action: 'faq.created', from: '2026-01-05T00:00:00.000Z' }
const auditPage = auditPageOf([2, 1], '1.1')

describeRequests('The service of the audit log', createAudit, [
  {
    claim: 'asks for the entries that match',
    call: (audit, signal) => audit.loadAudit({ filters, before: '7.3' }, signal),
    asks: ['GET /audit?person=ana&action=faq.created&from=2026-01-05T00%3A00%3A00.000Z&before=7.3'],
    answer: ok({
      ...auditPage,
      entries: [...auditPage.entries, unreadable],
      people: [unreadable, ...auditPage.people],
    }),
    gives: auditPage,
    warns: ['1 audit entries could not be read', '1 people of the audit log could not be read'],
  },
  {
    claim: 'asks for the newest entries without filters',
    call: (audit, signal) => audit.loadAudit({ filters: {}, before: null }, signal),
    asks: ['GET /audit'],
    answer: ok(auditPage),
    gives: auditPage,
  },
  {
    claim: 'saves all entries that match as a file that spreadsheets read as UTF-8',
    call: (audit) => audit.exportAudit(filters),
    asks: ['POST /audit/export', filters],
    answer: 'time,person',
    saves: [['audit-log.csv', '\ufefftime,person']],
  },
])

const byProvider = { authorization: 'Bearer provider-token' }

describeRequests(
  'The service of the account',
  (http) => createAccount({ http, provider: { accessToken: async () => 'provider-token' } }),
  [
    {
      claim: 'changes the password, with the token of the provider',
      call: (account) => account.changePassword({ currentPassword: 'the old one', password: 'battery staple' }),
      asks: [
        'POST /auth/change-password',
        { currentPassword: 'the old one', password: 'battery staple', supabaseToken: 'provider-token' },
      ],
      answer: done,
    },
    {
      claim: 'asks for the second factor',
      call: (account, signal) => account.loadSecondFactor(signal),
      asks: ['GET /auth/second-factor'],
      answer: ok(statusOf(true)),
      gives: statusOf(true),
    },
    {
      claim: 'begins to set up a second factor, with the token of the provider',
      call: (account) => account.beginEnrolment({ password: 'my password' }),
      asks: ['POST /auth/second-factor/begin', { password: 'my password' }, byProvider],
      answer: ok(enrolment),
      gives: enrolment,
    },
    {
      claim: 'confirms a second factor, and gives the recovery codes',
      call: (account) => account.confirmEnrolment({ code: '123456' }),
      asks: ['POST /auth/second-factor/confirm', { code: '123456' }, byProvider],
      answer: ok({ recoveryCodes }),
      gives: recoveryCodes,
    },
    {
      claim: 'enters a code at sign-in, with the token of the provider',
      call: (account) => account.enterCode({ code: '123456' }),
      asks: ['POST /auth/second-factor/verify', { code: '123456' }, byProvider],
      answer: done,
    },
    {
      claim: 'turns the second factor off',
      call: (account) => account.disableSecondFactor(proofs),
      asks: ['POST /auth/second-factor/disable', proofs],
      answer: done,
    },
    {
      claim: 'replaces the recovery codes, and gives the new ones',
      call: (account) => account.replaceRecoveryCodes(proofs),
      asks: ['POST /auth/second-factor/recovery-codes', proofs],
      answer: ok({ recoveryCodes }),
      gives: recoveryCodes,
    },
  ],
)

const withoutLink = { hash: '#comments=t1', pathname: '/login', search: '?next=1' }
const keptHistory = { state: null, replaceState: () => {} }

describeRequests(
  'The service of new passwords',
  (http) => createPasswordReset({ http, location: withoutLink, history: keptHistory }),
  [
    {
      claim: 'asks whether the server emails links, and finds none in the address',
      call: (reset, signal) => reset.lookUp(signal),
      asks: ['GET /auth/password-reset'],
      answer: ok({ isOffered: true }),
      gives: { isOffered: true, hasLink: false },
    },
    {
      claim: 'asks for a link',
      call: (reset) => reset.requestLink({ email: 'ana@example.com' }),
      asks: ['POST /auth/password-reset/request', { email: 'ana@example.com' }],
      answer: done,
    },
    {
      claim: 'sends no token that it does not have',
      call: (reset) => reset.useLink({ password: 'battery staple' }),
      asks: ['POST /auth/password-reset/complete', { token: '', password: 'battery staple' }],
      answer: done,
    },
  ],
)

describe('The link of an email', () => {
  it('leaves the address, serves until the password is set, and then never again', async () => {
    const addresses: unknown[] = []
    const bodies: unknown[] = []
    let isRefused = true
    const location = { hash: '#reset=secret', pathname: '/login', search: '?next=1' }
    const history = {
      state: { at: 3 },
      replaceState: (state: unknown, _: string, address?: string | URL | null) => {
        addresses.push([state, address])
        location.hash = ''
      },
    }
    const http = createHttp({
      baseUrl: '',
      log: { warn: () => {} },
      fetch: async (_, init) => {
        if (typeof init?.body === 'string') bodies.push(JSON.parse(init.body))
        return init?.method === 'POST' && isRefused
          ? Response.json({ success: false, error: 'Too short' }, { status: 422 })
          : Response.json(ok({ isOffered: false }))
      },
    })
    const reset = createPasswordReset({ http, location, history })
    const { signal } = new AbortController()

    expect(await reset.lookUp(signal)).toEqual({ isOffered: false, hasLink: true })
    expect(await reset.lookUp(signal)).toEqual({ isOffered: false, hasLink: true })
    expect(addresses).toEqual([[{ at: 3 }, '/login?next=1']])
    await expect(reset.useLink({ password: 'short' })).rejects.toMatchObject({ status: 422, error: 'Too short' })
    isRefused = false
    await reset.useLink({ password: 'battery staple' })
    expect(bodies).toEqual([
      { token: 'secret', password: 'short' },
      { token: 'secret', password: 'battery staple' },
    ])
    expect(await reset.lookUp(signal)).toEqual({ isOffered: false, hasLink: false })
  })
})
