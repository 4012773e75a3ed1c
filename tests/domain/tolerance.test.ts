import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { previewOf } from '../../src/domain/list/conversation-text.ts'
import { autoSyncStatusAnswer } from '../../src/schemas/auto-sync.ts'
import { client } from '../../src/schemas/client.ts'
import { conversation } from '../../src/schemas/conversation.ts'
import { bestPageAnswer, identityAnswer, message } from '../../src/schemas/message.ts'
import { order } from '../../src/schemas/order.ts'
import { at, conversationOf, messageOf } from './message-fixture.ts'

describe('An unknown field or value', () => {
  it('does not invalidate a row of the list', () => {
    const last = { last_message_direction: 'incoming' as const, last_message_text: 'Hello', last_message_at: at(1) }
    const row = { ...conversationOf(last), platform: 'telegram', mood: 'good', last_message_direction: 'internal' }
    const read = z.parse(conversation, row)
    expect(read).toEqual(conversationOf({ ...last, platform: null, last_message_direction: null }))
    expect(previewOf(read)).toBe('Hello')
  })

  it('does not invalidate a message, and neither does an unreadable attachment', () => {
    const good = { id: 'a1', name: 'list.pdf', size: 12, file_data: { url: 'https://example.com/list.pdf' } }
    const row = {
      ...messageOf('m1', 1),
      moods: ['♥'],
      attachments: { data: [good, { ...good, size: 'large' }, 'sticker'], paging: {} },
    }
    expect(z.parse(message, row)).toEqual(messageOf('m1', 1, { attachments: { data: [good, {}, {}] } }))
  })

  it('does not invalidate the best page and the identity of a send', () => {
    const page = { page_id: 'p1', psid: '7', reason: 'astrology', score: 1 }
    const identity = { psid: '7', platform: 'telegram' }
    expect([
      z.parse(bestPageAnswer, { success: true, data: page }).data,
      z.parse(identityAnswer, { success: true, data: identity }).data,
    ]).toEqual([
      { page_id: 'p1', psid: '7', reason: null },
      { psid: '7', platform: null },
    ])
  })

  it('does not invalidate an order or a client, and is kept unchanged', () => {
    const bought = { id: 'o1', status: 'lost at sea', total_amount: '12.50', created_at: '2026-03-01', gift: true }
    expect(z.parse(order, { ...bought, items: 'three cakes' })).toEqual({
      id: 'o1',
      status: 'lost at sea',
      total_amount: 12.5,
      created_at: '2026-03-01',
      items: null,
    })
    expect(z.parse(client, { id: 1, classification: 'platinum' })).toEqual({
      id: '1',
      classification: 'platinum',
      is_active: true,
    })
  })

  it('in the last run does not hide the status of the automatic sync', () => {
    const status = { isRunning: true, enabled: true, lastRun: { id: 'r1', state: 'paused', trigger: 'moon' } }
    expect(z.parse(autoSyncStatusAnswer, { success: true, data: status }).data).toEqual({
      isRunning: true,
      enabled: true,
      isSyncing: false,
      lastRun: null,
    })
  })
})
