import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { faqMachine } from '../../../src/machines/faq/faq.ts'
import { pageManagerMachine, selectPageForm } from '../../../src/machines/pages/page-manager.ts'
import {
  type DialogEvent,
  dialogMachine,
  selectImage,
  selectImageCount,
  selectImageNumber,
  selectIsOpen,
  selectLinkClient,
  selectOpened,
  selectShowsShortcuts,
} from '../../../src/machines/shell/dialog.ts'
import { autoSyncControlMachine } from '../../../src/machines/sync/auto-sync-control.ts'
import { historySyncMachine } from '../../../src/machines/sync/history-sync.ts'
import { clientOf, dialogModel, filled, startDialog } from '../client/clients-fixture.ts'
import { createCoverage, follow } from '../harness.ts'

const coverage = createCoverage(dialogMachine)
const start = () => startDialog(coverage.inspect)
const image = { url: '/a.jpg', name: 'a.jpg' }
const other = { url: '/b.jpg', name: 'b.jpg' }
const showImage = { type: 'image.requested', images: [image, other], index: 0 } as const
const openLink: DialogEvent = { type: 'linkClient.requested', conversationId: 'ana' }

/** What stands over the inbox. */
const shown = (sut: ReturnType<typeof start>) => {
  const snapshot = sut.actor.getSnapshot()
  return [snapshot.value, selectLinkClient(snapshot) !== undefined, selectImage(snapshot)]
}

describe('the dialog', () => {
  it('is closed at first', () => expect(shown(start())).toEqual(['closed', false, null]))

  it('shows a picture until it is dismissed', () => {
    const sut = start()
    sut.actor.send(showImage)
    expect(shown(sut)).toEqual(['image', false, image])
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(shown(sut)).toEqual(['closed', false, null])
  })

  it('shows the picture before or after it, and stays where there is none', () => {
    const sut = start()
    const step = (by: number) => {
      sut.actor.send({ type: 'image.stepped', by })
      const snapshot = sut.actor.getSnapshot()
      return [selectImage(snapshot), selectImageNumber(snapshot), selectImageCount(snapshot)]
    }
    sut.actor.send(showImage)
    expect([step(-1), step(1), step(1), step(-1)]).toEqual([
      [image, 1, 2],
      [other, 2, 2],
      [other, 2, 2],
      [image, 1, 2],
    ])
  })

  it('lists the shortcuts until it is dismissed', () => {
    const sut = start()
    const standing = () => [selectIsOpen(sut.actor.getSnapshot()), selectShowsShortcuts(sut.actor.getSnapshot())]
    sut.actor.send({ type: 'shortcuts.requested' })
    sut.actor.send(showImage)
    const open = standing()
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([open, standing()]).toEqual([
      [true, true],
      [false, false],
    ])
  })

  it('links a chat user until it is dismissed, twice if need be', () => {
    const sut = start()
    sut.actor.send(openLink)
    expect(shown(sut)).toEqual(['linkClient', true, null])
    sut.actor.send({ type: 'dialog.dismissed' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(shown(sut)).toEqual(['closed', false, null])
  })

  it('is one: another one is not opened over it', () => {
    const sut = start()
    sut.actor.send(openLink)
    sut.actor.send(showImage)
    expect(shown(sut)).toEqual(['linkClient', true, null])
    const second = start()
    second.actor.send(showImage)
    second.actor.send(openLink)
    expect(shown(second)).toEqual(['image', false, image])
  })

  it('closes when the link was made, and not before', async () => {
    const sut = start()
    sut.actor.send(openLink)
    const child = selectLinkClient(sut.actor.getSnapshot())
    child?.send({ type: 'client.chosen', client: clientOf('k1') })
    child?.send({ type: 'link.requested' })
    sut.actor.send({ type: 'dialog.dismissed' })
    expect(shown(sut)).toEqual(['linkClient', true, null])
    await sut.link.resolve()
    expect(shown(sut)).toEqual(['closed', false, null])
  })
})

describe('the row of the conversation that linking is about', () => {
  it('is kept while the dialog is open, and no longer', () => {
    const sut = start()
    const held = () => sut.records.getSnapshot().context.held.dialog
    sut.actor.send(openLink)
    const during = held()
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([during, sut.state(), held()]).toEqual(['ana', 'closed', null])
  })
})

describe('leaving the conversation', () => {
  it('closes what is about it, and nothing else', () => {
    const left = (event: DialogEvent) => {
      const sut = start()
      sut.actor.send(event)
      sut.actor.send({ type: 'conversation.left' })
      return sut.state()
    }
    expect([left(openLink), left(showImage), left({ type: 'shortcuts.requested' })]).toEqual([
      'closed',
      'closed',
      'shortcuts',
    ])
  })
})

describe('leaving the conversation while a new client is typed', () => {
  const typed = { ...filled, phone: '0917' }
  const typing = () => {
    const sut = start()
    sut.actor.send(openLink)
    const child = selectLinkClient(sut.actor.getSnapshot())
    child?.send({ type: 'form.opened' })
    child?.send({ type: 'fields.typed', fields: typed })
    sut.actor.send({ type: 'conversation.left' })
    return { ...sut, child }
  }

  it('asks first, and keeps all that was typed about that chat', () => {
    const { child, ...sut } = typing()
    child?.send({ type: 'discard.refused' })
    const { conversationId, fields } = child?.getSnapshot().context ?? {}
    expect([sut.state(), conversationId, fields]).toEqual(['linkClient', 'ana', typed])
  })

  it('closes it when that may go', () => {
    const { child, ...sut } = typing()
    child?.send({ type: 'discard.confirmed' })
    expect(sut.state()).toBe('closed')
  })
})

describe('a dialog that is loaded on demand', () => {
  const requests = [
    [{ name: 'pageManager' }, { name: 'pageManager', logic: pageManagerMachine }],
    [
      { name: 'historySync', pageId: 'p2' },
      { name: 'historySync', logic: historySyncMachine },
    ],
    [{ name: 'autoSyncControl' }, { name: 'autoSyncControl', logic: autoSyncControlMachine }],
    [{ name: 'faq' }, { name: 'faq', logic: faqMachine }],
  ] as const
  const opened = (sut: ReturnType<typeof start>) => selectOpened(sut.actor.getSnapshot())

  it.each(requests)('opens once it is there, and closes when it is dismissed: %j', async (dialog, loaded) => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog })
    expect([sut.state(), sut.load.inputs(), opened(sut)]).toEqual(['loading', [{ name: dialog.name }], null])
    await sut.load.resolve(loaded)
    const { name, actor } = opened(sut) ?? {}
    expect([sut.state(), name, actor?.getSnapshot().status]).toEqual(['onDemand', dialog.name, 'active'])
    sut.actor.send({ type: 'conversation.left' })
    expect(sut.state()).toBe('onDemand')
    sut.actor.send({ type: 'dialog.dismissed' })
    expect([sut.state(), opened(sut), actor?.getSnapshot().status]).toEqual(['closed', null, 'done'])
  })

  it('starts with the page that is filtered by', async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: requests[1][0] })
    await sut.load.resolve(requests[1][1])
    const shownDialog = opened(sut)
    expect(shownDialog?.name === 'historySync' && shownDialog.actor.getSnapshot().context.pageId).toBe('p2')
  })

  it('whose code does not come says so, and can be asked for again', async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: { name: 'pageManager' } })
    await sut.load.reject(new TypeError('Failed to fetch dynamically imported module'))
    expect([sut.state(), sut.toasts]).toEqual([
      'closed',
      [{ kind: 'error', text: 'Network error. Please check your connection.' }],
    ])
    sut.actor.send({ type: 'dialog.requested', dialog: { name: 'pageManager' } })
    expect(sut.load.calls.length).toBe(2)
  })

  it('can be dismissed before it is there', async () => {
    const sut = start()
    sut.actor.send({ type: 'dialog.requested', dialog: { name: 'pageManager' } })
    sut.actor.send({ type: 'dialog.dismissed' })
    await sut.load.resolve(requests[0][1])
    expect([sut.state(), opened(sut)]).toEqual(['closed', null])
  })
})

