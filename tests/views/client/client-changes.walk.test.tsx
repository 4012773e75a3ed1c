import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { clientFieldNames, fieldsOfClient } from '../../../src/domain/client/client-fields.ts'
import { clientSuggestionsMachine } from '../../../src/machines/client/client-suggestions.ts'
import { editClientMachine } from '../../../src/machines/client/edit-client.ts'
import { mergeClientsMachine } from '../../../src/machines/client/merge-clients.ts'
import { removeClientMachine } from '../../../src/machines/client/remove-client.ts'
import { removedClientsMachine } from '../../../src/machines/client/removed-clients.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import EditClientDialog from '../../../src/views/client/EditClientDialog.tsx'
import '../../../src/views/client/ClientSuggestions.tsx'
import MergeClientsDialog from '../../../src/views/client/MergeClientsDialog.tsx'
import RemoveClientDialog from '../../../src/views/client/RemoveClientDialog.tsx'
import '../../../src/views/client/RemovedClientsDialog.tsx'
import { conversationOf } from '../../domain/message-fixture.ts'
import {
  clientSuggestionsModel,
  editClientModel,
  maria,
  mariaLater,
  mergeClientsModel,
  outdated,
  removeClientModel,
  removed,
  removedClientsModel,
  startEditing,
  startMerging,
  startRemoving,
  suggestions,
  summary,
} from '../../model/client/client-changes-fixture.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { answered, dialogDriver, leavesForm, pressIfShown, submit } from '../driving.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const editCoverage = createCoverage(editClientMachine)
const removeCoverage = createCoverage(removeClientMachine)
const mergeCoverage = createCoverage(mergeClientsMachine)
const removedCoverage = createCoverage(removedClientsMachine)
const suggestionsCoverage = createCoverage(clientSuggestionsMachine)

const click = (element: Element) => act(async () => fireEvent.click(element))
const press = (name: string | RegExp) => click(screen.getAllByRole('button', { name })[0] as Element)

const labels = ['First Name', 'Last Name', 'Email', 'Phone', 'Company', 'Classification']
const textbox = (name: string) =>
  screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(`^${name}`), hidden: true })

