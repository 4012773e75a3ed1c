import { describe, expect, it } from 'vitest'
import { matches } from '../../../server/stand-ins/supabase/realtime/bindings.ts'
import type { Change } from '../../../server/stand-ins/supabase/realtime/changes.ts'
import { type FrameVersion, readFrame, writeFrame } from '../../../server/stand-ins/supabase/realtime/frames.ts'

describe.each<FrameVersion>(['1.0.0', '2.0.0'])('A frame of version %s', (version) => {
  it.each([
    { joinRef: '1', ref: '2', topic: 'realtime:inbox', event: 'phx_join', payload: { config: {} } },
    { joinRef: null, ref: null, topic: 'phoenix "', event: 'heartbeat', payload: [1, 'é'] },
  ])('is read as it was written: $event', ({ payload, ...frame }) => {
    const text = writeFrame(version, { ...frame, payload: JSON.stringify(payload) })
    expect(readFrame(version, text)).toEqual({ ...frame, payload })
  })

  it.each(['', 'null', '7', '{}', '[]', '["1","2","topic"]', '{"topic":"t"}', '{"topic":1,"event":"e","payload":{}}'])(
    'is not %j',
    (text) => expect(readFrame(version, text)).toBe(null),
  )
})

it('may leave out its references', () => {
  const frame = { joinRef: null, ref: null, topic: 't', event: 'e', payload: {} }
  expect(readFrame('1.0.0', '{"topic":"t","event":"e","payload":{}}')).toEqual(frame)
})

describe('A subscription', () => {
  const row = { id: 7, psid: 'a=eq.b', gone: null }
  const change = (type: Change['type']): Change => ({
    schema: 'public',
    table: 'messages',
    type,
    commit_timestamp: '2026-01-01T00:00:00.000Z',
    record: type === 'DELETE' ? {} : row,
    old_record: type === 'DELETE' ? row : {},
  })
  const inserts = { id: 1, event: 'INSERT', schema: 'public' } as const

  it.each([
    [{}, 'INSERT', true],
    [{}, 'DELETE', false],
    [{ event: '*' }, 'DELETE', true],
    [{ schema: '*' }, 'INSERT', true],
    [{ schema: 'auth' }, 'INSERT', false],
    [{ table: 'messages' }, 'INSERT', true],
    [{ table: '*' }, 'INSERT', true],
    [{ table: 'pages' }, 'INSERT', false],
    [{ filter: 'id=eq.7' }, 'INSERT', true],
    [{ filter: 'id=eq.8' }, 'INSERT', false],
    [{ filter: 'psid=eq.a=eq.b' }, 'INSERT', true],
    [{ filter: 'gone=eq.null' }, 'INSERT', false],
    [{ filter: 'unknown=eq.undefined' }, 'INSERT', false],
    [{ event: '*', filter: 'id=eq.7' }, 'UPDATE', true],
    [{ event: '*', filter: 'id=eq.7' }, 'DELETE', true],
    [{ event: '*', filter: 'id=eq.8' }, 'DELETE', false],
  ] as const)('with %j and an %s: %s', (binding, type, expected) => {
    expect(matches({ ...inserts, ...binding }, change(type))).toBe(expected)
  })
})
