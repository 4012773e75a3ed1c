import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { selectPageForm } from '../../../src/machines/pages/page-manager.ts'
import {
  type DialogEvent,
  type DialogName,
  dialogMachine,
  selectIsOpen,
  selectOpened,
  selectRecent,
} from '../../../src/machines/shell/dialog.ts'
import { selectTerm } from '../../../src/machines/shell/palette.ts'
import { clientOf, filled } from '../client/clients-fixture.ts'
import { createCoverage } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { dialogModel, requests, startDialog } from './dialog-fixture.ts'

const coverage = createCoverage(dialogMachine)
const start = () => startDialog(coverage.inspect)
type Sut = ReturnType<typeof start>

const opened = (sut: Sut) => selectOpened(sut.actor.getSnapshot())
const shown = (sut: Sut) => [sut.state(), opened(sut)?.name ?? null, selectIsOpen(sut.actor.getSnapshot())]
const linking = (sut: Sut) => {
  const dialog = opened(sut)
  return dialog?.name === 'linkClient' ? dialog.actor : undefined
}
const names = Object.keys(requests) as DialogName[]

describe('a dialog', () => {
  it('is closed at first', () => expect(shown(start())).toEqual(['closed', null, false]))

  it.each(names)('opens once its code is loaded, and closes when staff dismiss it: %s', async (name) => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: requests[name] })
    expect([shown(sut), sut.load.inputs()]).toEqual([['loading', null, true], [{ name }]])
    await sut.arrive(name)
    const actor = opened(sut)?.actor
    expect([shown(sut), actor?.getSnapshot().status]).toEqual([['open', name, true], 'active'])
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([shown(sut), actor?.getSnapshot().status]).toEqual([['closed', null, false], 'done'])
  })

  it('starts with the input of its request', async () => {
    const sut = start()
    await sut.open('historySync')
    const dialog = opened(sut)
    expect(dialog?.name === 'historySync' && dialog.actor.getSnapshot().context.pageId).toBe('p2')
  })

  it('does not open over another dialog', async () => {
    const sut = start()
    await sut.open('linkClient')
    sut.actor.send({ type: 'dialog.requested', dialog: requests.faq })
    expect([shown(sut), sut.load.calls.length]).toEqual([['open', 'linkClient', true], 1])
  })

  it('reports that its code did not load, and can be requested again', async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: requests.pageManager })
    await sut.load.reject(new TypeError('Failed to fetch dynamically imported module'))
    expect([sut.state(), sut.toasts]).toEqual([
      'closed',
      [{ kind: 'error', text: 'Network error. Please check your connection.' }],
    ])
    sut.actor.send({ type: 'dialog.requested', dialog: requests.pageManager })
    expect(sut.load.calls.length).toBe(2)
  })

  it('can be dismissed while its code loads', async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: requests.pageManager })
    sut.actor.send({ type: 'dialog.dismissed' })
    await sut.arrive('pageManager')
    expect(shown(sut)).toEqual(['closed', null, false])
  })

  it('is preloaded without opening if it is expected', () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.expected', name: 'linkClient' })
    expect([sut.loadedAhead, shown(sut)]).toEqual([['linkClient'], ['closed', null, false]])
  })

  it('closes when the link is made, and not earlier', async () => {
    const sut = start()
    await sut.open('linkClient')
    linking(sut)?.send({ type: 'client.chosen', client: clientOf('k1') })
    linking(sut)?.send({ type: 'link.requested' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(shown(sut)).toEqual(['open', 'linkClient', true])
    await sut.link.resolve()
    expect(shown(sut)).toEqual(['closed', null, false])
  })
})

describe('a dialog that leads to a next one', () => {
  const leading = async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: requests.recordPayment, next: requests.order })
    return sut
  }

  it('opens the next one with its input when it is closed, and after that none', async () => {
    const sut = await leading()
    await sut.arrive('recordPayment')
    sut.actor.send({ type: 'dialog.dismissed' })
    const between = shown(sut)
    await sut.arrive('order')
    const dialog = opened(sut)
    const orderId = dialog?.name === 'order' ? dialog.actor.getSnapshot().context.orderId : null
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([between, orderId, shown(sut)]).toEqual([['loading', null, true], 'o1', ['closed', null, false]])
  })

  it.each(['loading', 'open'])('opens no next one if the conversation is left while it is %s', async (step) => {
    const sut = await leading()
    if (step === 'open') await sut.arrive('recordPayment')
    const before = sut.state()
    sut.actor.send({ type: 'conversation.left' })
    expect([before, sut.state()]).toEqual([step, 'closed'])
    await sut.open('faq')
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(sut.state()).toBe('closed')
  })
})

