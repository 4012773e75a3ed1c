import { describe, expect, it } from 'vitest'
import { createActor, createMachine, fromCallback, sendTo } from 'xstate'
import { type AttachedFile, type FilePurpose, storedPicture } from '../../../src/domain/send/attached-files.ts'
import {
  type AttachedFilesEvent,
  attachedFilesMachine,
  type UploadReport,
} from '../../../src/machines/send/attached-files.ts'
import { selectFilesOf } from '../../../src/machines/send/select-files.ts'
import type { Platform } from '../../../src/schemas/conversation.ts'
import type { OutgoingFile } from '../../../src/schemas/outgoing-file.ts'
import { createControl, createCoverage, createToastLog, inspectAll } from '../harness.ts'
import { failures } from './send-fixture.ts'

const coverage = createCoverage(attachedFilesMachine)

const fileNamed = (name: string, { type = 'application/pdf', size = 4 } = {}) =>
  new File([new Uint8Array(size)], name, { type })
const pictureOf = (id: string): OutgoingFile => ({
  id,
  kind: 'image',
  type: 'image/png',
  name: `${id}.png`,
  size: 9,
  url: `/pictures/${id}`,
})
const inserted = (ids: readonly string[], conversationId = 'c1') =>
  ({
    type: 'pictures.inserted',
    conversationId,
    platform: 'messenger',
    replyId: 'r1',
    pictures: ids.map(pictureOf),
  }) as const
const uploadedOf = (id: string): OutgoingFile => ({
  id,
  kind: 'file',
  type: 'application/pdf',
  name: `${id}.pdf`,
  size: 4,
  url: `/pictures/${id}`,
})

/** The machine beside controlled services, in a session that forwards what the test tells. */
function start(more: { purpose?: FilePurpose; files?: readonly AttachedFile[] } = {}) {
  const load = createControl<readonly AttachedFile[], { staffId: string }>()
  const prepare = createControl<Pick<AttachedFile, 'name' | 'blob'>, { file: AttachedFile }>()
  const copy = createControl<OutgoingFile, { file: AttachedFile }>()
  const stored: string[][] = []
  const discarded: string[] = []
  const uploads: { id: string; isCancelled: boolean }[] = []
  let report = (_: UploadReport | AttachedFilesEvent) => {}
  let keys = 0
  const toastLog = createToastLog()
  const machine = attachedFilesMachine.provide({
    actors: {
      loadFiles: load.logic,
      prepareFile: prepare.logic,
      copyPicture: copy.logic,
      uploadFile: fromCallback(({ input, sendBack }) => {
        const upload = { id: input.file.id, isCancelled: false }
        uploads.push(upload)
        report = sendBack
        return () => {
          upload.isCancelled = true
        }
      }),
      watchBrowser: fromCallback(() => {}),
    },
    actions: {
      store: ({ context: { files } }) => void stored.push(files.map(({ name }) => name)),
      discard: (_, { ids }) => void discarded.push(...ids),
    },
  })
  const root = createActor(
    createMachine({
      types: {} as { events: { type: 'tell'; event: AttachedFilesEvent } },
      invoke: {
        src: machine,
        id: 'sut',
        systemId: 'sut',
        input: { userId: 's1', newKey: () => `f${++keys}`, ...more },
      },
      on: { tell: { actions: sendTo('sut', ({ event }) => event.event) } },
    }),
    {
      systemId: 'session',
      inspect: inspectAll(coverage.inspect, toastLog.inspect),
    },
  ).start()
  const sut = () => root.system.get('sut').getSnapshot()
  const tell = (event: AttachedFilesEvent) => root.send({ type: 'tell', event })
  return {
    load,
    prepare,
    copy,
    uploads,
    discarded,
    stored,
    toasts: toastLog.toasts,
    tell,
    report: (told: UploadReport) => report(told),
    choose: (files: readonly File[], conversationId = 'c1', platform: Platform | null = 'messenger') =>
      tell({ type: 'files.chosen', conversationId, platform, files }),
    /** Prepares the current file without a change. */
    prepared: async (change: Partial<Pick<AttachedFile, 'name' | 'blob'>> = {}) => {
      const { name, blob } = prepare.last().input.file
      await prepare.resolve({ name, blob, ...change })
    },
    state: () => sut().value,
    shown: (id = 'c1') =>
      selectFilesOf(id)(sut()).map(({ name, status, sent, failure }) =>
        [name, status, ...(sent > 0 ? [sent] : []), ...(failure === null ? [] : [failure])].join(' '),
      ),
  }
}

async function ready(more: Parameters<typeof start>[0] = {}) {
  const sut = start(more)
  await sut.load.resolve([])
  return sut
}

