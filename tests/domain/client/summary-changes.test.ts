import { expect, it } from 'vitest'
import { summaryOrderOf } from '../../../src/domain/client/summaries.ts'
import { changesBetween } from '../../../src/domain/client/summary-changes.ts'
import { orderOf } from '../../model/client/clients-fixture.ts'

const before = [orderOf('o1'), orderOf('o2'), orderOf('o3')]

it('lists what a summary would tell differently, newest order first', () => {
  const after = [
    orderOf('o2', { status: 'in_progress', total_amount: 120.5, payments: [{ amount: 20, status: 'approved' }] }),
    orderOf('o3'),
    orderOf('o4', { total_amount: 7 }),
  ]
  expect(changesBetween(before.map(summaryOrderOf), after.map(summaryOrderOf))).toEqual([
    { order: '#104', type: 'added', total: 700 },
    { order: '#102', type: 'status', before: 'processing', after: 'in progress' },
    { order: '#102', type: 'total', before: 10_000, after: 12_050 },
    { order: '#102', type: 'paid', before: 0, after: 2_000 },
    { order: '#101', type: 'removed' },
  ])
})

it('ignores what no summary tells: another order of rows, payments that do not count, the case of a status', () => {
  const after = [
    orderOf('o3', { status: 'Processing' }),
    orderOf('o1', { payments: [{ amount: 5, status: 'pending' }], items: [{ name: 'Cake' }] }),
    orderOf('o2'),
  ]
  expect(changesBetween(before.map(summaryOrderOf), after.map(summaryOrderOf))).toEqual([])
})
