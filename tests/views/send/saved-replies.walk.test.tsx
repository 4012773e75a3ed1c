import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AnyEventObject, InspectionEvent } from 'xstate'
import { replyHelpMachine } from '../../../src/machines/send/reply-help.ts'
import { savedRepliesMachine, selectActive, selectOptions } from '../../../src/machines/send/saved-replies.ts'
import { savedReplyFormMachine } from '../../../src/machines/send/saved-reply-form.ts'
import { savedReplyManagerMachine } from '../../../src/machines/send/saved-reply-manager.ts'
import type { Feature } from '../../../src/schemas/feature.ts'
import { SessionProvider, type SessionRef } from '../../../src/views/actors.tsx'
import { replyListId, replyOptionId } from '../../../src/views/send/reply-list-ids.ts'
import SavedRepliesDialog from '../../../src/views/send/SavedRepliesDialog.tsx'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import {
  address,
  holiday,
  hours,
  managerModel,
  replyFaults,
  savedRepliesModel,
  savedReplyFormModel,
  startManager,
} from '../../model/send/saved-replies-fixture.ts'
import { dialogDriver, headings, inQuestion, isShown, leavesForm, press, submit } from '../driving.ts'
import { found } from '../found.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const list = createCoverage(savedRepliesMachine)
const help = createCoverage(replyHelpMachine)
const manager = createCoverage(savedReplyManagerMachine)
const form = createCoverage(savedReplyFormMachine)

/** The session of a person who may change saved replies. No social page is known. */
const signedIn = { context: { user: { id: 'u1', permissions: ['faq.manage'], features: ['reply-buttons'] } } }
const subscribe = () => ({ unsubscribe: () => undefined })
const noPages = { context: { pages: { inOrder: [] } } }
const pages = { getSnapshot: () => noPages, subscribe }
const session = {
  getSnapshot: () => signedIn,
  subscribe,
  system: { get: () => pages },
} as unknown as SessionRef

/** Renders the dialog on its real machine. The test controls the answers. */
function show() {
  const sut = startManager((event) => {
    manager.inspect(event)
    form.inspect(event)
  })
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const view = render(
    <SessionProvider session={session}>
      <SavedRepliesDialog actor={sut.actor} title="Saved replies" onDismiss={dismiss} />
    </SessionProvider>,
  )
  return { ...sut, dismiss: () => act(async () => dismiss()), unmount: view.unmount }
}

const field = (name: RegExp) => screen.queryByLabelText<HTMLInputElement>(name)
const type = (name: RegExp, value: string) =>
  act(async () => void fireEvent.change(found(field(name), `the field ${name}`), { target: { value } }))

