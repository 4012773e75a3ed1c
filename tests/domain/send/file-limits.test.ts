import { describe, expect, it } from 'vitest'
import { kindOfMessage } from '../../../src/domain/attachment-kind.ts'
import { blockedReason } from '../../../src/domain/send/attached-file-texts.ts'
import { type AttachedFile, areReady } from '../../../src/domain/send/attached-files.ts'
import { fileProblem, kindOfType } from '../../../src/domain/send/file-limits.ts'
import { matchOf } from '../../../src/domain/send/sent-message.ts'
import type { Message } from '../../../src/schemas/message.ts'

describe('the limits of files', () => {
  it.each([
    ['image/png', 8_000_000, null, null],
    ['image/png', 8_000_001, 'tooLarge', 'tooLarge'],
    // Sent as a file, because the network shows no such picture.
    ['image/webp', 8_000_001, null, 'wrongType'],
    ['video/mp4', 25_000_000, null, null],
    ['video/mp4', 25_000_001, 'tooLarge', 'tooLarge'],
    ['audio/x-m4a', 1, null, null],
    ['audio/mpeg', 1, null, 'wrongType'],
    ['application/pdf', 1, null, null],
    ['text/csv', 1, null, 'wrongType'],
    ['', 25_000_001, 'tooLarge', 'wrongType'],
  ] as const)('of the type %s with %d bytes: %s on Messenger, %s on Instagram', (type, size, messenger, instagram) => {
    expect([fileProblem({ type, size }, 'messenger'), fileProblem({ type, size }, 'instagram')]).toEqual([
      messenger,
      instagram,
    ])
    expect(fileProblem({ type, size }, null)).toBe(messenger)
  })

  it('tell how a file is sent', () => {
    const types = ['image/jpeg', 'image/heic', 'video/webm', 'audio/wav', 'application/pdf', '']
    expect(types.map(kindOfType)).toEqual(['image', 'file', 'video', 'audio', 'file', 'file'])
  })
})

const fileOf = (change: Partial<AttachedFile>): AttachedFile => ({
  id: 'f1',
  conversationId: 'c1',
  platform: null,
  name: 'list.csv',
  blob: new Blob(['a']),
  copyOf: null,
  status: 'uploaded',
  sent: 1,
  uploaded: { id: 'f1', kind: 'file', type: 'text/csv', name: 'list.csv', size: 1, url: '/pictures/f1' },
  failure: null,
  ...change,
})

describe('the reason why files cannot be sent', () => {
  it.each([
    ['they are uploaded', [fileOf({})], 'messenger', null],
    ['there are none', [], 'instagram', null],
    ['the other platform was chosen meanwhile', [fileOf({})], 'instagram', /Instagram does not take this kind of file/],
    ['one is uploading', [fileOf({}), fileOf({ status: 'uploading', uploaded: null })], null, /1 file is still/],
    [
      'one failed while another uploads',
      [fileOf({ status: 'failed', uploaded: null }), fileOf({ status: 'waiting', uploaded: null })],
      null,
      /Retry or remove/,
    ],
  ] as const)('is told if %s', (_, files, platform, reason) => {
    const told = blockedReason(files, platform)
    if (reason === null) expect(told).toBe(null)
    else expect(told).toMatch(reason)
    expect(areReady(files, platform)).toBe(reason === null)
  })
})

describe('a send of a file', () => {
  const at = '2026-03-10T09:00:00.000Z'
  const send = {
    key: 'k1',
    messageId: null,
    pageId: 'p1',
    text: '',
    fileKind: 'image',
    leftAt: Date.parse(at),
  } as const
  const message = (change: Partial<Message>): Message => ({
    message_id: 'm1',
    fb_user_id: 'u1',
    page_id: 'p1',
    direction: 'outgoing',
    is_read: true,
    created_at: at,
    unconfirmed_reply: null,
    author: null,
    is_historical: null,
    ...change,
  })
  const image = { image_data: { url: '/a' } }

  it.each([
    ['one picture', { attachments: { data: [image] } }, 'likely'],
    ['one picture with the key', { attachments: { data: [image] }, idempotency_key: 'k1' }, 'certain'],
    ['one picture with another key', { attachments: { data: [image] }, idempotency_key: 'k2' }, null],
    ['two pictures', { attachments: { data: [image, image] } }, null],
    ['a picture with a text', { attachments: { data: [image] }, message_text: 'Ito po' }, null],
    ['a file', { attachments: { data: [{ file_data: { url: '/a' } }] } }, null],
    ['an empty text', { message_text: '' }, null],
  ] as const)('is matched to %s: %s', (_, change, expected) => {
    expect(matchOf(send, message(change as Partial<Message>))).toBe(expected)
  })

  it('is never matched by a text, and a text never by a file', () => {
    expect(matchOf({ ...send, fileKind: null }, message({ attachments: { data: [image] } }))).toBe(null)
    expect(matchOf({ ...send, text: 'Opo', fileKind: null }, message({ message_text: 'Opo' }))).toBe('likely')
    expect(kindOfMessage({ message_text: null, attachments: null })).toBe(null)
  })
})
