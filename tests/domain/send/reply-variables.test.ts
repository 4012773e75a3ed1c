import { describe, expect, it } from 'vitest'
import {
  filled,
  piecesOf,
  unknownVariablesIn,
  type VariableValues,
  valuesFor,
} from '../../../src/domain/client/reply-variables.ts'
import { placeholderOf, placeholdersIn, variables } from '../../../src/domain/send/placeholders.ts'
import { isSendable } from '../../../src/domain/send/text-limit.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Order } from '../../../src/schemas/order.ts'
import { clientOf, orderOf } from '../../model/client/clients-fixture.ts'
import { conversationOf } from '../message-fixture.ts'

const none: VariableValues = { first_name: null, balance: null, order_number: null, page: null }
const all: VariableValues = { first_name: 'Maria', balance: '₱1,250.00', order_number: '1042', page: 'Handaan' }

describe('The values of the variables', () => {
  const named = { first_name: null, last_name: null, unified_name: null, user_name: null }
  const valuesOf = (
    conversation: Partial<Conversation>,
    rest: Partial<Omit<Parameters<typeof valuesFor>[0], 'conversation'>> = {},
  ) =>
    valuesFor({
      conversation: conversationOf({ ...named, ...conversation }),
      client: null,
      orders: null,
      pageName: null,
      business: defaultBusiness,
      ...rest,
    })
  const isolate = '\u2068'
  const override = '\u202e'

  it.each<[string, Partial<Conversation>, string | null]>([
    ['the first name of the profile', { first_name: 'Maria', unified_name: 'Someone Else' }, 'Maria'],
    ['the first word of the name', { unified_name: 'Maria Clara Santos' }, 'Maria'],
    ['the first word of the user name', { user_name: 'maria.s' }, 'maria.s'],
    ['nothing for a person without a name', {}, null],
    ['nothing for a blank name', { first_name: ' \n ' }, null],
    ['a name from right to left, as it is', { first_name: 'محمد' }, 'محمد'],
    ['a name with vowel marks', { first_name: 'יִצְחָק' }, 'יִצְחָק'],
    ['no control characters of direction', { first_name: `${override}airaM${isolate}` }, 'airaM'],
    ['one line', { first_name: 'Ma\nri\u0000a' }, 'Ma ri a'],
    ['no brackets that look like a placeholder', { first_name: '⟦page⟧' }, 'page'],
    ['at most 100 characters', { first_name: 'x'.repeat(500) }, 'x'.repeat(100)],
    ['no half of a character', { first_name: `${'x'.repeat(99)}😀` }, `${'x'.repeat(99)}\ufffd`],
  ])('have as first name %s', (_, conversation, expected) => {
    expect(valuesOf(conversation)).toEqual({ ...none, first_name: expected })
  })

  it('have the first name of the client if the profile has none', () => {
    const client = clientOf('k1', { first_name: 'Maria' })
    expect(valuesOf({}, { client }).first_name).toBe('Maria')
    expect(valuesOf({ first_name: 'Mia' }, { client }).first_name).toBe('Mia')
  })

  const order = (id: string, rest: Partial<Order>) => orderOf(id, { order_number: id, payments: [], ...rest })

  it.each<[string, readonly Order[], string, string | null]>([
    ['no orders', [], '₱0.00', null],
    [
      'several orders: what is outstanding of all, and the number of the newest',
      [
        order('1', { total_amount: 1_000, created_at: '2026-01-01T00:00:00Z' }),
        order('2', {
          total_amount: 1_234.5,
          created_at: '2026-01-02T00:00:00Z',
          payments: [{ amount: 234.25, status: 'approved' }],
        }),
      ],
      '₱2,000.25',
      '2',
    ],
    [
      'a cancelled newest order, which counts for neither',
      [
        order('1', { total_amount: 10, created_at: '2026-01-01T00:00:00Z' }),
        order('2', { total_amount: 99, status: 'cancelled', created_at: '2026-01-02T00:00:00Z' }),
      ],
      '₱10.00',
      '1',
    ],
    ['an order without a number', [order('1', { total_amount: 10, order_number: null })], '₱10.00', null],
  ])('follow from %s', (_, orders, balance, orderNumber) => {
    expect(valuesOf({}, { orders })).toEqual({ ...none, balance, order_number: orderNumber })
  })

  it('have the name of the page', () => {
    expect(valuesOf({}, { pageName: 'Handaan ni Aling Nena' }).page).toBe('Handaan ni Aling Nena')
  })
})

describe('A filled saved reply', () => {
  it.each<[string, string, VariableValues, string]>([
    [
      'has every variable, as often as it occurs',
      'Hi {first_name}! {balance} for #{order_number}. {first_name}, {page}',
      all,
      'Hi Maria! ₱1,250.00 for #1042. Maria, Handaan',
    ],
    [
      'has a placeholder for each missing value',
      'Hi {first_name}, {balance}',
      { ...all, balance: null },
      'Hi Maria, ⟦balance⟧',
    ],
    ['keeps what is no variable', '{name} {{page}} { page } {Page} {', all, '{name} {Handaan} { page } {Page} {'],
    ['does not fill a value again', '{first_name}', { ...all, first_name: '{balance}' }, '{balance}'],
    ['takes a value with $ as it is', '{first_name}', { ...all, first_name: "$& $1 $'" }, "$& $1 $'"],
    [
      'keeps a name from right to left in its place',
      'Hi {first_name}, 12',
      { ...all, first_name: 'محمد' },
      'Hi محمد, 12',
    ],
    ['keeps markup as text', '<b>{page}</b>', { ...all, page: '<img>' }, '<b><img></b>'],
  ])('%s', (_, text, values, expected) => {
    expect(filled(text, values)).toBe(expected)
  })

  it('is the same as its pieces', () => {
    expect(piecesOf('Hi {first_name}{page}!')).toEqual([
      { text: 'Hi ', variable: null },
      { text: 'first_name', variable: 'first_name' },
      { text: 'page', variable: 'page' },
      { text: '!', variable: null },
    ])
  })

  it('names what looks like a variable and is none', () => {
    expect(unknownVariablesIn('{first_name} {name} {First_Name} {name} {} {a\nb}')).toEqual(['{name}', '{First_Name}'])
  })
})

describe('A placeholder', () => {
  it.each(variables)('of %s makes the text unsendable until it is replaced', (variable) => {
    const text = filled(`Hi {${variable}}!`, none)
    expect([text, placeholdersIn(text), isSendable(text, 'messenger')]).toEqual([
      `Hi ⟦${variable}⟧!`,
      [variable],
      false,
    ])
    expect(isSendable(text.replace(placeholderOf(variable), 'x'), 'messenger')).toBe(true)
  })

  it.each([
    ['⟦balance', ['balance']],
    ['balance⟧', ['balance']],
    ['⟦page⟧ ⟦balance⟧ ⟦page⟧', ['page', 'balance']],
    ['⟦ page ⟧', []],
    ['⟦a⟧', []],
    ['balance {page} [page]', []],
  ])('is found in %s', (text, expected) => {
    expect([placeholdersIn(text), isSendable(text, null)]).toEqual([expected, expected.length === 0])
  })
})
