import { describe, expect, it } from 'vitest'
import { createActor, createMachine, fromPromise } from 'xstate'
import { createRedactor } from '../../../src/recorder/redact.ts'

type Field = readonly [key: string, text: string]

const shown = { names: ['messages'], numbers: ['quantity'] }

/** A value that is redacted alone, in a field of this name. */
function alone(key: string, value: unknown): unknown {
  const { learn, redact } = createRedactor(shown)
  learn(value, key)
  return redact(value, key)
}

const maskOf = (text: string) => ({ $text: [[1, text.length]] })
const inFields = (keys: string, text: string): Field[] => keys.split(' ').map((key) => [key, text])
const inField = (key: string, ...texts: string[]): Field[] => texts.map((text) => [key, text])

const words =
  'type kind status direction platform role permission permissions requiredPermission requiredPermissions ' +
  'missingPermissions method code channel classification state depth from to reason view device outcome media_type'
const ids =
  'id key psid page_id pageId fb_user_ids rowIds user_psid userPsid idempotency_key idempotencyKey order_number'

describe('A text in a report', () => {
  it.each<[string, { shown: readonly Field[]; masked: readonly Field[] }]>([
    [
      'one word in a field for words',
      {
        shown: [
          ...inFields(words, 'open'),
          ...inField('type', 'a', 'done.invoke', 'a:b-c_1', `a${'b'.repeat(60)}`, '  ', ''),
        ],
        masked: [
          ...inFields('prototype type_of mediaType kindly', 'open'),
          ...inField('type', '1a', 'two words', 'word,', 'é', `a${'b'.repeat(61)}`),
        ],
      },
    ],
    [
      'an id in a field for ids',
      {
        shown: [
          ...inFields(ids, 'x1'),
          ...inField('id', 'a.b:c=d+e/f-g_h', 'x'.repeat(200), 'c1, c2, c3', `c1, ${'x'.repeat(200)}`),
        ],
        masked: [
          ...inFields('paid monkey ids idle pageIdentity keys number psids numbers_id_of', 'x1'),
          ...inField('id', 'x 1', 'c1,c2', 'c1, ,', '?c1', 'c1!', 'x'.repeat(201), `c1, ${'x'.repeat(201)}`),
        ],
      },
    ],
    [
      'a path in the field path',
      {
        shown: inField('path', '/', '/auth/v1/token', '/a.b:c%20~d-e_f'),
        masked: [...inField('path', 'auth', 'at /auth', '/list?search=Maria', '/a b'), ['route', '/auth/v1/token']],
      },
    ],
    [
      'a moment with its zone in any field',
      {
        shown: inField(
          'note',
          '2026-01-05T09:00Z',
          '2026-01-05T09:00:07Z',
          '2026-01-05T09:00:07.123Z',
          '2026-01-05T09:00:07+08:00',
          '2026-01-05T09:00:07-0530',
        ),
        masked: inField(
          'note',
          '2026-01-05',
          '2026-01-05T09:00:07',
          '2026-01-05T09:00:07.Z',
          '2026-01-05T09:00:07+8:00',
          'on 2026-01-05T09:00:07Z',
          '2026-01-05T09:00:07Z sharp',
        ),
      },
    ],
    [
      'a number that the report may show',
      {
        shown: inField('quantity', '1', '1234'),
        masked: [...inField('quantity', '12345', '12a', 'a12', '1 2'), ['telephone_code_1', '12']],
      },
    ],
    [
      'a name that the report may show, in the field name',
      { shown: [['name', 'messages']], masked: [...inField('name', 'Maria'), ['first_name', 'messages']] },
    ],
  ])('is shown if it is %s', (_, fields) => {
    expect(fields.shown.map(([key, text]) => alone(key, text))).toEqual(fields.shown.map(([, text]) => text))
    expect(fields.masked.map(([key, text]) => [key, alone(key, text)])).toEqual(
      fields.masked.map(([key, text]) => [key, maskOf(text)]),
    )
  })

  it('is a secret by the name of its field, or as a JSON Web Token, and is recognised in other fields', () => {
    const secrets = [
      ...inFields('password newPassword refreshToken client_secret Authorization apiKey', 'hunter2'),
      ...inField('note', 'eyJhbGci.eyJzdWI.c2ln', 'eyJ-_a.b-_c.', 'eyJa.b.c-_d'),
    ]
    expect(secrets.map(([key, text]) => alone(key, text))).toEqual(secrets.map(() => ({ $secret: true })))
    const { learn, redact } = createRedactor(shown)
    learn({ token: 't1', id: 't1', password: '  ' })
    expect(redact({ id: 't1', note: 't1', password: '  ', tokenTimestamp: '2026-01-05T09:00Z' })).toEqual({
      id: { $secret: true },
      note: { $secret: true },
      password: '  ',
      tokenTimestamp: '2026-01-05T09:00Z',
    })
    const texts = inField(
      'note',
      'eyJa.b',
      'eyJ.a.b',
      'eyJa..b',
      'eyJa.b.c d',
      'an eyJa.b.c',
      'eyJa b.c.d',
      'eyJa.b!.c',
    )
    expect(texts.map(([key, text]) => alone(key, text))).toEqual(texts.map(([, text]) => maskOf(text)))
  })

  it('that equals an id is masked where people write', () => {
    const { learn, redact } = createRedactor(shown)
    learn({ id: 'c1' })
    const written =
      'message_text lastMessage body response title search term email email phone unified_name address url picture noteDraft lastError'
    expect(redact(Object.fromEntries(inFields(written, 'c1')))).toEqual(
      Object.fromEntries(written.split(' ').map((key) => [key, maskOf('c1')])),
    )
    const others = Object.fromEntries(inFields('message_of drafts errors note', 'c1'))
    expect(redact(others)).toEqual(others)
  })

  it.each<[key: string, text: string, parts: unknown[]]>([
    ['note', '  Magkano po?  ', ['  ', [1, 11], '  ']],
    ['note', ', Maria', [[1, 7]]],
    ['note', 'Maria@example.com', [[1, 17]]],
    ['emails', 'a@b', [[1, 3]]],
    ['note', '@', ['@']],
    ['userName', 'Cruz,  Maria Cruz', [[1, 4], ',  ', [2, 5], ' ', [1, 4]]],
    ['names', ' Maria ', [' ', [1, 5], ' ']],
    ['latitude', '14.65', [[1, 5]]],
    ['contactEmail', ' Maria@example.com ', [' ', [1, 5], '@', [2, 11], ' ']],
    ['email', 'a@b', [[1, 1], '@', [2, 1]]],
    ['E-Mail', 'a  b@c', [[1, 1], '  ', [2, 1], '@', [3, 1]]],
  ])('in the field %s is masked in its parts: %j', (key, text, parts) => {
    expect(alone(key, text)).toEqual({ $text: parts })
  })
})

