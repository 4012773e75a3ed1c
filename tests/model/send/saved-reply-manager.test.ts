import { describe, expect, it } from 'vitest'
import { selectError } from '../../../src/machines/item-forms.ts'
import type { AttachedFilesEvent } from '../../../src/machines/send/attached-files.ts'
import {
  savedReplyFormMachine,
  selectBlockedReason,
  selectPictures,
} from '../../../src/machines/send/saved-reply-form.ts'
import { savedReplyManager, savedReplyManagerMachine } from '../../../src/machines/send/saved-reply-manager.ts'
import type { SavedReply } from '../../../src/schemas/saved-reply.ts'
import { createCoverage, error, inspectAll, success } from '../harness.ts'
import { testItemForm, testItemManager } from '../item-manager-fixture.ts'
import {
  address,
  hours,
  managerModel,
  pictureOf,
  replyFaults,
  savedReplyOf,
  startForm,
  startManager,
} from './saved-replies-fixture.ts'

const coverage = createCoverage(savedReplyManagerMachine)
const formCoverage = createCoverage(savedReplyFormMachine)
const start = () => startManager(inspectAll(coverage.inspect, formCoverage.inspect))

describe('The form of a saved reply', () => {
  const open = (reply: SavedReply | null = null) => startForm(reply, formCoverage.inspect, [address])
  const complete = { name: ' hours ', text: ' From 9. ' }

  it('refuses to save until it is complete and the name is free, and saves the trimmed values once', async () => {
    const sut = open()
    for (const change of [
      { name: 'Address', text: 'x' },
      { name: 'hours', text: ' ' },
    ]) {
      sut.actor.send({ type: 'fields.typed', change })
      sut.actor.send({ type: 'form.submitted' })
    }
    expect(sut.save.calls).toHaveLength(0)
    sut.actor.send({ type: 'fields.typed', change: complete })
    sut.actor.send({ type: 'form.submitted' })
    sut.actor.send({ type: 'form.submitted' })
    const body = { name: 'hours', text: 'From 9.', page_ids: null, structure: null }
    expect(sut.save.inputs()).toEqual([{ id: null, body }])
    await sut.save.resolve(undefined)
    expect([sut.snapshot().output, sut.toasts]).toEqual([
      { isDismissed: false, mayHaveSaved: true },
      [success('Saved reply created')],
    ])
  })

  it('keeps what was typed after a refusal, and shows the reason', async () => {
    const sut = open(hours)
    sut.actor.send({ type: 'fields.typed', change: { text: 'New' } })
    sut.actor.send({ type: 'form.submitted' })
    await sut.save.reject(replyFaults.refused)
    expect([selectError(sut.snapshot()), sut.snapshot().context.fields.text, sut.toasts]).toEqual([
      'Another saved reply has this name',
      'New',
      [error('Another saved reply has this name')],
    ])
    sut.actor.send({ type: 'form.submitted' })
    await sut.save.resolve(undefined)
    expect([sut.save.last().input.id, sut.toasts.at(-1)]).toEqual(['hours', success('Saved reply updated')])
  })

  testItemForm({
    openNew: open,
    openEdited: () => open(hours),
    complete,
    change: { pageIds: ['p1'] },
    faults: replyFaults,
    lost: /^No answer came, so the reply may be saved already/,
  })

  it('enters every state', () => expect(formCoverage.statesMissed()).toEqual([]))
})