describe('attached files', () => {
  it('are made ready and uploaded one after the other, with their progress, and kept for a reload at each step', async () => {
    const sut = await ready()
    sut.choose([fileNamed('a.pdf'), fileNamed('b.pdf')])
    expect([sut.state(), sut.shown()]).toEqual([{ working: 'preparing' }, ['a.pdf uploading', 'b.pdf waiting']])
    await sut.prepared()
    sut.report({ type: 'upload.progressed', sent: 3 })
    expect(sut.shown()).toEqual(['a.pdf uploading 3', 'b.pdf waiting'])
    sut.report({ type: 'upload.done', uploaded: uploadedOf('f1') })
    expect(sut.shown()).toEqual(['a.pdf uploaded 3', 'b.pdf uploading'])
    await sut.prepared()
    sut.report({ type: 'upload.done', uploaded: uploadedOf('f2') })
    expect([sut.state(), sut.uploads.map(({ id }) => id), sut.stored.length]).toEqual([
      { working: 'idle' },
      ['f1', 'f2'],
      5,
    ])
    sut.tell({ type: 'file.moved', id: 'f2', by: -1 })
    expect(sut.stored.at(-1)).toEqual(['b.pdf', 'a.pdf'])
    sut.tell({ type: 'files.taken', ids: ['f1', 'f2'] })
    expect([sut.shown(), sut.stored.at(-1), sut.discarded]).toEqual([[], [], []])
  })

  it('continue after a reload under the same ids, before files that were chosen meanwhile', async () => {
    const sut = start()
    sut.choose([fileNamed('new.pdf')])
    const left: AttachedFile = {
      id: 'left',
      conversationId: 'c1',
      platform: null,
      name: 'left.pdf',
      blob: fileNamed('left.pdf'),
      copyOf: null,
      status: 'waiting',
      sent: 0,
      uploaded: null,
      failure: null,
    }
    expect(sut.load.inputs()).toEqual([{ staffId: 's1' }])
    await sut.load.resolve([left])
    expect(sut.shown()).toEqual(['left.pdf uploading', 'new.pdf waiting'])
    await sut.prepared()
    expect(sut.uploads.map(({ id }) => id)).toEqual(['left'])
  })

  it('are uploaded although the stored ones could not be read', async () => {
    const sut = start()
    await sut.load.reject(new Error('blocked'))
    sut.choose([fileNamed('a.pdf')])
    expect(sut.state()).toEqual({ working: 'preparing' })
  })

  it('are cancelled while they are made ready or uploaded, and the next one follows', async () => {
    const sut = await ready()
    sut.choose([fileNamed('a.pdf'), fileNamed('b.pdf'), fileNamed('c.pdf')])
    sut.tell({ type: 'file.removed', id: 'f1' })
    expect(sut.shown()).toEqual(['b.pdf uploading', 'c.pdf waiting'])
    await sut.prepared()
    sut.tell({ type: 'file.removed', id: 'f3' })
    expect([sut.shown(), sut.uploads]).toEqual([['b.pdf uploading'], [{ id: 'f2', isCancelled: false }]])
    sut.tell({ type: 'file.removed', id: 'f2' })
    expect([sut.shown(), sut.uploads, sut.discarded]).toEqual([
      [],
      [{ id: 'f2', isCancelled: true }],
      ['f1', 'f3', 'f2'],
    ])
  })

  it('can be retried after a failure; a lost connection retries them by itself once it is back', async () => {
    const sut = await ready()
    sut.choose([fileNamed('a.pdf'), fileNamed('b.pdf'), fileNamed('c.pdf')])
    await sut.prepare.reject(new Error('unreadable'))
    await sut.prepared()
    sut.report({ type: 'upload.failed', error: failures.noAnswer })
    await sut.prepared()
    sut.report({ type: 'upload.failed', error: failures.serverError })
    const names = () => sut.shown().map((line) => line.split(' ').slice(0, 2).join(' '))
    expect(names()).toEqual(['a.pdf failed', 'b.pdf failed', 'c.pdf failed'])
    sut.tell({ type: 'browser.online' })
    expect(names()).toEqual(['a.pdf failed', 'b.pdf uploading', 'c.pdf failed'])
    sut.tell({ type: 'file.retried', id: 'f3' })
    expect(names()).toEqual(['a.pdf failed', 'b.pdf uploading', 'c.pdf waiting'])
    sut.tell({ type: 'file.retried', id: 'f2' })
    expect(names()).toEqual(['a.pdf failed', 'b.pdf uploading', 'c.pdf waiting'])
  })

  it('are refused before an upload if the network does not take them, a picture only if it stays too large', async () => {
    const sut = await ready()
    sut.choose([fileNamed('film.mp4', { type: 'video/mp4', size: 25_000_001 })])
    expect(sut.shown()).toEqual([
      'film.mp4 refused This file is too large. Pictures can have up to 8 MB, other files up to 25 MB.',
    ])
    sut.choose([fileNamed('list.csv', { type: 'text/csv' })], 'c2', 'instagram')
    expect(sut.shown('c2').join()).toContain('refused Instagram does not take this kind of file.')
    const large = { type: 'image/png', size: 8_000_001 }
    sut.choose([fileNamed('small.png', large), fileNamed('huge.png', large)], 'c3')
    await sut.prepared({ name: 'small.jpg', blob: fileNamed('small.jpg', { type: 'image/jpeg' }) })
    expect(sut.shown('c3')).toEqual(['small.jpg uploading', 'huge.png waiting'])
    sut.report({ type: 'upload.done', uploaded: uploadedOf('f3') })
    await sut.prepared()
    expect(sut.shown('c3')).toEqual([
      'small.jpg uploaded',
      'huge.png refused This file is too large. Pictures can have up to 8 MB, other files up to 25 MB.',
    ])
    expect(sut.uploads.map(({ id }) => id)).toEqual(['f3'])
  })

  it('are ten at most in one conversation, and the others are left out with a message', async () => {
    const sut = await ready()
    sut.choose(Array.from({ length: 9 }, (_, index) => fileNamed(`${index}.pdf`)))
    expect(sut.toasts).toEqual([])
    sut.choose([fileNamed('ten.pdf'), fileNamed('eleven.pdf')])
    expect([sut.shown().length, sut.shown().at(-1), sut.toasts]).toEqual([
      10,
      'ten.pdf waiting',
      [{ kind: 'error', text: 'You can attach up to 10 files at once. The others were left out.' }],
    ])
    sut.choose([fileNamed('other.pdf')], 'c2')
    expect(sut.shown('c2')).toEqual(['other.pdf waiting'])
  })

  it('leave when another tab has sent or removed them, and stay on the server', async () => {
    const sut = await ready()
    sut.choose([fileNamed('a.pdf'), fileNamed('b.pdf'), fileNamed('c.pdf')])
    await sut.prepared()
    const kept = sut.stored.length
    sut.tell({ type: 'files.goneElsewhere', ids: ['f2', 'unknown'] })
    expect([sut.shown(), sut.uploads]).toEqual([
      ['a.pdf uploading', 'c.pdf waiting'],
      [{ id: 'f1', isCancelled: false }],
    ])
    sut.tell({ type: 'files.goneElsewhere', ids: ['f1'] })
    expect([sut.shown(), sut.uploads, sut.discarded, sut.stored.length]).toEqual([
      ['c.pdf uploading'],
      [{ id: 'f1', isCancelled: true }],
      [],
      kept,
    ])
  })

  it('go with their conversation', async () => {
    const sut = await ready()
    sut.choose([fileNamed('a.pdf')])
    sut.choose([fileNamed('b.pdf')], 'c2')
    sut.tell({ type: 'conversation.gone', id: 'c2' })
    expect([sut.shown(), sut.shown('c2'), sut.discarded]).toEqual([['a.pdf uploading'], [], ['f2']])
    sut.tell({ type: 'conversation.gone', id: 'c1' })
    expect([sut.state(), sut.shown(), sut.discarded]).toEqual([{ working: 'idle' }, [], ['f2', 'f1']])
  })

  it('change places among those of their conversation only', async () => {
    const sut = await ready()
    sut.choose([fileNamed('a.pdf')])
    sut.choose([fileNamed('x.pdf')], 'c2')
    sut.choose([fileNamed('b.pdf')])
    sut.tell({ type: 'file.moved', id: 'f3', by: -1 })
    const order = (id?: string) => sut.shown(id).map((line) => line.split(' ')[0])
    expect([order(), order('c2')]).toEqual([['b.pdf', 'a.pdf'], ['x.pdf']])
    sut.tell({ type: 'file.moved', id: 'f3', by: -1 })
    expect(order()).toEqual(['b.pdf', 'a.pdf'])
  })
})

