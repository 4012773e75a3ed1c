import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { TeamMember } from '../../../src/schemas/conversation-state.ts'
import { pageOf } from '../../model/dialogs-fixture.ts'
import { row, stateOf } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, statsOf, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

beforeAll(() => import('../../../src/views/list/FirstRun.tsx'))

const personWith = (...permissions: string[]): AuthUser => ({
  ...user,
  permissions: ['conversations.read', ...permissions],
  features: ['conversation-states'],
})
const administrator = personWith('pages.manage', 'sync.run', 'staff.manage')
const agent = personWith('sync.run')
const viewer = personWith()

const maria: TeamMember = { id: 's1', name: 'Maria Santos', is_active: true }
const left: TeamMember = { id: 's3', name: 'Ben Lim', is_active: false }
const jun: TeamMember = { id: 's2', name: 'Jun Reyes', is_active: true }

type Setting = { person?: AuthUser; pages?: string[]; team?: TeamMember[]; conversations?: number }

async function showEmpty({
  person = administrator,
  pages = [],
  team = [maria, left],
  conversations = 0,
}: Setting = {}) {
  const inbox = await showInbox({ person })
  await inbox.answer('loadTop', listOf([]))
  await inbox.answer('loadStats', statsOf(conversations, 0))
  await inbox.answer(
    'loadPages',
    pages.map((id) => pageOf(id)),
  )
  if (inbox.waiting('loadTeam').length > 0) await inbox.answer('loadTeam', team)
  await act(async () => {})
  return inbox
}

const thread = () => within(screen.getByRole('region', { name: 'Thread' }))
/** The name, the advice and the button of each step in the thread pane. */
const steps = () =>
  thread()
    .queryAllByRole('listitem')
    .map((item) => [
      within(item).getByRole('heading').textContent,
      item.querySelector('p')?.textContent,
      within(item).queryByRole('button')?.textContent ?? null,
    ])

it.each<[string, Setting, unknown[], string]>([
  [
    'an administrator without a page',
    {},
    [
      ['Connect a page', 'New messages to the page then show up here by themselves.', 'Add Page'],
      ['Sync history', 'Connect a page first.', null],
      ['Invite staff', 'So that every answer carries a name.', 'Invite'],
    ],
    '0 of 3 done',
  ],
  [
    'an administrator with a page and a colleague',
    { pages: ['p1'], team: [maria, jun] },
    [
      ['Done: Connect a page', `${pageOf('p1').page_name} is connected.`, 'Add Page'],
      ['Sync history', 'Brings the 20 most recent messages of each conversation.', 'Start Sync'],
      ['Done: Invite staff', '2 people can sign in.', 'Invite'],
    ],
    '2 of 3 done',
  ],
  [
    'a person who may only import files',
    { person: { ...personWith('imports.manage'), features: ['conversation-states', 'csv-import'] }, pages: ['p1'] },
    [['Import your clients', 'Bring clients, orders and payments from a CSV file of your shop.', 'Import']],
    '0 of 1 done',
  ],
  [
    'an agent, who may sync only',
    { person: agent, pages: ['p1', 'p2'] },
    [['Sync history', 'Brings the 20 most recent messages of each conversation.', 'Start Sync']],
    '0 of 1 done',
  ],
])('an empty inbox is a list of steps for %s', async (_, setting, expected, progress) => {
  const inbox = await showEmpty(setting)
  expect([steps(), thread().getByRole('status').textContent]).toEqual([expected, progress])
  // Without a style sheet the list of steps stands on the page twice: on a phone it is in the other pane.
  await expectScreen(document.body, ['landmark-unique'])
  inbox.unmount()
})

it.each([
  [
    'an agent without a page whom to ask',
    agent,
    [],
    'Ask an administrator to connect a page. New messages then show up here by themselves.',
  ],
  [
    'a viewer without a page whom to ask',
    viewer,
    [],
    'Ask an administrator to connect a page. New messages then show up here by themselves.',
  ],
  ['a viewer with a page what comes', viewer, ['p1'], 'New messages show up here by themselves.'],
])('an empty inbox tells %s', async (_, person, pages, text) => {
  const inbox = await showEmpty({ person, pages })
  expect([steps(), thread().getByText(text).textContent, thread().queryByRole('button')]).toEqual([[], text, null])
  inbox.unmount()
})

it.each([
  ['an API without views', { ...user, permissions: [] }, 0],
  ['an inbox with conversations in other views', administrator, 3],
])('%s shows no steps', async (_, person, conversations) => {
  const inbox = await showEmpty({ person, conversations })
  expect(thread().getByText('Select a conversation')).toBeTruthy()
  expect(screen.queryByText('Set up your inbox')).toBeNull()
  inbox.unmount()
})

it('the step “Import your clients” opens import and export', async () => {
  const person = { ...personWith('imports.manage'), features: ['conversation-states', 'csv-import'] }
  const inbox = await showEmpty({ person, pages: ['p1'] })
  await act(async () => fireEvent.click(thread().getByRole('button', { name: 'Import' })))
  expect(await screen.findByRole('dialog', { name: 'Import and export' })).toBeTruthy()
  inbox.unmount()
})

it('the texts of the empty list stay, and under a page filter there are no steps', async () => {
  const inbox = await showEmpty({ pages: ['p1'] })
  expect(screen.getByText('Nobody is waiting')).toBeTruthy()
  await inbox.tell({ type: 'view.chosen', view: 'all' })
  await inbox.answer('loadTop', listOf([]))
  expect(screen.getByText('No conversations found')).toBeTruthy()
  expect(steps()).toHaveLength(3)
  await inbox.tell({ type: 'page.chosen', pageId: 'p1' })
  await inbox.answer('loadTop', listOf([]))
  expect([screen.getAllByText('No conversations found').length, steps()]).toEqual([1, []])
  inbox.unmount()
})

it.each([
  ['Add Page', 'Manage Facebook Pages'],
  ['Start Sync', 'Sync Historical Messages'],
  ['Invite', 'Staff'],
])('the step with the button %s opens its dialog', async (name, title) => {
  const inbox = await showEmpty({ pages: ['p1'] })
  await act(async () => fireEvent.click(thread().getByRole('button', { name })))
  await screen.findByRole('dialog', { name: title })
  inbox.unmount()
})

it('the steps end with the first conversation', async () => {
  const inbox = await showEmpty({ pages: ['p1'] })
  expect(steps()).toHaveLength(3)
  await inbox.tell({ type: 'refetch.requested' })
  await inbox.answer('loadTop', listOf([row('c1', 100, { state: stateOf(1) })]))
  expect([steps(), thread().getByText('Select a conversation').textContent]).toEqual([[], 'Select a conversation'])
  inbox.unmount()
})
