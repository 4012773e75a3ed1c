import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import { personalDataMachine, selectStep } from '../../../src/machines/client/personal-data.ts'
import type { Erasable } from '../../../src/schemas/person.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createCoverage, follow, modelOf } from '../../model/harness.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

const coverage = createCoverage(personalDataMachine)
const running = { id: 'x1', state: 'running' } as const
const client = { name: 'Ana Reyes', orders: 1, payments: 3, is_shared: false }
const erasable: Erasable = { messages: 1, files: 2, client }
const refused = new Failure({ kind: 'status', status: 400, method: 'POST', path: '/persons/ana/erase' })
const noAnswer = new Failure({ kind: 'noAnswer', method: 'GET', path: '/erasures/x1' })

async function showDialog(permissions = ['persons.export', 'persons.erase']) {
  const inbox = await showInbox({ person: { ...user, permissions }, inspect: coverage.inspect })
  await inbox.answer('loadTop', listOf([conversationOf()]))
  await inbox.open('ana')
  await inbox.answer('loadMessages', { messages: [], hasMore: false })
  return inbox
}
const click = (element: Element) => act(async () => fireEvent.click(element))
const openDialog = async () => {
  await click(screen.getByRole('button', { name: 'Personal data…' }))
  return within(await screen.findByRole('dialog', { name: 'Personal data' }))
}
const dialog = () => within(screen.getByRole('dialog', { name: 'Personal data' }))
const press = (name: string) => click(dialog().getByRole('button', { name }))

describe('The button', () => {
  it.each([
    [[], []],
    [['persons.export'], ['Export']],
    [['persons.erase'], ['Erase']],
  ])('is offered by the permissions %j, and the dialog offers %j', async (permissions, offered) => {
    const inbox = await showDialog(permissions)
    if (offered.length === 0) {
      expect(screen.queryByRole('button', { name: 'Personal data…' })).toBeNull()
      return
    }
    const opened = await openDialog()
    if (permissions.includes('persons.erase')) await inbox.answer('loadErasable', { ...erasable, client: null })
    expect(
      opened
        .getAllByRole('button')
        .map(({ textContent }) => textContent)
        .filter(Boolean),
    ).toEqual(offered)
  })
})

describe('The dialog, over every transition', () => {
  type Snapshot = SnapshotFrom<typeof personalDataMachine>
  const model = modelOf(personalDataMachine, {
    input: { conversationId: 'ana', name: 'Ana', mayExport: true, mayErase: true },
    vertex: ({ context: { word, withClient, erasable: found } }: Snapshot) => [word, withClient, found !== null],
    cases: {
      // What is not loaded or not linked has no field.
      'word.typed': ({ context }) => (context.erasable === null ? [] : [{ word: 'erase' }, { word: '' }]),
      'client.toggled': ({ context }) => [{ withClient: !context.withClient }],
      'refetch.requested': [{}],
      'xstate.done.actor.loadErasable': [{ output: erasable }],
      'xstate.error.actor.loadErasable': [{ error: refused }],
      'export.requested': [{}],
      'erase.requested': ({ value, context }) => (value === 'failed' || context.word !== '' ? [{}] : []),
      'dialog.dismissed': [{}],
      'xstate.done.actor.exportPerson': [{ output: undefined }],
      'xstate.error.actor.exportPerson': [{ error: refused }],
      'xstate.done.actor.erasePerson': [{ output: running }],
      'xstate.error.actor.erasePerson': [{ error: refused }],
      'xstate.done.actor.loadErasure': [{ output: running }, { output: { ...running, state: 'completed' } }],
      'xstate.error.actor.loadErasure': [{ error: refused }, { error: noAnswer }],
      'xstate.after.progressInterval.personalData.erasing.waiting': [{}],
      'xstate.after.retryDelay.personalData.erasing.backingOff': [{}],
    },
  })
  const paths = model.everyTransitionInFewPaths()

  const texts = {
    asking: 'Erase the chats, profile and pictures of',
    erasing: 'Erasing... You can close this. The inbox goes on.',
    failed: 'We do not know whether everything was erased. Please try again.',
    done: 'The personal data was erased.',
  }

  const keeps = 'The client record Ana Reyes stays, with its orders and payments.'
  const offers = 'Also erase the client record Ana Reyes with 1 order and 3 payments'
  const shared = 'The client record Ana Reyes stays, because another person is linked to it.'
  it.each([
    ['no client', null, []],
    ['a client', client, [offers, keeps]],
    ['a client of others', { ...client, is_shared: true }, [shared]],
  ])('names what is erased, with %s', async (_, linked, said) => {
    const inbox = await showDialog()
    await openDialog()
    await inbox.answer('loadErasable', { ...erasable, client: linked })
    const text = screen.getByRole('dialog').textContent?.replaceAll(/[\u2068\u2069]/g, '') ?? ''
    expect(text).toContain('1 message and 2 files are erased.')
    expect([offers, keeps, shared].filter((one) => text.includes(one))).toEqual(said)
    inbox.unmount()
  })

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const inbox = await showDialog()
    await openDialog()
    await follow(
      path,
      {
        'word.typed': ({ word }) =>
          act(async () =>
            fireEvent.change(dialog().getByLabelText('Type "erase" to confirm'), { target: { value: word } }),
          ),
        'client.toggled': () => click(dialog().getByRole('checkbox')),
        'refetch.requested': () => press('Try again'),
        ...inbox.ends('loadErasable'),
        'export.requested': () => press('Export'),
        'erase.requested': () => press(dialog().queryByRole('button', { name: 'Erase' }) ? 'Erase' : 'Try again'),
        'dialog.dismissed': () => click(dialog().getAllByRole('button', { name: /^(Close|Done)$/ })[0] as Element),
        'xstate.done.actor.exportPerson': () => inbox.answer('exportPerson', undefined),
        'xstate.error.actor.exportPerson': ({ error }) => inbox.fail('exportPerson', error),
        ...inbox.ends('erasePerson', 'loadErasure'),
        'xstate.after.progressInterval.personalData.erasing.waiting': () => inbox.pass(1_000),
        'xstate.after.retryDelay.personalData.erasing.backingOff': () => inbox.pass(60_000),
      },
      ({ expected }) => {
        const isOpen = screen.queryByRole('dialog', { name: 'Personal data' }) !== null
        expect(isOpen).toBe(expected.status !== 'done')
        if (!isOpen) return
        const step = selectStep(expected)
        expect(screen.getByRole('dialog').textContent).toContain(
          step === 'asking' && expected.context.erasable === null
            ? expected.matches('loading')
              ? 'Counting what would be erased…'
              : 'What would be erased could not be counted.'
            : texts[step],
        )
      },
    )
    inbox.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
