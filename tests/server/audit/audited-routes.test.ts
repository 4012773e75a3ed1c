import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '../../../server/database/database.ts'
import { createLogger } from '../../../server/logger.ts'
import { deriveKey } from '../../../server/secrets.ts'
import { readSettings } from '../../../server/settings.ts'
import { openSandboxTables } from '../../../server/stand-ins/sandbox/tables.ts'
import { sandboxToken, seededPages } from '../../../server/stand-ins/sandbox/world.ts'
import { type RunningServer, startServer } from '../../../server/start-server.ts'
import { describeOnDatabase } from '../databases.ts'

/**
 * Makes a successful call of every route that changes something, on the whole server with the sandbox, and compares the
 * entries that it leaves in the audit log. A route that leaves none is listed with the reason.
 */

const secretKey = 'a secret of thirty-two characters'
const demoPassword = 'inbox-demo-2026'
const newPassword = 'the new password of Mario'
/** No name under `invalid` resolves, so nothing is sent. The path may be a secret. */
const webhook = { url: 'https://receiver.invalid/secret-path', events: ['order.changed'] }
/** None of these may stand in the log. */
const secrets = [
  demoPassword,
  newPassword,
  'EAASandbox',
  'secret keyword',
  'The secret response',
  'Maria',
  'secret-path',
  'whsec_',
]

let database: OpenDatabase
let server: RunningServer
/** Of the administrator. */
let token = ''
let refreshToken = ''
let faqId = ''
let savedReplyId = ''
let productId = ''
let clientId = ''
let otherClientId = ''
let staffId = ''
let apiKeyId = ''
let webhookId = ''
let shopId = ''
let labelId = ''