describe('The form that edits a client', () => {
  const show = () => {
    const sut = startEditing(editCoverage.inspect)
    const view = render(
      <EditClientDialog
        actor={sut.actor as never}
        title="Edit client"
        onDismiss={() => sut.actor.send({ type: 'dialog.dismissed' })}
      />,
    )
    return { ...sut, unmount: view.unmount }
  }

  it.each(editClientModel().everyTransitionInFewPaths())('shows every state: path %$', async (path) => {
    const sut = show()
    const drive = dialogDriver(
      sut,
      {
        ...leavesForm,
        'fields.typed': async ({ fields }) => {
          for (const [index, name] of clientFieldNames.entries()) {
            const field = textbox(labels[index] ?? '')
            if (field.value !== fields[name])
              await act(async () => fireEvent.change(field, { target: { value: fields[name] } }))
          }
        },
        'value.chosen': ({ value }) => press(`Take theirs: ${value}`),
        'form.submitted': () => submit(screen.getByRole('form', { name: 'Edit client' })),
        'dialog.dismissed': () => click(screen.getByRole('button', { name: 'Close', hidden: true })),
        'refetch.requested': () => press('Try again'),
      },
      { loadClient: sut.load, loadChanges: sut.load, editClient: sut.save },
    )
    await follow(path, drive, ({ expected }) => {
      if (expected.status !== 'active') return
      const { base, fields, error, changes } = expected.context
      expect(screen.queryByRole('alertdialog') !== null).toBe(expected.matches('leaving'))
      expect(screen.queryByRole('alert', { hidden: true })?.textContent ?? null).toBe(error)
      if (base === null) return
      expect(labels.map((label) => textbox(label).value)).toEqual(clientFieldNames.map((name) => fields[name]))
      expect(textbox('Email').readOnly).toBe(expected.matches('saving') || expected.matches('comparing'))
      expect(screen.queryAllByRole('button', { name: /^Take theirs/, hidden: true })).toHaveLength(
        changes.filter(({ mine }) => mine !== null).length,
      )
    })
    sut.unmount()
  })

  it('tells what a colleague changed, and is accessible', async () => {
    const sut = show()
    await act(() => sut.load.resolve(maria))
    await act(async () =>
      sut.actor.send({ type: 'fields.typed', fields: { ...fieldsOfClient(maria), company: 'Corner' } }),
    )
    await act(async () => sut.actor.send({ type: 'form.submitted' }))
    await act(() => sut.save.reject(outdated))
    await act(() => sut.load.resolve(mariaLater))
    const news = within(screen.getByRole('region', { name: 'Changed by a colleague meanwhile' }))
    expect(news.getAllByRole('listitem').map(({ firstChild }) => firstChild?.textContent)).toEqual([
      'Email: new@santos.ph',
      'Company: Bolt',
    ])
    expect(screen.getByRole('button', { name: 'Keep mine: Corner' }).ariaPressed).toBe('true')
    await expectScreen()
    sut.unmount()
  })

  it('enters every state', () => expect(editCoverage.statesMissed()).toEqual([]))
  // A press on Close while the client is saved, which no path of the model takes.
  it('ignores Close while it saves', async () => {
    const sut = show()
    await act(() => sut.load.resolve(maria))
    await act(async () =>
      sut.actor.send({ type: 'fields.typed', fields: { ...fieldsOfClient(maria), company: 'Corner' } }),
    )
    await act(async () => sut.actor.send({ type: 'form.submitted' }))
    await press('Close')
    expect(sut.actor.getSnapshot().value).toBe('saving')
    await act(() => sut.save.reject(outdated))
    await press('Close')
    expect(sut.actor.getSnapshot().value).toBe('comparing')
    sut.unmount()
  })
  it('takes every transition', () => expect(editCoverage.transitionsMissed()).toEqual([]))
})

describe('The question before a deletion', () => {
  const show = () => {
    const sut = startRemoving(removeCoverage.inspect)
    const view = render(
      <RemoveClientDialog
        actor={sut.actor as never}
        title="Delete client"
        onDismiss={() => sut.actor.send({ type: 'dialog.dismissed' })}
      />,
    )
    return { ...sut, unmount: view.unmount }
  }

  it.each(removeClientModel().everyTransitionInFewPaths())('shows every state: path %$', async (path) => {
    const sut = show()
    const drive = driverOf(
      ({ type }: AnyEventObject) =>
        press(type === 'removal.confirmed' ? 'Delete client' : type === 'dialog.dismissed' ? 'Close' : 'Try again'),
      {
        calls: { loadSummary: answered(sut.load), removeClient: answered(sut.remove) },
        delays: { retryDelay: () => act(async () => void sut.clock.increment(2_000)) },
      },
    )
    await follow(path, drive, ({ expected }) => {
      if (expected.status !== 'active') return
      expect({
        question: screen.queryByText('Delete Maria Santos k1?') !== null,
        canConfirm: !screen.getByRole<HTMLButtonElement>('button', { name: 'Delete client' }).disabled,
        canRetry: screen.queryByRole('button', { name: 'Try again' }) !== null,
      }).toEqual({
        question: expected.context.summary !== null,
        canConfirm: expected.matches('asking'),
        canRetry: expected.matches('failed'),
      })
    })
    sut.unmount()
  })

  it('says what happens to orders, payments and the chat, and ignores Close while it deletes', async () => {
    const sut = show()
    await act(() => sut.load.resolve(summary))
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '2 orders with 1 payment are deleted too.',
      'The conversation stays and is not linked any more.',
      'For 30 days you can restore everything under Deleted clients.',
    ])
    await expectScreen()
    await press('Delete client')
    await press('Close')
    expect(sut.actor.getSnapshot().value).toBe('removing')
    sut.unmount()
  })
  it('enters every state', () => expect(removeCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(removeCoverage.transitionsMissed()).toEqual([]))
})