describe('The walk through the form of a saved reply', () => {
  const paths = [null, hours].flatMap((reply) =>
    savedReplyFormModel(reply)
      .everyTransitionInFewPaths()
      .map((path) => ({ reply, path })),
  )

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const { reply, path } of paths) {
      const sut = show()
      await act(() => sut.load.resolve([address, hours]))
      await press(reply === null ? 'Add saved reply' : 'Edit hours')
      const title = reply === null ? 'New saved reply' : 'Edit saved reply'
      const drive = dialogDriver(
        sut,
        {
          ...leavesForm,
          'fields.typed': async (event) => {
            await type(/^Short name/, event['change'].name)
            return type(/^Text/, event['change'].text)
          },
          'form.submitted': () => submit(screen.getByRole('form', { name: title })),
        },
        { saveReply: sut.save },
      )
      await follow(path, drive, ({ expected: { value, context, status, output } }) => {
        // The dialog ends with the form.
        if (output?.isDismissed) return expect(sut.snapshot().value).toBe('dismissed')
        const isOpen = status === 'active'
        return expect({
          headings: headings(),
          name: field(/^Short name/)?.value,
          text: field(/^Text/)?.value,
          error: isOpen ? screen.queryByRole('alert', { hidden: true })?.textContent : undefined,
          asks: screen.queryByRole('alertdialog') !== null,
          saving: isShown('Saving...'),
        }).toEqual({
          headings: isOpen ? [title] : ['/address', '/hours'],
          name: isOpen ? context.fields.name : undefined,
          text: isOpen ? context.fields.text : undefined,
          error: isOpen ? (context.error ?? undefined) : undefined,
          asks: value === 'leaving',
          saving: value === 'saving',
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(form.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(form.transitionsMissed()).toEqual([]))
})

describe('The form of a saved reply', () => {
  it('offers the variables, and inserts one in place of what is selected', async () => {
    const sut = show()
    await act(() => sut.load.resolve([hours]))
    await press('Edit hours')
    await expectScreen()
    const box = found(field(/^Text/), 'the text')
    box.setSelectionRange(0, 4)
    await press('first name')
    expect(box.value).toBe('{first_name} of hours')
    sut.actor.stop()
    sut.unmount()
  })

  it('keeps the other choices when one is removed, and saves the pages that are checked', async () => {
    const sut = show()
    const structure = { kind: 'quickReplies' as const, titles: ['Yes', 'No', 'Later'] }
    await act(() => sut.load.resolve([{ ...hours, page_ids: ['p1', 'p2', 'p3'], structure }]))
    await press('Edit hours')
    const checks = () =>
      screen
        .getAllByRole<HTMLInputElement>('checkbox')
        .map(({ labels, checked }) => [labels?.[0]?.textContent, checked])
    const pages = ['p1', 'p2', 'p3'].map((page) => [page, true])
    expect(checks()).toEqual([['All Pages', false], ...pages])
    const check = (name: string) => act(async () => fireEvent.click(screen.getByRole('checkbox', { name })))
    await check('All Pages')
    expect(checks()).toEqual([['All Pages', true]])
    await check('All Pages')
    await check('p2')
    await press('Remove title 2')
    const titles = screen.getAllByLabelText<HTMLInputElement>(/^Title \d$/).map(({ value }) => value)
    expect(titles).toEqual(['Yes', 'Later'])
    await press('Update saved reply')
    const body = { name: 'hours', text: 'Text of hours', page_ids: ['p1', 'p3'] }
    expect(sut.save.inputs()).toEqual([
      { id: 'hours', body: { ...body, structure: { kind: 'quickReplies', titles: ['Yes', 'Later'] } } },
    ])
    sut.actor.stop()
    sut.unmount()
  })
})

describe('The walk through the dialog of saved replies', () => {
  const paths = managerModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = show()
      const drive = dialogDriver(
        sut,
        {
          'xstate.done.actor.itemForm': async ({ output }) => {
            if (output.isDismissed) return sut.dismiss()
            if (!output.mayHaveSaved) return press('Cancel')
            await press('Update saved reply')
            return act(() => sut.save.resolve(undefined))
          },
          'item.added': () => press('Add saved reply'),
          'item.edited': () => press('Edit hours'),
          'deletion.requested': () => press('Delete hours'),
          'deletion.confirmed': () => inQuestion('Delete saved reply'),
          'deletion.cancelled': () => inQuestion('Cancel'),
        },
        { loadItems: sut.load, deleteItem: sut.remove },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') return expect(sut.snapshot().value).toBe('dismissed')
        const { items: replies, item } = expected.context
        const isForm = expected.matches({ open: { work: 'form' } })
        const isDeleting = expected.matches({ open: { work: 'deleting' } })
        return expect({
          headings: headings(),
          loading: isShown('Loading saved replies...'),
          failed: isShown('The saved replies could not be loaded.'),
          asks: screen.queryByRole('alertdialog') !== null,
          deleting: isShown('Deleting...'),
        }).toEqual({
          headings: isForm
            ? [item === null ? 'New saved reply' : 'Edit saved reply']
            : (replies ?? []).map(({ name }) => `/${name}`),
          loading: !isForm && replies === null && expected.matches({ open: { list: 'loading' } }),
          failed: !isForm && replies === null && expected.matches({ open: { list: 'failed' } }),
          asks: isDeleting || expected.matches({ open: { work: 'asking' } }),
          deleting: isDeleting,
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(manager.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(manager.transitionsMissed()).toEqual([]))
})

async function openThread(features: Feature[] = ['saved-replies']) {
  const inbox = await showInbox({
    person: { ...user, permissions: ['messages.send', 'faq.manage'], features },
    inspect: (event: InspectionEvent) => {
      list.inspect(event)
      help.inspect(event)
    },
  })
  await inbox.answer('loadTop', listOf([conversationOf({ page_ids: 'p1', page_names: 'Bakery', page_count: 1 })]))
  await inbox.open('ana')
  await inbox.answer('loadMessages', { messages: [messageOf('m1', 1, { is_read: true })], hasMore: false })
  await act(async () => {})
  return inbox
}

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const pressKey = (key: string) => act(async () => fireEvent.keyDown(box(), { key }))
const write = (text: string) =>
  act(async () => {
    box().focus()
    fireEvent.change(box(), { target: { value: text } })
    box().setSelectionRange(text.length, text.length)
    document.dispatchEvent(new Event('selectionchange'))
  })
const options = () => [...document.querySelectorAll(`#${replyListId} > [role=option]`)]
const choose = (name: string) =>
  act(async () => fireEvent.click(found(document.getElementById(replyOptionId(name)), `the option ${name}`)))

describe('The walk through the list of saved replies in the composer', () => {
  const paths = savedRepliesModel({
    // In the composer, the button changes the text too. The test below presses it.
    'slash.written': [],
    // In the composer, an insertion changes the text too, so the next list begins at its first option.
    'reply.inserted': (snapshot) =>
      snapshot.matches({ list: 'idle' }) && !(snapshot.matches({ picker: 'open' }) && snapshot.context.active > 0)
        ? [{ conversationId: 'ana', draftId: 'd1', id: 'hours' }]
        : [],
  }).everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const inbox = await openThread()
      const drive = driverOf(
        (event: AnyEventObject) => {
          // These events reach the machine in states in which the composer does not offer them.
          const send = () => act(async () => inbox.app.system.get('savedReplies').send(event))
          const tryAgain = screen.queryByRole('button', { name: 'Try again' })
          switch (event.type) {
            case 'composer.changed':
              return write(event['text'])
            case 'option.moved':
              return pressKey('ArrowDown')
            case 'picker.dismissed':
              return pressKey('Escape')
            case 'reply.inserted':
              return options().length > 0 ? choose(event['id']) : send()
            default:
              return tryAgain ? press('Try again') : send()
          }
        },
        {
          calls: { loadReplies: inbox.control('loadReplies') },
          delays: { retryDelay: () => inbox.pass(2_000) },
        },
      )
      await follow(path, drive, ({ expected }) => {
        const isOpen = expected.matches({ picker: 'open' })
        const isUnknown = isOpen && expected.context.replies === null
        const active = isOpen ? selectActive(expected)?.id : undefined
        expect({
          options: options().map(({ id }) => id),
          selected: options().flatMap((option) => (option.getAttribute('aria-selected') === 'true' ? [option.id] : [])),
          described: box().getAttribute('aria-activedescendant'),
          loading: isShown('Loading saved replies...'),
          failed: isShown('The saved replies could not be loaded.'),
          manage: isShown('Manage saved replies'),
          loads: inbox.waiting('loadReplies').length,
        }).toEqual({
          options: isOpen ? selectOptions(expected).map(({ id }) => replyOptionId(id)) : [],
          selected: active === undefined ? [] : [replyOptionId(active)],
          described: active === undefined ? null : replyOptionId(active),
          loading: isUnknown && expected.matches({ list: 'loading' }),
          failed: isUnknown && expected.matches({ list: 'failed' }),
          manage: isOpen,
          loads: expected.matches({ list: 'loading' }) ? 1 : 0,
        })
      })
      inbox.unmount()
      inbox.app.stop()
    }
  })

  it('shows the quick replies of a chosen reply, and removes them', async () => {
    const inbox = await openThread(['saved-replies', 'reply-buttons'])
    await write('/ho')
    await inbox.answer('loadReplies', [{ ...hours, structure: { kind: 'quickReplies', titles: ['Opo'] } }])
    await choose('hours')
    await screen.findByRole('button', { name: 'Send without these' })
    expect(isShown('Opo')).toBe(true)
    await press('Send without these')
    expect([isShown('Opo'), box().value]).toEqual([false, 'Text of hours'])
    inbox.unmount()
    inbox.app.stop()
  })

  it('is not offered by an API without the feature, which is asked for nothing', async () => {
    const inbox = await openThread([])
    await write('/')
    expect([options(), screen.queryByRole('button', { name: 'Saved replies (/)' })]).toEqual([[], null])
    expect([inbox.waiting('loadReplies'), inbox.waiting('loadEntries')]).toEqual([[], []])
    inbox.unmount()
  })

  it('counts the uses of a sent message in the background and shows no failure', async () => {
    const inbox = await openThread()
    await press('Saved replies (/)')
    await act(async () => {
      box().setSelectionRange(1, 1)
      document.dispatchEvent(new Event('selectionchange'))
    })
    await inbox.answer('loadReplies', [holiday, hours])
    await pressKey('Enter')
    await write('Text of holiday. /ho')
    await choose('hours')
    expect(box().value).toBe('Text of holiday. Text of hours')
    await pressKey('Enter')
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid' })
    await inbox.answer('sendMessage', { messageId: 'm9', createdAt: '2026-01-15T12:05:00Z' })
    await act(async () => {})
    const key = expect.any(String)
    expect(inbox.waiting('countUse')).toEqual([{ id: 'holiday', key }])
    await inbox.fail('countUse', replyFaults.noAnswer)
    await inbox.pass(2_000)
    expect(inbox.waiting('countUse')).toEqual([{ id: 'holiday', key }])
    await inbox.fail('countUse', replyFaults.unnamed)
    expect(inbox.waiting('countUse')).toEqual([{ id: 'hours', key }])
    await inbox.answer('countUse', undefined)
    expect([inbox.waiting('countUse'), screen.queryByRole('alert')]).toEqual([[], null])
    inbox.unmount()
    inbox.app.stop()
  })

  it('enters every state', () => expect([...list.statesMissed(), ...help.statesMissed()]).toEqual([]))
  it('takes every transition', () => expect([...list.transitionsMissed(), ...help.transitionsMissed()]).toEqual([]))
})