describe('the walk through the dialogs', () => {
  const paths = dialogModel().everyTransition()

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    const send = (event: AnyEventObject) => sut.actor.send(event as DialogEvent)
    /** What ends the dialog is that its child ends: where the model goes on, something is typed that would be lost. */
    const typeInto = () => {
      const link = selectLinkClient(sut.actor.getSnapshot())
      link?.send({ type: 'form.opened' })
      link?.send({ type: 'fields.typed', fields: { ...filled, phone: '0917' } })
      const opened = selectOpened(sut.actor.getSnapshot())
      if (opened?.name !== 'pageManager') return
      opened.actor.send({ type: 'page.added' })
      selectPageForm(opened.actor.getSnapshot())?.send({ type: 'name.edited', name: 'Bakery' })
    }
    /** Whatever asks whether it may go. */
    const askers = () => {
      const opened = selectOpened(sut.actor.getSnapshot())
      const form = opened?.name === 'pageManager' ? selectPageForm(opened.actor.getSnapshot()) : undefined
      return [selectLinkClient(sut.actor.getSnapshot()), form]
    }
    const staying = (event: AnyEventObject) => {
      typeInto()
      send(event)
      for (const asker of askers()) asker?.send({ type: 'discard.refused' })
    }
    const ending = () => {
      send({ type: 'dialog.dismissed' })
      for (const asker of askers()) asker?.send({ type: 'discard.confirmed' })
    }
    await follow(
      path,
      {
        'linkClient.requested': send,
        'image.requested': send,
        'image.stepped': send,
        'shortcuts.requested': send,
        'dialog.requested': send,
        'dialog.dismissed': staying,
        'conversation.left': staying,
        'xstate.done.actor.linkClient': ending,
        'xstate.done.actor.onDemand': ending,
        'xstate.done.actor.loadDialog': ({ output }) => sut.load.resolve(output),
        'xstate.error.actor.loadDialog': () => sut.load.reject(new TypeError('offline')),
      },
      ({ expected }) => {
        const known = ({ value, context: { opened, ...rest } }: typeof expected) => [value, rest, opened?.name]
        expect(known(sut.actor.getSnapshot())).toEqual(known(expected))
      },
    )
  })

  it('entered every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('took every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