describe('the pictures of a saved reply', () => {
  it('are copied one after the other under ids of their own, in their order, between files that are uploaded', async () => {
    const sut = await ready()
    sut.choose([fileNamed('a.pdf')])
    sut.tell(inserted(['p1', 'p2']))
    await sut.prepared()
    sut.report({ type: 'upload.done', uploaded: uploadedOf('f1') })
    expect([sut.state(), sut.shown(), sut.copy.inputs().map(({ file }) => [file.id, file.copyOf])]).toEqual([
      { working: 'copying' },
      ['a.pdf uploaded', 'p1.png uploading', 'p2.png waiting'],
      [['f2', { replyId: 'r1', picture: pictureOf('p1') }]],
    ])
    await sut.copy.resolve({ ...pictureOf('p1'), id: 'f2' })
    await sut.copy.resolve({ ...pictureOf('p2'), id: 'f3' })
    expect([sut.state(), sut.shown(), sut.uploads.length, sut.stored.at(-1)]).toEqual([
      { working: 'idle' },
      ['a.pdf uploaded', 'p1.png uploaded', 'p2.png uploaded'],
      1,
      ['a.pdf', 'p1.png', 'p2.png'],
    ])
  })

  it('are refused without a retry when the saved reply lost them, and the next one follows', async () => {
    const sut = await ready()
    sut.tell(inserted(['p1', 'p2']))
    await sut.copy.reject(failures.gone)
    expect(sut.shown()).toEqual(['p1.png refused This picture was removed from the saved reply.', 'p2.png uploading'])
    sut.tell({ type: 'file.retried', id: 'f1' })
    expect(sut.shown()[0]).toContain('refused')
    sut.tell({ type: 'file.removed', id: 'f1' })
    await sut.copy.resolve(pictureOf('f2'))
    expect([sut.shown(), sut.discarded]).toEqual([['p2.png uploaded'], ['f1']])
  })

  it('are copied again under the same id after a lost answer, once the connection is back', async () => {
    const sut = await ready()
    sut.tell(inserted(['p1']))
    await sut.copy.reject(failures.noAnswer)
    expect(sut.shown()[0]).toContain('p1.png failed')
    sut.tell({ type: 'browser.online' })
    await sut.copy.resolve(pictureOf('f1'))
    expect([sut.shown(), sut.copy.inputs().map(({ file }) => file.id)]).toEqual([['p1.png uploaded'], ['f1', 'f1']])
  })

  it('are copied again after a reload, and discarded when they are removed meanwhile', async () => {
    const sut = start()
    sut.tell(inserted(['p2']))
    const left: AttachedFile = {
      ...storedPicture(pictureOf('left')),
      conversationId: 'c1',
      copyOf: { replyId: 'r1', picture: pictureOf('p1') },
      status: 'waiting',
      uploaded: null,
    }
    await sut.load.resolve([left])
    expect([sut.shown(), sut.copy.last().input.file.id]).toEqual([['left.png uploading', 'p2.png waiting'], 'left'])
    sut.tell({ type: 'file.removed', id: 'left' })
    expect([sut.shown(), sut.copy.last().input.file.id, sut.discarded]).toEqual([['p2.png uploading'], 'f1', ['left']])
  })

  it('fill the conversation up to ten files, and the others are left out with a message', async () => {
    const sut = await ready()
    sut.choose(Array.from({ length: 9 }, (_, index) => fileNamed(`${index}.pdf`)))
    sut.tell(inserted(['p1', 'p2']))
    expect([sut.shown().length, sut.shown().at(-1), sut.toasts]).toEqual([
      10,
      'p1.png waiting',
      [{ kind: 'error', text: 'You can attach up to 10 files at once. The others were left out.' }],
    ])
    sut.tell(inserted(['p3'], 'c2'))
    expect([sut.shown('c2'), sut.toasts.length]).toEqual([['p3.png waiting'], 1])
  })
})