describe('The dialog that merges clients', () => {
  const show = () => {
    const sut = startMerging(mergeCoverage.inspect)
    const view = render(
      <MergeClientsDialog
        actor={sut.actor as never}
        title="Merge clients"
        onDismiss={() => sut.actor.send({ type: 'dialog.dismissed' })}
      />,
    )
    return { ...sut, unmount: view.unmount }
  }
  const group = () => within(screen.getByRole('group', { name: 'Classification' }))

  it.each(mergeClientsModel().everyTransitionInFewPaths())('shows every state: path %$', async (path) => {
    const sut = show()
    const drive = dialogDriver(
      sut,
      {
        'search.typed': ({ term }) =>
          act(async () => fireEvent.change(screen.getByRole('textbox'), { target: { value: term } })),
        'client.chosen': () => press('Compare with Maria Santos k2'),
        'field.chosen': ({ isTaken }) => click(group().getByRole('radio', { name: isTaken ? 'vip' : 'new' })),
        'back.requested': () => pressIfShown('Choose another client'),
        'merge.confirmed': () => press('Merge clients'),
        'refetch.requested': () => press('Try again'),
        'dialog.dismissed': () => press('Close'),
      },
      { searchClients: sut.search, loadPreview: sut.load, mergeClients: sut.merge },
      { searchDebounce: 300 },
    )
    await follow(path, drive, ({ expected }) => {
      if (expected.status !== 'active') return
      const { preview: known, take, term, found } = expected.context
      const isChoosing = expected.matches('choosing')
      expect({
        term: screen.queryByRole<HTMLInputElement>('textbox')?.value ?? null,
        found: screen.queryAllByRole('button', { name: /^Compare with/ }).length,
        taken: known === null ? null : group().getByRole<HTMLInputElement>('radio', { name: 'vip' }).checked,
        canMerge: screen.queryByRole<HTMLButtonElement>('button', { name: 'Merge clients' })?.disabled === false,
      }).toEqual({
        term: isChoosing ? term : null,
        found: isChoosing ? (found?.clients.length ?? 0) : 0,
        taken: known === null ? null : take.includes('classification'),
        canMerge: expected.matches('comparing'),
      })
    })
    sut.unmount()
  })

  it('begins with the search, also on return from the preview', async () => {
    const sut = show()
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox')))
    await act(async () => sut.actor.send({ type: 'client.chosen', id: 'k2' }))
    await act(() => sut.load.resolve({ kept: summary, other: summary }))
    await press('Choose another client')
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
    sut.unmount()
  })

  it('says how much to type, that it searches, and which search found nobody', async () => {
    const sut = show()
    const said = () => screen.getByRole('status').textContent
    const search = async (term: string) => {
      await act(async () => fireEvent.change(screen.getByRole('textbox'), { target: { value: term } }))
      await act(async () => void sut.clock.increment(300))
      return said()
    }
    expect([said(), await search('z'), await search('zz top')]).toEqual([
      'Type at least 2 characters.',
      'Type at least 2 characters.',
      'Searching...',
    ])
    await act(() => sut.search.resolve([]))
    expect(said()).toBe('No clients found matching "zz top"')
    sut.unmount()
  })

  it('names what moves, and is accessible', async () => {
    const sut = show()
    await act(async () => sut.actor.send({ type: 'client.chosen', id: 'k2' }))
    await act(() =>
      sut.load.resolve({
        kept: summary,
        other: { client: { ...maria, id: 'k2', last_name: 'Cruz', fb_user_id: 'ben' }, orders: 1, payments: 0 },
      }),
    )
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '1 order with 0 payments moves.',
      'Both conversations become one.',
      'For 30 days you can undo this under Deleted clients.',
    ])
    expect(screen.getAllByRole('group').map((each) => each.querySelector('legend')?.textContent)).toEqual(['Last Name'])
    await expectScreen()
    sut.unmount()
  })
  it('enters every state', () => expect(mergeCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(mergeCoverage.transitionsMissed()).toEqual([]))
})

