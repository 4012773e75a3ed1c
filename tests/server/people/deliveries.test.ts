import { expect, it } from 'vitest'
import { forgetDeliveriesOf } from '../../../server/people/deliveries.ts'
import { describeOnDatabase } from '../databases.ts'

describeOnDatabase('forgetDeliveriesOf', (open) => {
  it('removes the events of each of two people who are erased at the same time, and no other', async () => {
    const { db } = await open()
    const people = ['7100000000000001', '7100000000000002', '7100000000000003'] as const
    const messaging = people.map((id) => ({ sender: { id }, recipient: { id: 'p1' }, timestamp: 1 }))
    const bodyOf = (events: object[]) => JSON.stringify({ object: 'page', entry: [{ id: 'p1', messaging: events }] })
    const waiting = { body: bodyOf(messaging), due_at: new Date(0) }
    await db
      .insertInto('webhook_inbox')
      .values(Array.from({ length: 10 }, () => waiting))
      .execute()
    const erased = people.slice(0, 2)
    const forget = (psid: string) =>
      forgetDeliveriesOf(db, { accountIds: ['p1'], psid, until: null }, async () => undefined)
    await Promise.all(erased.map(forget))
    const rows = await db.selectFrom('webhook_inbox').select('body').execute()
    expect(rows).toEqual(Array.from({ length: 10 }, () => ({ body: bodyOf(messaging.slice(2)) })))
  })
})