describe('a change of clients on the server', () => {
  it('is told to the open dialog', async () => {
    const sut = start()
    await sut.open('order')
    const dialog = opened(sut)
    const state = () => (dialog?.name === 'order' ? dialog.actor.getSnapshot().value : null)
    // The placeholder of the call rejects. The change loads the order again.
    const before = state()
    sut.actor.send({ type: 'clientData.changed', clientIds: ['k1'] })
    expect([before, state()]).toEqual([{ open: { failed: 'waiting' } }, { open: 'loading' }])
  })
})

describe('a change of comments on the server', () => {
  it('is told to the open dialog', async () => {
    const sut = start()
    await sut.open('comments')
    const dialog = opened(sut)
    const isOld = () => (dialog?.name === 'comments' ? dialog.actor.getSnapshot().context.isOld : null)
    const before = isOld()
    sut.actor.send({ type: 'comments.changed', thread: null })
    expect([before, isOld()]).toEqual([false, true])
  })
})

describe('the last commands of the palette', () => {
  it('are kept after it closes: each once, the last one first, at most 5', async () => {
    const sut = start()
    const recent = () => selectRecent(sut.actor.getSnapshot())
    expect(recent()).toEqual([])
    for (const id of ['faq', 'pages', 'faq', 'staff', 'done', 'snooze', 'signOut']) {
      await sut.open('palette')
      const dialog = opened(sut)
      if (dialog?.name === 'palette') dialog.actor.send({ type: 'command.chosen', id })
      expect(shown(sut)).toEqual(['closed', null, false])
    }
    await sut.open('palette')
    expect(recent()).toEqual(['signOut', 'snooze', 'done', 'staff', 'faq'])
  })
})

describe('what is typed before the field of the palette has the focus', () => {
  const type = (sut: Sut, keys: readonly string[]) => {
    for (const key of keys) sut.actor.send({ type: 'key.typed', key })
  }
  const term = (sut: Sut) => {
    const dialog = opened(sut)
    return dialog?.name === 'palette' ? selectTerm(dialog.actor.getSnapshot()) : null
  }

  it('is the term of the palette: each key while its code loads and after', async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: requests.palette })
    type(sut, ['Backspace', 'a', 'n', 'x', 'Backspace', 'a'])
    await sut.arrive('palette')
    const atFirst = term(sut)
    type(sut, [' ', 'b'])
    expect([atFirst, term(sut)]).toEqual(['ana', 'ana b'])
  })

  it('begins with the term that the palette was requested with', async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: requests.palette, typed: 'tarp' })
    type(sut, ['a'])
    await sut.arrive('palette')
    expect(term(sut)).toBe('tarpa')
  })

  it('is forgotten with the palette', async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: requests.palette })
    type(sut, ['a'])
    sut.actor.send({ type: 'dialog.dismissed' })
    await sut.open('palette')
    expect(term(sut)).toBe('')
  })

  it('is at most as long as the field allows, and never half a character', async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: requests.palette })
    type(sut, [...'x'.repeat(198), '😀', 'y', 'Backspace', 'z', '😀'])
    await sut.arrive('palette')
    expect(term(sut)).toBe(`${'x'.repeat(198)}z`)
  })

  it('changes no other dialog', async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: requests.faq })
    type(sut, ['a'])
    await sut.arrive('faq')
    expect([shown(sut), sut.actor.getSnapshot().context.typed]).toEqual([['open', 'faq', true], ''])
  })
})

describe('the row of the conversation in the link dialog', () => {
  it('is kept only while the dialog is open', async () => {
    const sut = start()
    const held = () => sut.records.getSnapshot().context.held.dialog
    await sut.open('linkClient')
    const during = held()
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([during, sut.state(), held()]).toEqual([['ana'], 'closed', []])
  })
})

