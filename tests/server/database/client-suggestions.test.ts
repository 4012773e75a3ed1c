import { beforeEach, describe, expect, it } from 'vitest'
import { dismissSuggestion, mentionedNames, suggestClients } from '../../../server/database/client-suggestions.ts'
import type { Db } from '../../../server/database/database.ts'
import { linkClient, unlinkClient } from '../../../server/database/groups.ts'
import { readPhone } from '../../../server/phones.ts'
import { suggestionLimits } from '../../../src/schemas/client-suggestion.ts'
import { describeOnDatabase } from '../databases.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'

describe('The names that messages mention', () => {
  it.each([
    ['a number in every notation', ['0917 123 4567 o +63 (917) 123-4567, 09171234567'], { phones: ['+639171234567'] }],
    ['an address, without case', ['Email ko po: Ana.Cruz@Example.COM.'], { emails: ['ana.cruz@example.com'] }],
    ['an order number, without case', ['yung so-101 po?'], { orders: ['so-101', 'SO-101'] }],
    ['the number of a shop after a #', ['yung #1003 po, o # en-7'], { shopOrders: ['1003', 'EN-7'] }],
    ['the number of a shop after the word order', ['Order no. 1003, ORDER: 7'], { shopOrders: ['1003', '7'] }],
    ['no number of a shop in prices and quantities', ['1003 pcs po, reorder 12, border 5'], { shopOrders: [] }],
    ['nothing in plain words', ['Kumusta po, magkano ang cake?'], {}],
    ['no more values than the limit', [Array.from({ length: 99 }, (_, n) => `SO-${n}`).join(' ')], { count: 50 }],
  ])('are %s', (_, texts, { count, ...expected }: { count?: number } & Record<string, unknown>) => {
    const { phones, emails, orders, shopOrders } = mentionedNames(texts, 'PH')
    if (count !== undefined) expect(orders).toHaveLength(suggestionLimits.values)
    else if ('orders' in expected) expect({ orders }).toEqual(expected)
    else if ('shopOrders' in expected) expect({ shopOrders }).toEqual(expected)
    else expect({ phones, emails }).toEqual({ phones: [], emails: [], ...expected })
  })
})

describeOnDatabase('Suggestions of clients', (open) => {
  let db: Db

  beforeEach(async () => {
    db = (await open()).db
    for (const table of ['pages', 'clients', 'deleted_messages'] as const) await db.deleteFrom(table).execute()
    for (const page of ['p1', 'p2']) await addPage(db, page)
    await addIdentity(db, 'u1', { page: 'p1', name: 'Lea Gómez' })
    for (const [id, phone, email] of [
      ['k1', '0917 123 4567', null],
      ['k2', null, 'Ana@Example.com'],
      ['k3', null, null],
      ['k4', null, null],
    ] as const)
      await db
        .insertInto('clients')
        .values({ id, first_name: 'Ana', last_name: id, email, ...readPhone(phone, 'PH') })
        .execute()
    await db
      .insertInto('orders')
      .values({ id: 'o1', order_number: 'SO-7', client_id: 'k3', status: 'ready', total_amount: 5, created_at: at(0) })
      .execute()
  })

  const suggested = async () =>
    (await suggestClients(db, 'u1', 'PH')).map(({ client, reasons }) => [
      client.id,
      client.fb_user_id,
      ...reasons.map(({ kind, value }) => `${kind} ${value}`),
    ])
  const says = (text: string, minute = 1) => addMessage(db, `m${minute}`, 'u1', minute, { message_text: text })

  it('name each client once with all reasons, most reasons first', async () => {
    await says('+63917 123 4567 po, ana@example.com')
    await says('about so-7 and 0917-123-4567', 2)
    await db.updateTable('orders').set({ client_id: 'k2' }).where('id', '=', 'o1').execute()
    expect(await suggested()).toEqual([
      ['k2', null, 'email Ana@Example.com', 'order SO-7'],
      ['k1', null, 'phone 0917 123 4567'],
    ])
  })

  it('know a person of the same name on another page, and tell the chat of the client', async () => {
    await addIdentity(db, 'u2', { page: 'p2', name: 'lea gomez' })
    await addIdentity(db, 'u3', { page: 'p1', name: 'Lea Gomez' })
    await linkClient(db, 'u2', 'k4')
    await linkClient(db, 'u3', 'k3')
    expect(await suggested()).toEqual([['k4', 'u2', 'name lea gomez']])
  })

  it('know the number of a shop without the name of the shop', async () => {
    await db.updateTable('orders').set({ order_number: 'balay #1003' }).where('id', '=', 'o1').execute()
    await says('1003 pcs po')
    expect(await suggested()).toEqual([])
    await says('Kumusta po ang order #1003?', 2)
    expect(await suggested()).toEqual([['k3', null, 'order balay #1003']])
  })

  it('read what the person wrote, and not what staff wrote', async () => {
    await addMessage(db, 'out', 'u1', 1, { direction: 'outgoing', message_text: 'Call 0917 123 4567' })
    expect(await suggested()).toEqual([])
  })

  it('are none for a linked conversation, for deleted clients, and after they were dismissed', async () => {
    await says('0917 123 4567, SO-7, ana@example.com')
    await db
      .updateTable('clients')
      .set({ removed_at: at(2) })
      .where('id', '=', 'k2')
      .execute()
    expect((await suggested()).map(([id]) => id)).toEqual(['k1', 'k3'])
    expect([
      await dismissSuggestion(db, 'u1', 'k1'),
      await dismissSuggestion(db, 'u1', 'k1'),
      await dismissSuggestion(db, 'u1', 'nobody'),
      await dismissSuggestion(db, 'nobody', 'k3'),
    ]).toEqual([true, true, false, false])
    expect((await suggested()).map(([id]) => id)).toEqual(['k3'])
    await linkClient(db, 'u1', 'k4')
    expect(await suggested()).toEqual([])
    await unlinkClient(db, 'u1', 'k4')
    expect((await suggested()).map(([id]) => id)).toEqual(['k3'])
  })

  it('are at most five', async () => {
    for (let n = 0; n < 8; n++)
      await db
        .insertInto('clients')
        .values({ id: `same${n}`, first_name: 'Ana', last_name: 'A', email: 'same@example.com' })
        .execute()
    await says('same@example.com')
    expect(await suggested()).toHaveLength(suggestionLimits.suggestions)
  })
})