describe('A value in a report', () => {
  it('is one that JSON can represent', () => {
    class Basket {
      name = 'Maria'
    }
    const value = {
      yes: true,
      none: null,
      left: undefined,
      count: 3,
      latitude: 14.65,
      longitude: 121.1,
      altitude: 9,
      latitudes: 14.65,
      numbers: [Number.NaN, Number.NEGATIVE_INFINITY],
      list: [undefined, 'open'],
      status: ['open', 'two words'],
      role: new Set(['agent']),
      state: new Map([['Maria', 'open']]),
      run: () => 1,
      bare: Object.assign(Object.create(null), { type: 'open' }),
      other: new Basket(),
      date: new Date(0),
    }
    expect(alone('', value)).toEqual({
      yes: true,
      none: null,
      count: 3,
      latitude: 0,
      longitude: 0,
      altitude: 9,
      latitudes: 14.65,
      numbers: [{ $number: 'NaN' }, { $number: '-Infinity' }],
      list: [{ $undefined: true }, { $text: [[1, 4]] }],
      status: ['open', { $text: [[2, 9]] }],
      role: { $set: ['agent'] },
      state: { $map: [[{ $text: [[3, 5]] }, 'open']] },
      run: { $function: 'run' },
      bare: { type: 'open' },
      other: { $other: 'Basket' },
      date: { $other: 'Date' },
    })
  })

  it('has its names of fields masked if they may be texts of people', () => {
    const long = 'x'.repeat(100)
    expect(alone('', { 'a.b:c-d_1': 1, [long]: 2, [`${long}x`]: 3, 'Maria Cruz': 4, 'x ': 5, é: 6 })).toEqual({
      'a.b:c-d_1': 1,
      [long]: 2,
      '…1,101': 3,
      '…2,10': 4,
      '…3,2': 5,
      '…4,1': 6,
    })
  })

  it('is shown as an object if it has only a part of an actor, a machine or a snapshot', () => {
    const parts = ['sessionId', 'getSnapshot', 'implementations', 'root', 'machine', 'value', 'context', 'platitude']
    const values = [...parts.map((part) => ({ [part]: 1 })), { machine: 1, value: 2 }, { value: 1, context: 2 }]
    expect(alone('', values)).toEqual(values)
  })

  it('may contain itself, and one value twice', () => {
    const row = { id: 'c1' }
    const value: Record<string, unknown> = { one: row, two: row, list: [row] }
    value['self'] = value
    value['deep'] = { set: new Set([value]) }
    expect(alone('', value)).toEqual({
      one: row,
      two: row,
      list: [row],
      self: { $circle: true },
      deep: { set: { $set: [{ $circle: true }] } },
    })
  })

  it('may be an error, of which the facts are shown as in any object', () => {
    const error = Object.assign(new TypeError('Maria'), { status: 'refused', note: 'Maria', id: 'e1' })
    expect(alone('cause', error)).toEqual({
      $error: { name: 'TypeError', message: maskOf('Maria'), status: 'refused', note: maskOf('Maria'), id: 'e1' },
    })
  })

  it('may be an actor, a machine or a snapshot, whose ids are learned from its context alone', () => {
    const machine = createMachine({ id: 'thread', context: { pageId: 'p1', note: 'Maria' } })
    const actor = createActor(machine, { id: 'child' }).start()
    const promise = createActor(
      fromPromise(async () => 1),
      { id: 'asking' },
    )
    const { learn, redact } = createRedactor(shown)
    const held = { actor, promise, machine, last: actor.getSnapshot() }
    learn({ ...held, last: undefined })
    expect(redact(['child', 'thread', 'p1'])).toEqual([{ $text: [[1, 5]] }, { $text: [[2, 6]] }, { $text: [[3, 2]] }])
    learn(held)
    expect(redact({ ...held, note: 'p1' })).toEqual({
      actor: { $actor: 'child' },
      promise: { $actor: 'asking' },
      machine: { $machine: 'thread' },
      last: {
        $snapshot: {
          machine: 'thread',
          value: {},
          status: 'active',
          context: { pageId: 'p1', note: { $text: [[4, 5]] } },
        },
      },
      note: 'p1',
    })
  })

  it.each<[string, (id: string) => unknown]>([
    ['a list', (id) => [[{ id }]]],
    ['a set', (id) => ({ rowIds: new Set([id]) })],
    ['a map', (id) => new Map([['Maria', { id }]])],
    ['an object', (id) => ({ deep: { page_id: id } })],
  ])('teaches the ids in %s', (_, holding) => {
    const { learn, redact } = createRedactor(shown)
    learn(holding('c1'))
    expect(redact({ note: 'c1', word: 'c2' })).toEqual({ note: 'c1', word: maskOf('c2') })
  })
})