describe('the pictures in the form of a saved reply', () => {
  it('stand after those that the reply has, are five at most, and only pictures are taken', async () => {
    const sut = await ready({ purpose: 'saved reply', files: [storedPicture(pictureOf('p1'))] })
    expect([sut.shown(''), sut.uploads]).toEqual([['p1.png uploaded'], []])
    const picture = { type: 'image/png' }
    sut.choose(
      [fileNamed('a.pdf'), fileNamed('film.mp4', { type: 'video/mp4' }), fileNamed('b.svg', { type: 'image/svg+xml' })],
      '',
      null,
    )
    const kind = 'refused A saved reply takes JPEG, PNG and GIF pictures of up to 8 MB.'
    await sut.prepared()
    expect(sut.shown('')).toEqual(['p1.png uploaded', `a.pdf ${kind}`, `film.mp4 ${kind}`, `b.svg ${kind}`])
    sut.choose([fileNamed('c.png', picture), fileNamed('d.png', picture)], '', null)
    await sut.prepared()
    sut.report({ type: 'upload.done', uploaded: pictureOf('f4') })
    expect([sut.shown('').at(-1), sut.shown('').length, sut.toasts]).toEqual([
      'c.png uploaded',
      5,
      [{ kind: 'error', text: 'A saved reply can hold up to 5 pictures. The others were left out.' }],
    ])
  })

  it('are refused when they stay too large, and fit otherwise', async () => {
    const sut = await ready({ purpose: 'saved reply' })
    sut.choose([fileNamed('huge.png', { type: 'image/png', size: 8_000_001 })], '', null)
    await sut.prepared()
    expect(sut.shown('')).toEqual(['huge.png refused A saved reply takes JPEG, PNG and GIF pictures of up to 8 MB.'])
  })
})

describe('the tests of attached files', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