describe('The pictures in the form of a saved reply', () => {
  const picture = (name: string) => new File([new Uint8Array(4)], name, { type: 'image/png' })
  const withPictures = savedReplyOf('menu', { pictures: [pictureOf('p1'), pictureOf('p2')] })
  const open = (reply: SavedReply | null) => {
    const sut = startForm(reply, formCoverage.inspect)
    const pictures = () => selectPictures(sut.snapshot())
    return {
      ...sut,
      choose: (...files: File[]) =>
        act(() => pictures()?.send({ type: 'files.chosen', conversationId: '', platform: null, files })),
      tell: (event: AttachedFilesEvent) => pictures()?.send(event),
      shown: () => sut.snapshot().context.fields.pictures.map(({ name, status }) => `${name} ${status}`),
      blocked: () => selectBlockedReason(sut.snapshot()),
      uploaded: (index: number) => {
        const upload = sut.pictures.uploads[index]
        if (upload === undefined) throw new Error('no such upload began')
        upload.report({ type: 'upload.done', uploaded: pictureOf(upload.id) })
      },
    }
  }
  /** Waits until the machine of the pictures has made a file ready. */
  const act = async (change: () => void) => {
    change()
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  }

  it('are uploaded when they are chosen, and join those that the reply has when it is saved, in their order', async () => {
    const sut = open(withPictures)
    await sut.choose(picture('new.png'))
    expect([sut.shown(), sut.blocked()]).toEqual([
      ['p1.png uploaded', 'p2.png uploaded', 'new.png uploading'],
      '1 picture is still uploading.',
    ])
    sut.actor.send({ type: 'form.submitted' })
    expect(sut.save.calls).toHaveLength(0)
    sut.uploaded(0)
    const added = sut.pictures.uploads[0]?.id ?? ''
    sut.tell({ type: 'file.moved', id: added, by: -1 })
    sut.tell({ type: 'file.removed', id: 'p1' })
    sut.actor.send({ type: 'form.submitted' })
    expect(sut.save.inputs()).toEqual([
      {
        id: 'menu',
        body: { name: 'menu', text: 'Text of menu', page_ids: null, pictures: [added, 'p2'], structure: null },
      },
    ])
    await sut.save.resolve(undefined)
    // The server refuses to delete what belongs to a saved reply, until the reply is saved without it.
    expect([sut.snapshot().value, sut.pictures.discarded]).toEqual(['saved', ['p1']])
  })

  it('can be all that a reply has, and all be removed', async () => {
    const sut = open(null)
    sut.actor.send({ type: 'fields.typed', change: { name: 'menu' } })
    expect(sut.blocked()).toBe('Enter a text.')
    await sut.choose(picture('new.png'))
    sut.uploaded(0)
    expect(sut.blocked()).toBe(null)
    const emptied = open(withPictures)
    await act(() => undefined)
    for (const id of ['p1', 'p2']) emptied.tell({ type: 'file.removed', id })
    emptied.actor.send({ type: 'form.submitted' })
    expect(emptied.save.last().input.body.pictures).toEqual([])
  })

  it('hold back the save after a failed upload, until it is retried or removed', async () => {
    const sut = open(withPictures)
    await sut.choose(picture('a.png'))
    sut.pictures.uploads[0]?.report({ type: 'upload.failed', error: replyFaults.unnamed })
    expect(sut.blocked()).toBe('Retry or remove the files that could not be uploaded.')
    await act(() => sut.tell({ type: 'file.retried', id: sut.pictures.uploads[0]?.id ?? '' }))
    sut.uploaded(1)
    expect([sut.blocked(), sut.shown().at(-1), sut.pictures.uploads.length]).toEqual([null, 'a.png uploaded', 2])
  })

  it('are discarded on the server when the form is left, after the question', async () => {
    const sut = open(withPictures)
    await sut.choose(picture('a.png'))
    sut.uploaded(0)
    sut.actor.send({ type: 'form.cancelled' })
    expect([sut.snapshot().value, sut.pictures.discarded]).toEqual(['leaving', []])
    sut.actor.send({ type: 'discard.confirmed' })
    expect([sut.snapshot().value, sut.pictures.discarded]).toEqual(['left', ['p1', 'p2', sut.pictures.uploads[0]?.id]])
    const untouched = open(withPictures)
    await act(() => undefined)
    untouched.actor.send({ type: 'form.cancelled' })
    expect(untouched.snapshot().status).toBe('done')
  })
})

describe('The walk through the dialog', () => {
  testItemManager({
    id: 'savedReplyManager',
    manager: savedReplyManager,
    start,
    paths: managerModel().everyTransition(),
    items: [address, hours],
    faults: replyFaults,
    texts: {
      failed: 'Failed to load saved replies',
      updated: 'Saved reply updated',
      deleted: 'Saved reply deleted',
      deleteFailed: 'Failed to delete the saved reply',
    },
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
  it('takes every transition of the form', () => expect(formCoverage.transitionsMissed()).toEqual([]))
})
