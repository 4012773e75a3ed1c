import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { noSale } from '../../../src/domain/comments/live-sale.ts'
import { liveSale, liveSaleMachine } from '../../../src/machines/comments/live-sale.ts'
import { saleModel } from '../../model/comments/live-sale-fixture.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { settingsDriver } from '../driving.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const coverage = createCoverage(liveSaleMachine)
const person = { ...user, features: ['comments' as const], permissions: ['orders.manage'] }

async function open() {
  const inbox = await showInbox({ person, inspect: coverage.inspect })
  await inbox.answer('loadTop', listOf([]))
  await inbox.openDialog({ name: 'liveSale' })
  return inbox
}
const dialog = () => within(screen.getByRole('dialog', { name: 'Live sale', hidden: true }))
const button = (name: string) => dialog().getByRole('button', { name, hidden: true })
const type = (name: string, value: string) =>
  act(async () => fireEvent.change(dialog().getByLabelText(name), { target: { value } }))

it('matches its own model on every path', async () => {
  for (const path of saleModel().everyTransitionInFewPaths()) {
    const inbox = await open()
    const drive = settingsDriver(inbox, { load: 'loadSale', save: 'saveSale' })
    await follow(path, drive, ({ expected }) => {
      const [shown] = screen.queryAllByRole('dialog', { name: 'Live sale', hidden: true })
      if (expected.status === 'done') return expect(shown).toBeUndefined()
      const settings = liveSale.selectSettings(expected)
      const keyword = shown && within(shown).queryByLabelText<HTMLInputElement>('Keyword')
      expect([
        keyword?.value ?? null,
        shown === undefined ? [] : within(shown).queryAllByRole('group', { name: /^Product/, hidden: true }).length,
        screen.queryByText(/A colleague changed the sale meanwhile/) !== null,
        screen.queryByRole('alertdialog') !== null,
      ]).toEqual([
        settings?.keyword ?? null,
        settings?.items.length ?? 0,
        liveSale.selectIsOvertaken(expected),
        expected.matches('leaving'),
      ])
    })
    inbox.unmount()
  }
}, 120_000)

it('takes products as they are typed, and sends them', async () => {
  const inbox = await open()
  await inbox.answer('loadSale', {
    saved: { settings: { ...noSale, post_id: 'gone' }, version: 1 },
    facts: { posts: [{ id: 'live', message: 'LIVE: mugs', is_live: true }] },
  })
  expect(dialog().getByLabelText<HTMLSelectElement>('Post').selectedOptions[0]?.textContent).toBe(
    'A post that is not listed',
  )
  await type('Post', 'live')
  await userEvent.click(dialog().getByRole('checkbox', { name: 'Take claims now' }))
  await type('Keyword', 'akin')
  await userEvent.click(button('Add product'))
  await type('Name', 'Mug')
  await type('Price', 'a lot')
  expect(dialog().getByLabelText<HTMLInputElement>('Price').value).toBe('a lot')
  expect(button('Save')).toHaveProperty('disabled', true)
  await type('Price', '250.50')
  await type('Pieces', '2')
  await type('Number', '3')
  await expectScreen()
  await userEvent.click(button('Save'))
  const settings = {
    is_on: true,
    post_id: 'live',
    keyword: 'akin',
    items: [{ number: 3, name: 'Mug', price: 25_050, stock: 2 }],
  }
  expect(inbox.waiting('saveSale')).toEqual([{ settings, replaces: 1 }])
  await inbox.answer('saveSale', { settings, version: 2, isSaved: true })
  await userEvent.click(button('Remove product 3'))
  expect([document.activeElement, dialog().queryByLabelText('Price')]).toEqual([button('Add product'), null])
  inbox.unmount()
})

it.each([
  ['any live video', null, [], 'Every live video while it is broadcast'],
  ['a listed post', 'p2', [], 'Post without text'],
  ['a post that is not listed', 'gone', ['A post that is not listed'], 'A post that is not listed'],
])('names each post by its first words, with %s chosen', async (_, post_id, further, chosen) => {
  const inbox = await open()
  const posts = [
    { id: 'p1', message: 'LIVE: mugs', is_live: true },
    { id: 'p2', message: null, is_live: false },
    { id: 'p3', message: ' ', is_live: false },
  ]
  await inbox.answer('loadSale', { saved: { settings: { ...noSale, post_id }, version: 1 }, facts: { posts } })
  const { options, selectedOptions } = dialog().getByLabelText<HTMLSelectElement>('Post')
  expect([[...options].map(({ text }) => text), selectedOptions[0]?.text]).toEqual([
    ['Every live video while it is broadcast', 'LIVE: mugs', 'Post without text', 'Post without text', ...further],
    chosen,
  ])
  inbox.unmount()
})

it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
it('takes every transition', () =>
  expect(coverage.transitionsMissed()).toEqual([
    // The confirmation dialog handles Escape itself.
    'liveSale.leaving -- dialog.dismissed --> liveSale.editing',
  ]))