describe('a change to another conversation', () => {
  const isAboutIt: Record<DialogName, boolean> = {
    linkClient: true,
    image: true,
    personalData: true,
    messageTemplates: true,
    productCard: true,
    voiceNote: true,
    chats: true,
    newOrder: true,
    order: true,
    recordPayment: true,
    productManager: false,
    comments: false,
    liveSale: false,
    pageManager: false,
    facebookLogin: false,
    historySync: false,
    autoSyncControl: false,
    faq: false,
    changePassword: false,
    secondFactor: false,
    staff: false,
    apiKeys: false,
    webhooks: false,
    shops: false,
    dataTransfer: false,
    auditLog: false,
    assignmentRules: false,
    businessHours: false,
    faqMatching: false,
    reports: false,
    alarms: false,
    unsent: false,
    savedReplyManager: false,
    clearDevice: false,
    notifications: false,
    signOut: false,
    shortcuts: false,
    palette: false,
    snooze: false,
    assign: false,
    clientLanguage: false,
    labels: false,
    labelManager: false,
    savedFilterManager: false,
    editClient: false,
    mergeClients: false,
    removeClient: false,
    removedClients: false,
  }

  it.each(names)('closes only the dialogs about the conversation, loaded or not: %s', async (name) => {
    const [loading, open] = [start(), start()]
    loading.actor.send({ type: 'dialog.requested', dialog: requests[name] })
    await open.open(name)
    for (const sut of [loading, open]) sut.actor.send({ type: 'conversation.left' })
    expect([loading.state(), open.state()]).toEqual(isAboutIt[name] ? ['closed', 'closed'] : ['loading', 'open'])
  })

  const typed = { ...filled, phone: '0917' }
  const typing = async () => {
    const sut = start()
    await sut.open('linkClient')
    const child = linking(sut)
    child?.send({ type: 'form.opened' })
    child?.send({ type: 'fields.typed', fields: typed })
    sut.actor.send({ type: 'conversation.left' })
    return { ...sut, child }
  }

  it('asks first if the form for a new client contains text, and keeps the text', async () => {
    const { child, ...sut } = await typing()
    child?.send({ type: 'discard.refused' })
    const { conversationId, fields } = child?.getSnapshot().context ?? {}
    expect([sut.state(), conversationId, fields]).toEqual(['open', 'ana', typed])
  })

  it('closes the form for a new client if staff agree to discard its text', async () => {
    const { child, ...sut } = await typing()
    child?.send({ type: 'discard.confirmed' })
    expect(sut.state()).toBe('closed')
  })
})

describe('the walk through the dialogs', () => {
  const paths = dialogModel().everyTransition()
  type State = { step: 'closed' | 'loading' | 'open'; name: DialogName | null; next: DialogName | null }
  const closed: State = { step: 'closed', name: null, next: null }
  const isOfConversation = (name: DialogName | null) => name === 'linkClient' || name === 'image'
  /** Dialogs with typed text stay, because the person keeps the text. */
  const reference: Reference<State> = {
    start: closed,
    accepts: ({ step, name }) =>
      ({
        closed: ['dialog.expected', 'dialog.requested'],
        loading: [
          'dialog.dismissed',
          ...when(name === 'palette', 'key.typed'),
          ...when(isOfConversation(name), 'conversation.left'),
          ...ends('loadDialog'),
        ],
        open: [
          'dialog.dismissed',
          ...when(name === 'palette', 'key.typed'),
          ...when(isOfConversation(name), 'conversation.left'),
          ...when(name === 'palette', 'command.chosen'),
          'clientData.changed',
          'comments.changed',
          'xstate.done.actor.opened',
        ],
      })[step],
    rules: {
      'dialog.requested': (_, { dialog: { name }, next }) => ({ step: 'loading', name, next: next?.name ?? null }),
      'xstate.done.actor.loadDialog': () => ({ step: 'open' }),
      'xstate.error.actor.loadDialog': () => closed,
      'xstate.done.actor.opened': ({ next }) => (next === null ? closed : { step: 'loading', name: next, next: null }),
      'dialog.dismissed': ({ step }) => (step === 'loading' ? closed : {}),
      'conversation.left': ({ step, name }) => (step === 'loading' && isOfConversation(name) ? closed : {}),
    },
    shown: ({ step, name }) => [step, step === 'open' ? name : null, step !== 'closed'],
  }

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    const send = (event: AnyEventObject) => sut.actor.send(event as DialogEvent)
    const pageForm = () => {
      const dialog = opened(sut)
      return dialog?.name === 'pageManager' ? selectPageForm(dialog.actor.getSnapshot()) : undefined
    }
    /** Types text, so that the dialog asks before it closes. */
    const typeInto = () => {
      linking(sut)?.send({ type: 'form.opened' })
      linking(sut)?.send({ type: 'fields.typed', fields: { ...filled, phone: '0917' } })
      const dialog = opened(sut)
      if (dialog?.name === 'pageManager') dialog.actor.send({ type: 'item.added' })
      pageForm()?.send({ type: 'name.edited', name: 'Bakery' })
    }
    const answerQuestion = (type: 'discard.refused' | 'discard.confirmed') => {
      for (const asker of [linking(sut), pageForm()]) asker?.send({ type })
    }
    const staying = (event: AnyEventObject) => {
      typeInto()
      send(event)
      answerQuestion('discard.refused')
    }
    const drive = (event: AnyEventObject) => {
      if (event.type === 'dialog.dismissed' || event.type === 'conversation.left') return staying(event)
      if (event.type === 'xstate.done.actor.loadDialog') return sut.load.resolve(event['output'])
      if (event.type === 'xstate.error.actor.loadDialog') return sut.load.reject(new TypeError('offline'))
      if (event.type !== 'xstate.done.actor.opened') return send(event)
      send({ type: 'dialog.dismissed' })
      return answerQuestion('discard.confirmed')
    }
    await followBeside(path, drive, reference, () => shown(sut))
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