describe('The list of deleted clients', () => {
  const show = async () => {
    const inbox = await showInbox({
      person: { ...user, permissions: ['clients.remove'], features: ['client-changes'] },
      inspect: removedCoverage.inspect,
    })
    await inbox.answer('loadTop', listOf([]))
    await click(screen.getByText('Deleted clients'))
    await screen.findByRole('dialog', { name: 'Deleted clients' })
    return inbox
  }

  it.each(removedClientsModel().everyTransitionInFewPaths())('shows every state: path %$', async (path) => {
    const inbox = await show()
    const drive = driverOf(
      ({ type }: AnyEventObject) =>
        press(
          type === 'restore.requested' ? 'Restore Maria Santos' : type === 'dialog.dismissed' ? 'Close' : 'Try again',
        ),
      {
        calls: { loadRemovals: inbox.control('loadRemovals'), undoRemoval: inbox.control('undoRemoval') },
        delays: { retryDelay: () => inbox.pass(2_000) },
      },
    )
    await follow(path, drive, ({ expected }) => {
      const dialog = screen.queryByRole('dialog', { name: 'Deleted clients' })
      expect(dialog !== null).toBe(expected.status === 'active')
      if (dialog === null) return
      const buttons = within(dialog).queryAllByRole('button', { name: /^Restore/ })
      expect(buttons.map((button) => [button.ariaLabel, button.ariaDisabled, button.ariaBusy])).toEqual(
        (expected.context.clients ?? []).map(({ id, name }) => [
          `Restore ${name || 'Unnamed client'}`,
          String(!expected.matches('showing')),
          String(expected.context.restoring === id),
        ]),
      )
    })
    inbox.unmount()
  })

  it('tells what was merged into whom, by whom, and ignores Close while it restores', async () => {
    const inbox = await show()
    await inbox.answer('loadRemovals', removed)
    expect(
      screen.getAllByRole('listitem').map((each) => [...each.querySelectorAll('p')].map((line) => line.textContent)),
    ).toEqual([
      [
        'Maria Santos',
        expect.stringMatching(/^Deleted on .* · Ana$/),
        expect.stringMatching(/^Can be restored until /),
      ],
      ['Unnamed client', expect.stringMatching(/^Merged into Ben Cruz on /), expect.stringMatching(/^Can be restored/)],
    ])
    await press('Restore Maria Santos')
    await press('Close')
    expect(screen.queryByRole('dialog', { name: 'Deleted clients' })).not.toBeNull()
    inbox.unmount()
  })
  it('enters every state', () => expect(removedCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(removedCoverage.transitionsMissed()).toEqual([]))
})

describe('The suggestions beside an unlinked conversation', () => {
  const show = async (features = ['client-suggestions', 'chats'], more: readonly Conversation[] = []) => {
    const inbox = await showInbox({
      person: { ...user, permissions: ['clients.link'], features },
      inspect: suggestionsCoverage.inspect,
    })
    await inbox.answer(
      'loadTop',
      listOf([
        conversationOf(),
        conversationOf({ primary_user_id: 'lea', fb_user_id: 'lea', client_id: 'k9' }),
        ...more,
      ]),
    )
    return inbox
  }
  const open = async (inbox: Awaited<ReturnType<typeof show>>, id: string) => {
    await inbox.open(id)
    await inbox.answer('loadMessages', { messages: [], hasMore: false })
  }
  const names = () =>
    screen.queryAllByRole('button', { name: /^Dismiss the suggestion/ }).map(({ ariaLabel }) => ariaLabel)

  // Short paths: an answer settles the oldest call, and a longer path would leave a dismissal without an answer.
  it.each(clientSuggestionsModel().everyTransitionInFewPaths(6))('show every state: path %$', async (path) => {
    const inbox = await show()
    const drive = driverOf(
      async (event: AnyEventObject) => {
        if (event.type === 'suggestion.dismissed') return press('Dismiss the suggestion Maria Santos k1')
        return event['subject'] === null ? open(inbox, 'lea') : open(inbox, 'ana')
      },
      {
        calls: {
          loadSuggestions: inbox.control('loadSuggestions'),
          dismissSuggestion: inbox.control('dismissSuggestion'),
        },
        delays: { settleDelay: () => inbox.pass(300), retryDelay: () => inbox.pass(2_000) },
      },
    )
    await follow(path, drive, ({ expected }) => {
      expect(names()).toEqual(
        expected.context.suggestions.map(({ client }) => `Dismiss the suggestion Maria ${client.last_name}`),
      )
    })
    inbox.unmount()
  })

  it('tell their reasons; one press opens the dialog with the client selected, a linked one leads to Join Chats', async () => {
    const inbox = await show()
    await open(inbox, 'ana')
    await inbox.pass(300)
    await inbox.answer('loadSuggestions', suggestions)
    const region = within(screen.getByRole('region', { name: 'Is this one of your clients?' }))
    expect(region.getAllByText(/Wrote|Mentioned|Same name/).map(({ textContent }) => textContent)).toEqual([
      'Wrote the phone number 0917 123 4567',
      'Mentioned order SO-1',
      'Same name on another page: Ben',
    ])
    await expectScreen()
    await press('Link to Maria Santos k1')
    await screen.findByRole('dialog', { name: 'Link Client' })
    expect(screen.getByRole<HTMLInputElement>('radio').checked).toBe(true)
    await act(async () => fireEvent.submit(screen.getByRole('form', { name: 'Link to a client' })))
    expect(inbox.waiting('linkClient')).toEqual([{ fbUserId: 'ana', clientId: 'k1' }])
    inbox.unmount()
  })

  it('lead to Join Chats, which searches for the linked client at once', async () => {
    const inbox = await show()
    await open(inbox, 'ana')
    await inbox.pass(300)
    await inbox.answer('loadSuggestions', suggestions)
    await press('Join Chats with Maria Santos k2')
    await screen.findByRole('dialog', { name: 'Chats and client' })
    await inbox.pass(300)
    expect(inbox.waiting('loadPage')).toMatchObject([{ query: { search: 'Maria Santos k2' } }])
    inbox.unmount()
  })

  it('are those of the open conversation, are asked for again after its next message, and go when it is left', async () => {
    const inbox = await show(undefined, [row('c1', 1)])
    const asked = async () => {
      await inbox.pass(300)
      return inbox.waiting('loadSuggestions')
    }
    await open(inbox, 'ana')
    await inbox.pass(300)
    await inbox.answer('loadSuggestions', suggestions)
    await open(inbox, 'c1')
    expect([names(), await asked()]).toEqual([[], [{ conversationId: 'c1' }]])
    await inbox.answer('loadSuggestions', suggestions.slice(0, 1))
    expect(names()).toEqual(['Dismiss the suggestion Maria Santos k1'])
    await inbox.change([{ type: 'INSERT', record: messageIn('c1', 2) }])
    expect(await asked()).toEqual([{ conversationId: 'c1' }])
    await open(inbox, 'lea')
    expect(await asked()).toEqual([])
    inbox.unmount()
  })

  it('are not asked for without the feature of the API', async () => {
    const inbox = await show(['chats'])
    await open(inbox, 'ana')
    await inbox.pass(300)
    expect(inbox.waiting('loadSuggestions')).toEqual([])
    inbox.unmount()
  })
  it('enters every state', () => expect(suggestionsCoverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(suggestionsCoverage.transitionsMissed()).toEqual([]))
})