async function call(method: string, path: string, body?: object, bearer: string | null = token) {
  const response = await fetch(`${server.address}${path}`, {
    method,
    headers: {
      'user-agent': 'Test browser',
      apikey: 'embedded',
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  return { status: response.status, answer }
}

const providerSignIn = (email: string, password: string) =>
  call('POST', '/auth/v1/token?grant_type=password', { email, password }, null)
const productSignIn = async () => {
  const { answer } = await providerSignIn('admin@example.com', demoPassword)
  return call('POST', '/api/auth/supabase-login', { supabaseToken: answer.access_token }, null)
}

const faqBody = async () => {
  const { id } = await database.db.selectFrom('faq_categories').select('id').limit(1).executeTakeFirstOrThrow()
  return { title: 'Hours', category_id: id, keywords: ['secret keyword'], response: 'The secret response' }
}
const productBody = { code: 'M-1', name: 'Mug', price: 12_550, is_active: true }
const orderId = '6a2f3ec8-6f0d-4c3e-9a53-3c7e0d7ac001'
const paymentId = '6a2f3ec8-6f0d-4c3e-9a53-3c7e0d7ac002'
const labelBody = { name: 'Wholesale', colour: 'blue', keywords: ['secret keyword'] }
const [page] = seededPages
if (page === undefined) throw new Error('the sandbox has no page')
const pageId = page.page_id
const pageToken = sandboxToken(deriveKey(secretKey, 'sandbox page tokens'), pageId)

type Change = {
  run: () => Promise<{ status: number; answer: unknown }>
  /** Each with the kind of its row. Sign-ins and settings have no row. */
  leaves: string[]
  by?: string
}

/** In this order: the later ones need what the earlier ones made. */
const changes: Record<string, Change | { leavesNone: string }> = {
  'POST /api/auth/check-migration': { leavesNone: 'answers a question' },
  'POST /api/auth/complete-migration': {
    run: async () => {
      const email = 'legacy@example.com'
      const { answer } = await call('POST', '/auth/v1/signup', { email, password: newPassword }, null)
      const body = { email, supabaseId: answer.user.id, legacyPassword: demoPassword }
      return call('POST', '/api/auth/complete-migration', body, answer.access_token)
    },
    leaves: ['password.changed of staff'],
    by: 'Mario Lim',
  },
  'POST /api/auth/login': {
    run: () => call('POST', '/api/auth/login', { email: 'oldlogin@example.com', password: demoPassword }, null),
    leaves: ['sign-in.succeeded'],
    by: 'Nena Cruz',
  },
  'POST /api/auth/supabase-login': { run: productSignIn, leaves: ['sign-in.succeeded'] },
  'POST /api/auth/refresh': { leavesNone: 'renews the session of a recorded sign-in' },
  'POST /api/auth/logout': {
    run: async () => {
      const { answer } = await call('POST', '/api/auth/refresh', { refreshToken }, null)
      const signedOut = await call('POST', '/api/auth/logout', { refreshToken: answer.data.refreshToken })
      token = (await productSignIn()).answer.data.token
      return signedOut
    },
    leaves: ['sign-out', 'sign-in.succeeded'],
  },
  'POST /api/facebook/conversations/state': { leavesNone: 'conversation_events records who changed what' },
  'PUT /api/facebook/drafts/:id': { leavesNone: 'what a person types and has not sent is not recorded' },
  'POST /api/facebook/conversations/:id/mark-read': { leavesNone: 'reading is not recorded' },
  'POST /api/facebook/conversations/:id/presence': { leavesNone: 'who looks at a conversation is gone after seconds' },
  'DELETE /api/facebook/presence/:tab': { leavesNone: 'who looks at a conversation is gone after seconds' },
  'PUT /api/facebook/saved-filters/:id': { leavesNone: 'how a person filters the list is their own' },
  'DELETE /api/facebook/saved-filters/:id': { leavesNone: 'how a person filters the list is their own' },
  'PUT /api/facebook/notification-settings': { leavesNone: 'what a person wants to be notified about is their own' },
  'PUT /api/facebook/push/subscription': { leavesNone: 'the table push_subscriptions names the staff member' },
  'DELETE /api/facebook/push/subscription/:id': { leavesNone: 'what a person wants to be notified about is their own' },
  'PUT /api/facebook/push/tabs/:tab': { leavesNone: 'which tabs are visible is gone after a minute' },
  'DELETE /api/facebook/push/tabs/:tab': { leavesNone: 'which tabs are visible is gone after a minute' },
  'POST /api/facebook/conversations/:id/notes': { leavesNone: 'the table notes names the staff member' },
  'POST /api/facebook/refresh-user-profile/:id': { leavesNone: 'copies a picture from the network' },
  'POST /api/facebook/send-message': { leavesNone: 'the table sends names the staff member' },
  'PUT /api/facebook/outgoing-files/:id': { leavesNone: 'outgoing_files names the staff member' },
  'POST /api/facebook/outgoing-files/:id/parts': { leavesNone: 'outgoing_files names the staff member' },
  'PUT /api/facebook/outgoing-files/:id/parts/:number': { leavesNone: 'outgoing_files names the staff member' },
  'POST /api/facebook/outgoing-files/:id/completion': { leavesNone: 'outgoing_files names the staff member' },
  'DELETE /api/facebook/outgoing-files/:id': { leavesNone: 'deletes a file that was never sent' },
  'POST /api/facebook/messages/:messageId/unconfirmed-reply': { leavesNone: 'the table sends keeps the decision' },
  'PUT /api/facebook/messages/:messageId/reaction': { leavesNone: 'the message keeps the reaction' },
  'PUT /api/facebook/messages/:messageId/wrong-answer': {
    leavesNone: 'network/faq-matching.test.ts checks its entry',
  },
  'DELETE /api/facebook/messages/:messageId/wrong-answer': {
    leavesNone: 'network/faq-matching.test.ts checks its entry',
  },
  'PUT /api/comments/threads/:id/done': {
    leavesNone: 'a comment without an answer is not lost: it is in the list of all',
  },
  'POST /api/comments/sends/:key': { leavesNone: 'the table comment_sends keeps the decision' },
  'POST /api/comments/:id/replies': { leavesNone: 'the table comment_sends names the staff member' },
  'PUT /api/comments/:id/hidden': { leavesNone: 'network/comments.test.ts checks its entry' },
  'PUT /api/comments/:id/like': { leavesNone: 'a like can be taken back, and hides nothing' },
  'PUT /api/comments/live-sale': {
    run: () =>
      call('PUT', '/api/comments/live-sale', {
        settings: { is_on: false, post_id: null, keyword: 'secret keyword', items: [] },
        replaces: 0,
      }),
    leaves: ['live-sale.changed'],
  },
  'DELETE /api/comments/:id': { leavesNone: 'network/comments.test.ts checks its entry' },
  'POST /api/facebook/logins': { leavesNone: 'asks the network; connecting a page is recorded' },
  'POST /api/facebook/logins/complete': { leavesNone: 'asks the network; connecting a page is recorded' },
  'POST /api/facebook/logins/connect': { leavesNone: 'api/facebook-login-api.test.ts checks its entry' },
  'POST /api/facebook/pages': {
    run: () => call('POST', '/api/facebook/pages', { page_name: 'Prints', page_access_token: pageToken }),
    leaves: ['page.connected of page'],
  },
  'PUT /api/facebook/pages/:pageId': {
    run: () => call('PUT', `/api/facebook/pages/${pageId}`, { page_name: 'Prints', page_access_token: pageToken }),
    leaves: ['page.changed of page', 'token.entered of page'],
  },
  'DELETE /api/facebook/notes/:id': {
    run: async () => {
      await database.db.insertInto('fb_users').values({ id: 'noted', page_id: pageId, psid: 'noted' }).execute()
      const note = { id: 'note-to-delete', text: 'Maria paid', mentions: [] }
      await call('POST', '/api/facebook/conversations/noted/notes', note)
      return call('DELETE', '/api/facebook/notes/note-to-delete')
    },
    leaves: ['note.deleted of conversation'],
  },
  'POST /api/clients': {
    run: async () => {
      const created = await call('POST', '/api/clients', { first_name: 'Maria', last_name: 'Lim' })
      clientId = created.answer.data.id
      return created
    },
    leaves: ['client.created of client'],
  },
  'POST /api/labels': {
    run: async () => {
      const created = await call('POST', '/api/labels', labelBody)
      labelId = created.answer.data.id
      return created
    },
    leaves: ['label.created of label'],
  },
  'PUT /api/labels/:id': {
    run: () => call('PUT', `/api/labels/${labelId}`, labelBody),
    leaves: ['label.changed of label'],
  },
  'POST /api/clients/:id/labels': {
    run: () => call('POST', `/api/clients/${clientId}/labels`, { add: [labelId], remove: [] }),
    leaves: ['client.labelled of client'],
  },
  'PUT /api/clients/:id/language': {
    run: () => call('PUT', `/api/clients/${clientId}/language`, { language: 'fil' }),
    leaves: ['client.language-chosen of client'],
  },
  'DELETE /api/labels/:id': {
    run: () => call('DELETE', `/api/labels/${labelId}`),
    leaves: ['label.deleted of label'],
  },
  'POST /api/facebook/link-client': {
    run: async () => {
      await database.db
        .insertInto('fb_users')
        .values({ id: 'maria', page_id: pageId, psid: '1', name: 'Maria' })
        .execute()
      return call('POST', '/api/facebook/link-client', { fbUserId: 'maria', clientId })
    },
    leaves: ['client.linked of conversation'],
  },
  'POST /api/facebook/unlink-client': {
    run: () => call('POST', '/api/facebook/unlink-client', { fbUserId: 'maria', clientId }),
    leaves: ['client.unlinked of conversation'],
  },
  'POST /api/facebook/join-chats': {
    run: async () => {
      await database.db.insertInto('fb_users').values({ id: 'maria-2', page_id: pageId, psid: '2' }).execute()
      return call('POST', '/api/facebook/join-chats', { fbUserId: 'maria', otherId: 'maria-2' })
    },
    leaves: ['chats.joined of conversation'],
  },
  'POST /api/facebook/split-chat': {
    run: () => call('POST', '/api/facebook/split-chat', { fbUserId: 'maria-2' }),
    leaves: ['chat.split of conversation'],
  },
  'POST /api/facebook/client-suggestions/:id/dismiss': {
    run: () => call('POST', '/api/facebook/client-suggestions/maria/dismiss', { clientId }),
    leaves: ['suggestion.dismissed of conversation'],
  },
  'PUT /api/clients/:id': {
    run: async () => {
      const { answer } = await call('GET', `/api/clients/${clientId}`)
      const { first_name, last_name, classification, version } = answer.data
      const body = { first_name, last_name, classification, version, email: 'wholesale@example.com' }
      return call('PUT', `/api/clients/${clientId}`, body)
    },
    leaves: ['client.changed of client'],
  },
  'POST /api/clients/:id/merge': {
    run: async () => {
      const other = await database.db
        .insertInto('clients')
        .values({ first_name: 'Maria', last_name: 'Lim' })
        .returning('id')
        .executeTakeFirstOrThrow()
      otherClientId = other.id
      const { answer } = await call('GET', `/api/clients/${clientId}`)
      const body = { other: other.id, version: answer.data.version, other_version: 1, take: ['phone'] }
      return call('POST', `/api/clients/${clientId}/merge`, body)
    },
    leaves: ['client.merged of client'],
  },
  'POST /api/client-removals/:id/undo': {
    run: () => call('POST', `/api/client-removals/${otherClientId}/undo`),
    leaves: ['client.restored of client'],
  },
  'DELETE /api/clients/:id': {
    run: () => call('DELETE', `/api/clients/${otherClientId}`, { version: 1 }),
    leaves: ['client.deleted of client'],
  },
  'POST /api/persons/:id/erase': {
    run: () => call('POST', '/api/persons/maria/erase', {}),
    leaves: ['person.erased'],
  },
  'DELETE /api/facebook/pages/:pageId': {
    run: () => call('DELETE', `/api/facebook/pages/${pageId}`),
    leaves: ['page.removed of page'],
  },
  'POST /api/facebook/pages/verify-token': { leavesNone: 'answers a question' },
  'POST /api/facebook/pages/refresh-profile-pictures': { leavesNone: 'copies pictures from the network' },
  'POST /api/facebook/refresh-all-profile-pictures': { leavesNone: 'copies pictures from the network' },
  'POST /api/facebook/pages/:pageId/sync-history': { leavesNone: 'history_syncs names the staff member' },
  'POST /api/facebook/history-syncs/:syncId/cancel': { leavesNone: 'history_syncs keeps the state' },
  'POST /api/facebook/pages/:pageId/sync-conversation': { leavesNone: 'copies messages from the network' },
  'POST /api/facebook/pages/:pageId/sync-recent': { leavesNone: 'copies messages from the network' },
  'POST /api/facebook/sync-all-recent': { leavesNone: 'copies messages from the network' },
  'PUT /api/facebook/auto-sync/config': {
    run: () => call('PUT', '/api/facebook/auto-sync/config', { interval_minutes: 9, hours_back: 3, enabled: true }),
    leaves: ['sync.settings-changed'],
  },
  'POST /api/facebook/auto-sync/stop': {
    run: () => call('POST', '/api/facebook/auto-sync/stop'),
    leaves: ['sync.settings-changed'],
  },
  'POST /api/facebook/auto-sync/start': {
    run: () => call('POST', '/api/facebook/auto-sync/start'),
    leaves: ['sync.settings-changed'],
  },
  'POST /api/facebook/auto-sync/force-sync': { leavesNone: 'auto_sync_runs names the staff member' },
  'POST /api/faq/entries': {
    run: async () => {
      const created = await call('POST', '/api/faq/entries', await faqBody())
      faqId = created.answer.data.id
      return created
    },
    leaves: ['faq.created of faq'],
  },
  'PUT /api/faq/entries/:id': {
    run: async () => call('PUT', `/api/faq/entries/${faqId}`, await faqBody()),
    leaves: ['faq.changed of faq'],
  },
  'DELETE /api/faq/entries/:id': {
    run: () => call('DELETE', `/api/faq/entries/${faqId}`),
    leaves: ['faq.deleted of faq'],
  },
  'PUT /api/assignment-rules': {
    run: () =>
      call('PUT', '/api/assignment-rules', { settings: { rules: [], assigns_first_answer: true }, replaces: 0 }),
    leaves: ['assignment-rules.changed'],
  },
  'PUT /api/business-hours': {
    run: () =>
      call('PUT', '/api/business-hours', {
        settings: { pages: { p1: { is_on: false, spans: [], holidays: [], text: 'The secret response' } } },
        replaces: 0,
      }),
    leaves: ['business-hours.changed'],
  },
  'POST /api/faq/test-match': { leavesNone: 'answers a question' },
  'PUT /api/faq/matching': {
    run: () => call('PUT', '/api/faq/matching', { settings: { least_score: null }, replaces: 0 }),
    leaves: ['faq.matching-changed'],
  },
  'POST /api/faq/dry-run': { leavesNone: 'changes nothing' },
  'POST /api/faq/wrong-answers/:messageId/resolve': { leavesNone: 'network/faq-matching.test.ts checks its entry' },
  'POST /api/api-keys': {
    run: async () => {
      const made = await call('POST', '/api/api-keys', { name: 'Shop', scopes: ['clients.import'] })
      apiKeyId = made.answer.data.key.id
      secrets.push(made.answer.data.secret)
      return made
    },
    leaves: ['api-key.created of api-key'],
  },
  'PUT /api/import/clients/:external_id': { leavesNone: 'api/import-api.test.ts checks its entry' },
  'PUT /api/import/orders/:external_id': { leavesNone: 'api/import-api.test.ts checks its entry' },
  'PUT /api/import/payments/:external_id': { leavesNone: 'api/import-api.test.ts checks its entry' },
  'POST /api/import': { leavesNone: 'api/import-api.test.ts checks its entry' },
  'POST /api/imports': { leavesNone: 'nothing is stored before the run' },
  'PUT /api/imports/:id/parts/:number': { leavesNone: 'nothing is stored before the run' },
  'POST /api/imports/:id/read': { leavesNone: 'nothing is stored before the run' },
  'POST /api/imports/:id/check': { leavesNone: 'nothing is stored before the run' },
  'POST /api/imports/:id/run': { leavesNone: 'api/csv-import-api.test.ts checks its entry' },
  'POST /api/imports/:id/cancel': { leavesNone: 'api/csv-import-api.test.ts checks its entry' },
  'POST /api/imports/:id/refused-rows': { leavesNone: 'api/csv-import-api.test.ts checks its entry' },
  'POST /api/exports': {
    run: () => call('POST', '/api/exports', { kind: 'clients', format: 'csv' }),
    leaves: ['data.exported'],
  },
  'POST /api/shops': {
    run: async () => {
      secrets.push('shpat_sandbox', 'shpss_sandbox')
      const body = { kind: 'shopify', address: 'sandbox.myshopify.com', key: 'shpat_sandbox', secret: 'shpss_sandbox' }
      const connected = await call('POST', '/api/shops', body)
      shopId = connected.answer.data.id
      return connected
    },
    leaves: ['shop.connected of shop'],
  },
  'POST /api/shops/:id/cancel': { leavesNone: 'stored rows stay, and the next run reads on' },
  'POST /api/shops/:id/sync': {
    run: async () => {
      await call('POST', `/api/shops/${shopId}/cancel`)
      return call('POST', `/api/shops/${shopId}/sync`)
    },
    leaves: ['shop.sync-started of shop'],
  },
  'DELETE /api/shops/:id': {
    run: () => call('DELETE', `/api/shops/${shopId}`),
    leaves: ['shop.disconnected of shop'],
  },
  'DELETE /api/api-keys/:id': {
    run: () => call('DELETE', `/api/api-keys/${apiKeyId}`),
    leaves: ['api-key.revoked of api-key'],
  },
  'POST /api/webhooks': {
    run: async () => {
      const made = await call('POST', '/api/webhooks', webhook)
      webhookId = made.answer.data.endpoint.id
      return made
    },
    leaves: ['webhook.created of webhook'],
  },
  'PUT /api/webhooks/:id': {
    run: () => call('PUT', `/api/webhooks/${webhookId}`, { ...webhook, description: 'Shop' }),
    leaves: ['webhook.changed of webhook'],
  },
  'POST /api/webhooks/:id/secret': {
    run: () => call('POST', `/api/webhooks/${webhookId}/secret`),
    leaves: ['webhook.secret-replaced of webhook'],
  },
  'POST /api/webhooks/:id/test': { leavesNone: 'the log of deliveries has the event' },
  'POST /api/webhooks/:id/deliveries/:deliveryId/resend': {
    run: async () => {
      await call('POST', `/api/webhooks/${webhookId}/test`)
      const log = await call('GET', `/api/webhooks/${webhookId}/deliveries`)
      const { id } = log.answer.data.deliveries[0]
      // The attempt of the worker must be over, because an attempt that runs is not made twice.
      const isOver = async () =>
        (
          await database.db
            .selectFrom('webhook_deliveries')
            .select('is_running')
            .where('id', '=', id)
            .executeTakeFirst()
        )?.is_running === false
      await expect.poll(isOver, { timeout: 20_000 }).toBe(true)
      return call('POST', `/api/webhooks/${webhookId}/deliveries/${id}/resend`)
    },
    leaves: ['webhook.resent of webhook'],
  },
  'DELETE /api/webhooks/:id': {
    run: () => call('DELETE', `/api/webhooks/${webhookId}`),
    leaves: ['webhook.deleted of webhook'],
  },
  'POST /api/saved-replies': {
    run: async () => {
      const created = await call('POST', '/api/saved-replies', {
        name: 'hello',
        text: 'The secret response',
        page_ids: null,
      })
      savedReplyId = created.answer.data.id
      return created
    },
    leaves: ['saved-reply.created of saved-reply'],
  },
  'PUT /api/saved-replies/:id/pictures/:picture/copies/:copy': {
    leavesNone: 'the message that delivers the copy names the staff member',
  },
  'POST /api/saved-replies/:id/used': { leavesNone: 'the table sends names the staff member' },
  'PUT /api/saved-replies/:id': {
    run: () =>
      call('PUT', `/api/saved-replies/${savedReplyId}`, { name: 'hi', text: 'The secret response', page_ids: null }),
    leaves: ['saved-reply.changed of saved-reply'],
  },
  'DELETE /api/saved-replies/:id': {
    run: () => call('DELETE', `/api/saved-replies/${savedReplyId}`),
    leaves: ['saved-reply.deleted of saved-reply'],
  },
  'POST /api/products': {
    run: async () => {
      const created = await call('POST', '/api/products', productBody)
      productId = created.answer.data.id
      return created
    },
    leaves: ['product.created of product'],
  },
  'PUT /api/products/:id': {
    run: () => call('PUT', `/api/products/${productId}`, productBody),
    leaves: ['product.changed of product'],
  },
  'DELETE /api/products/:id': {
    run: () => call('DELETE', `/api/products/${productId}`),
    leaves: ['product.deleted of product'],
  },
  'POST /api/orders': {
    run: () =>
      call('POST', '/api/orders', {
        id: orderId,
        client_id: clientId,
        message_id: null,
        items: [{ name: 'The secret response', quantity: 1, unit_price: 5_000 }],
        discount: 0,
        delivery_fee: 0,
      }),
    leaves: ['order.created of client'],
  },
  'PUT /api/orders/:id/status': {
    run: () => call('PUT', `/api/orders/${orderId}/status`, { from: 'pending', to: 'confirmed' }),
    leaves: ['order.status-changed of client'],
  },
  'POST /api/orders/:id/payments': {
    run: () =>
      call('POST', `/api/orders/${orderId}/payments`, {
        id: paymentId,
        amount: 5_000,
        method: 'gcash',
        reference: 'The secret response',
        message_id: null,
      }),
    leaves: ['payment.recorded of client'],
  },
  'PUT /api/orders/:id/payments/:paymentId/status': {
    run: () => call('PUT', `/api/orders/${orderId}/payments/${paymentId}/status`, { from: 'pending', to: 'approved' }),
    leaves: ['payment.status-changed of client'],
  },
  'POST /api/staff': {
    run: async () => {
      const added = await call('POST', '/api/staff', { email: 'new@example.com', name: 'Nora Cruz', role: 'viewer' })
      staffId = added.answer.data.id
      secrets.push(added.answer.data.password)
      return added
    },
    leaves: ['staff.added of staff'],
  },
  'PUT /api/staff/:id': {
    run: () => call('PUT', `/api/staff/${staffId}`, { name: 'Nora Lim', role: 'agent', is_active: false }),
    leaves: ['staff.role-changed of staff', 'staff.deactivated of staff', 'staff.renamed of staff'],
  },
  'POST /api/staff/:id/reset-password': {
    run: async () => {
      const reset = await call('POST', `/api/staff/${staffId}/reset-password`)
      secrets.push(reset.answer.data.password)
      return reset
    },
    leaves: ['password.reset of staff'],
  },
  'POST /api/staff/:id/remove-second-factor': {
    run: async () => {
      const factor = { staff_id: staffId, secret_encrypted: 'sealed', confirmed_at: new Date() }
      await database.db.insertInto('second_factors').values(factor).execute()
      return call('POST', `/api/staff/${staffId}/remove-second-factor`)
    },
    leaves: ['second-factor.disabled of staff'],
  },
  'POST /api/audit/export': {
    run: async () => {
      const response = await fetch(`${server.address}/api/audit/export`, {
        method: 'POST',
        headers: { 'user-agent': 'Test browser', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'faq.created' }),
      })
      const lines = (await response.text()).trim().split('\n')
      return { status: response.status, answer: { success: lines.length === 2 } }
    },
    leaves: ['audit.exported'],
  },
  'POST /api/reports/export': {
    run: async () => {
      const response = await fetch(`${server.address}/api/reports/export`, {
        method: 'POST',
        headers: { 'user-agent': 'Test browser', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ report: 'responses', by: 'page', days: '7' }),
      })
      return { status: response.status, answer: { success: (await response.text()).includes('median seconds') } }
    },
    leaves: ['report.exported'],
  },
  'POST /api/auth/change-password': { leavesNone: 'api/passwords-api.test.ts checks its entry' },
  'POST /api/auth/password-reset/request': { leavesNone: 'changes nothing before the link is used' },
  'POST /api/auth/password-reset/complete': { leavesNone: 'password-reset.test.ts checks its entry' },
  'POST /api/auth/second-factor/begin': { leavesNone: 'nothing is set up before a code confirms it' },
  'POST /api/auth/second-factor/confirm': {
    leavesNone: 'api/second-factor-api.test.ts checks its entry',
  },
  'POST /api/auth/second-factor/disable': {
    leavesNone: 'api/second-factor-api.test.ts checks its entry',
  },
  'POST /api/auth/second-factor/recovery-codes': {
    leavesNone: 'api/second-factor-api.test.ts checks its entry',
  },
  'POST /api/auth/second-factor/verify': { leavesNone: 'the sign-in that follows is recorded' },
  'POST /webhooks/meta/data-deletion': { leavesNone: 'called by the network; the erasure records person.erased' },
  'POST /webhooks/meta/deauthorize': {
    leavesNone: 'called by the network; checks the tokens, and a dead one is recorded as token.invalid',
  },
  'POST /webhooks/meta': { leavesNone: 'called by the network, not by staff' },
  'POST /auth/v1/token': { leavesNone: 'the product records the sign-in that follows; refusals have their own test' },
  'POST /auth/v1/signup': { leavesNone: 'complete-migration records the new password' },
  'POST /auth/v1/logout': { leavesNone: "the product's own sign-out is recorded" },
}

/** The routes that are no GET, from the guard table, which is compared with the server's routes. */
const changingRoutes = () => {
  const source = readFileSync(new URL('../api/route-guards.test.ts', import.meta.url), 'utf8')
  return [...source.matchAll(/^ {2}'((?:POST|PUT|PATCH|DELETE) [^']+)':/gm)].map(([, route]) => route)
}

const lastId = async () =>
  (
    await database.db
      .selectFrom('audit_entries')
      .select((row) => row.fn.max('id').as('id'))
      .executeTakeFirst()
  )?.id ?? 0

const entriesSince = (id: number) =>
  database.db.selectFrom('audit_entries').selectAll().where('id', '>', id).orderBy('id').execute()

test('every route that changes something has a row in the table', () => {
  expect(Object.keys(changes).sort()).toEqual(changingRoutes().sort())
  expect(changingRoutes().length).toBeGreaterThan(30)
})

const recordedChanges = Object.entries(changes).flatMap(([route, change]) =>
  'run' in change ? [{ route, by: 'Ana Reyes', ...change }] : [],
)

describeOnDatabase('A change by staff', (open) => {
  beforeAll(async () => {
    database = await open()
    const sandbox = await openSandboxTables(database.db)
    const now = new Date()
    // One page and nobody who wrote: the usual fill of the sandbox is slow.
    await sandbox.updateTable('sandbox.state').set({ seeded_at: now, filled_at: now }).execute()
    await sandbox
      .insertInto('sandbox.pages')
      .values({ ...page, access_token: pageToken })
      .execute()
    const settings = readSettings({ PORT: '0', SECRET_KEY: secretKey, SANDBOX_LIVELINESS: 'still' })
    server = await startServer(settings, {
      logger: createLogger('silent'),
      // The suite closes its database.
      openDatabase: async () => ({ ...database, close: async () => undefined }),
    })
    const { answer } = await productSignIn()
    token = answer.data.token
    refreshToken = answer.data.refreshToken
  }, 120_000)
  afterAll(() => server.close())

  test.each(recordedChanges)('$route leaves $leaves', async ({ run, leaves, by }) => {
    const before = await lastId()
    const { status, answer } = await run()
    expect([status, answer]).toEqual([200, expect.objectContaining({ success: true })])
    const entries = await entriesSince(before)
    expect(
      entries.map(({ action, row_kind, row_id, staff_name, staff_id, address, user_agent }) => ({
        entry: row_kind === null ? action : `${action} of ${row_kind}`,
        hasRow: row_id !== null,
        by: [staff_name, staff_id !== null, address, user_agent],
      })),
    ).toEqual(
      leaves.map((entry) => ({
        entry,
        hasRow: entry.includes(' of '),
        by: [by, true, '127.0.0.1', 'Test browser'],
      })),
    )
  })

  test('no entry has a password, a token, the text of an answer or the name of a customer', async () => {
    const log = JSON.stringify(await entriesSince(0))
    expect(log.length).toBeGreaterThan(1_000)
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
  })
})
