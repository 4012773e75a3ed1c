import { act, createEvent, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
// Loaded here because the product loads them on demand, which takes real time.
import '../../../src/compose-attached-files.ts'
import '../../../src/compose-reply-help.ts'
import { attachedFilesMachine } from '../../../src/machines/send/attached-files.ts'
import type { OutgoingFile } from '../../../src/schemas/outgoing-file.ts'
import '../../../src/views/send/AttachButtons.tsx'
import '../../../src/views/send/AttachedFiles.tsx'
import '../../../src/views/send/ReplyHelp.tsx'
import type { AttachedFile } from '../../../src/domain/send/attached-files.ts'
import type { SavedReply } from '../../../src/schemas/saved-reply.ts'
import { createCoverage } from '../../model/harness.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { pictureOf, savedReplyOf } from '../../model/send/saved-replies-fixture.ts'
import { failures } from '../../model/send/send-fixture.ts'
import { found } from '../found.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(attachedFilesMachine)

const fileNamed = (name: string, { type = 'application/pdf', size = 4 } = {}) =>
  new File([new Uint8Array(size)], name, { type })
const uploadedOf = (name: string): OutgoingFile => ({
  id: name,
  kind: 'file',
  type: 'application/pdf',
  name,
  size: 4,
  url: `/pictures/${name}`,
})

async function openInbox(features = ['files']) {
  const inbox = await showInbox({
    person: { ...user, permissions: ['messages.send'], features },
    inspect: coverage.inspect,
    withToasts: true,
  })
  await inbox.answer('loadTop', listOf([row('c1', 2), row('c2', 1)]))
  await inbox.pass(100)
  await inbox.open('c1')
  await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
  return inbox
}
type Inbox = Awaited<ReturnType<typeof openInbox>>

const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type a message...')
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))
const choose = (...files: File[]) =>
  act(async () => {
    const input = document.querySelector<HTMLInputElement>('input[type=file][multiple]')
    if (input === null) throw new Error('no files can be chosen')
    fireEvent.change(input, { target: { files } })
  })
const chips = () => {
  const list = screen.queryByRole('list', { name: 'Attached files' })
  return list === null
    ? []
    : within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
}
const canSend = () => !screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled
const reason = () =>
  screen
    .queryAllByRole('status')
    .map(({ textContent }) => textContent)
    .join(' ')

/** Prepares the current file without a change, and uploads it. */
async function upload(inbox: Inbox, name: string) {
  await inbox.answer('prepareFile', { name, blob: fileNamed(name) })
  await inbox.answer('uploadFile', uploadedOf(name))
}

/** Picks a saved reply with `/`. */
async function insertReply(inbox: Inbox, reply: SavedReply) {
  await act(async () => {
    box().focus()
    fireEvent.change(box(), { target: { value: '/' } })
    box().setSelectionRange(1, 1)
  })
  await inbox.answer('loadReplies', [reply])
  await act(async () => fireEvent.keyDown(box(), { key: 'Enter' }))
}
const menu = savedReplyOf('menu', { text: 'Our menu', pictures: [pictureOf('p1'), pictureOf('p2')] })

describe('A saved reply with pictures in the composer', () => {
  const features = ['files', 'saved-replies', 'reply-pictures']

  it('inserts the text and attaches a copy of each picture, and nothing leaves before Send', async () => {
    const inbox = await openInbox(features)
    await inbox.answer('loadFiles', [])
    await insertReply(inbox, menu)
    expect([box().value, chips(), canSend(), reason()]).toEqual([
      'Our menu',
      ['p1.pngCopying', 'p2.pngWaiting'],
      false,
      expect.stringContaining('2 files are still uploading'),
    ])
    const [first] = inbox.waiting('copyPicture') as AttachedFile[]
    await inbox.answer('copyPicture', { ...pictureOf('p1'), id: first?.id ?? '' })
    const [second] = inbox.waiting('copyPicture') as AttachedFile[]
    expect([first?.copyOf, second?.copyOf]).toEqual(
      ['p1', 'p2'].map((id) => ({ replyId: 'menu', picture: pictureOf(id) })),
    )
    await inbox.answer('copyPicture', { ...pictureOf('p2'), id: second?.id ?? '' })
    expect([chips(), canSend(), inbox.waiting('sendMessage')]).toEqual([['p1.png9 B', 'p2.png9 B'], true, []])
    expect([...document.querySelectorAll('li[aria-label] img')].map((picture) => picture.getAttribute('src'))).toEqual([
      '/pictures/p1',
      '/pictures/p2',
    ])
    await press('Remove p1.png')
    await press('Send')
    expect([box().value, chips()]).toEqual(['', []])
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid' })
    expect(inbox.waiting('sendMessage')).toMatchObject([{ text: 'Our menu' }])
    await inbox.answer('sendMessage', { messageId: 'm9', createdAt: '2026-01-15T12:05:00Z' })
    await inbox.settleLookups({ pageId: 'p1', psid: 'psid' })
    expect(inbox.waiting('sendMessage')).toMatchObject([{ text: '', fileId: second?.id }])
    inbox.unmount()
  })

  it('shows a picture that the reply lost, one that failed, and fills the message up to ten files', async () => {
    const inbox = await openInbox(features)
    await inbox.answer('loadFiles', [])
    await insertReply(inbox, menu)
    await inbox.fail('copyPicture', failures.gone)
    await inbox.fail('copyPicture', failures.noAnswer)
    const shown = chips()
    expect(shown[0]).toBe('p1.pngThis picture was removed from the saved reply.')
    expect([canSend(), reason()]).toEqual([false, expect.stringContaining('Retry or remove the files')])
    expect(screen.queryByRole('button', { name: 'Retry p1.png' })).toBe(null)
    await press('Remove p1.png')
    await press('Retry p2.png')
    await inbox.answer('copyPicture', pictureOf('p2'))
    expect([chips(), canSend()]).toEqual([['p2.png9 B'], true])
    await choose(...Array.from({ length: 8 }, (_, index) => fileNamed(`${index}.pdf`)))
    await insertReply(inbox, menu)
    expect([chips().length, chips().at(-1)]).toEqual([10, 'p1.pngWaiting'])
    expect(screen.getByText('You can attach up to 10 files at once. The others were left out.')).toBeDefined()
    inbox.unmount()
  })

  it('of pictures alone leaves the text as it is', async () => {
    const inbox = await openInbox(features)
    await inbox.answer('loadFiles', [])
    await insertReply(inbox, { ...menu, text: '' })
    expect([box().value, chips().length]).toEqual(['', 2])
    inbox.unmount()
  })

  it('says where pictures cannot be sent, inserts the text alone, and nothing of a reply of pictures alone', async () => {
    const inbox = await openInbox(['files', 'saved-replies'])
    await insertReply(inbox, { ...menu, text: '' })
    expect([box().value, screen.getByText('The 2 pictures cannot be sent from here.').tagName]).toEqual(['/', 'SPAN'])
    await act(async () => fireEvent.change(box(), { target: { value: '' } }))
    await insertReply(inbox, menu)
    expect([box().value, chips()]).toEqual(['Our menu', []])
    inbox.unmount()
  })
})

describe('Files in the composer', () => {
  it('are shown with their progress, hold Send until they are uploaded, and leave after the text', async () => {
    const inbox = await openInbox()
    await inbox.answer('loadFiles', [])
    await choose(fileNamed('a.pdf'), fileNamed('b.pdf'))
    expect([chips(), canSend(), inbox.keptFiles]).toEqual([
      ['a.pdf0% of 4 B', 'b.pdfWaiting'],
      false,
      ['a.pdf', 'b.pdf'],
    ])
    expect(reason()).toContain('2 files are still uploading. Send as soon as they are done.')
    const buttons = within(screen.getByRole('list', { name: 'Attached files' })).getAllByRole('button')
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Move a.pdf one place later',
      'Cancel a.pdf',
      'Move b.pdf one place earlier',
      'Remove b.pdf',
    ])
    await inbox.answer('prepareFile', { name: 'a.pdf', blob: fileNamed('a.pdf') })
    await inbox.reportSent(2)
    expect(chips()[0]).toBe('a.pdf50% of 4 B')
    await expectScreen()
    await inbox.answer('uploadFile', uploadedOf('a.pdf'))
    await upload(inbox, 'b.pdf')
    expect([chips(), canSend()]).toEqual([['a.pdf4 B', 'b.pdf4 B'], true])
    await press('Move b.pdf one place earlier')
    await press('Move b.pdf one place later')
    await press('Move b.pdf one place earlier')
    await act(async () => fireEvent.change(box(), { target: { value: 'Ito po' } }))
    await press('Send')
    expect([chips(), box().value, inbox.keptFiles]).toEqual([[], '', []])
    const pending = screen.getAllByRole('article').map(({ textContent }) => textContent)
    expect(pending.slice(-3)).toEqual([
      expect.stringContaining('Ito po'),
      expect.stringContaining('b.pdf'),
      expect.stringContaining('a.pdf'),
    ])
    inbox.unmount()
  })

  it('can be cancelled, removed and retried; a failure keeps the typed text and Send waits', async () => {
    const inbox = await openInbox()
    await inbox.fail('loadFiles', new Error('blocked'))
    await act(async () => fireEvent.change(box(), { target: { value: 'Ito po' } }))
    await choose(fileNamed('a.pdf'), fileNamed('b.pdf'), fileNamed('c.pdf'), fileNamed('d.pdf'))
    await press('Cancel a.pdf')
    await inbox.fail('prepareFile', new Error('unreadable'))
    await inbox.answer('prepareFile', { name: 'c.pdf', blob: fileNamed('c.pdf') })
    await press('Remove d.pdf')
    await inbox.fail('uploadFile', failures.noAnswer)
    expect([chips(), canSend(), box().value]).toEqual([
      [expect.stringMatching(/^b\.pdf.+/), expect.stringMatching(/^c\.pdf.+/)],
      false,
      'Ito po',
    ])
    expect(reason()).toContain('Retry or remove the files that could not be uploaded.')
    await act(async () => void window.dispatchEvent(new Event('online')))
    expect(chips()[1]).toBe('c.pdf0% of 4 B')
    await inbox.answer('prepareFile', { name: 'c.pdf', blob: fileNamed('c.pdf') })
    await press('Cancel c.pdf')
    await press('Retry b.pdf')
    await upload(inbox, 'b.pdf')
    expect([chips(), canSend(), inbox.discardedFiles.length]).toEqual([['b.pdf4 B'], true, 3])
    inbox.unmount()
  })

  it('leave the composer when another tab has sent them', async () => {
    const inbox = await openInbox()
    await inbox.answer('loadFiles', [])
    await choose(fileNamed('a.pdf'), fileNamed('b.pdf'), fileNamed('c.pdf'))
    await inbox.answer('prepareFile', { name: 'a.pdf', blob: fileNamed('a.pdf') })
    const [a = '', b = ''] = inbox.keptFileIds
    await inbox.goneElsewhere([b])
    expect(chips()).toEqual(['a.pdf0% of 4 B', 'c.pdfWaiting'])
    await inbox.goneElsewhere([a])
    expect([chips(), inbox.discardedFiles]).toEqual([['c.pdf0% of 4 B'], []])
    inbox.unmount()
  })

  it('are refused with the reason, and stay with their own conversation until it is gone', async () => {
    const inbox = await openInbox()
    await inbox.answer('loadFiles', [])
    await choose(fileNamed('film.mp4', { type: 'video/mp4', size: 25_000_001 }))
    expect(chips()).toEqual(['film.mp4This file is too large. Pictures can have up to 8 MB, other files up to 25 MB.'])
    await choose(...Array.from({ length: 10 }, (_, index) => fileNamed(`${index}.pdf`)))
    expect(chips()).toHaveLength(10)
    // The code of toasts loads on demand.
    expect(await screen.findByText('You can attach up to 10 files at once. The others were left out.')).toBeTruthy()
    await inbox.answer('prepareFile', {
      name: '0.pdf',
      blob: fileNamed('0.pdf', { size: 25_000_001 }),
    })
    expect(chips()[1]).toContain('This file is too large.')
    await inbox.open('c2')
    await inbox.answer('loadMessages', { messages: [messageIn('c2', 1, { is_read: true })], hasMore: false })
    expect(chips()).toEqual([])
    await choose(fileNamed('other.pdf'))
    await inbox.tell({ type: 'conversation.gone', id: 'c2' })
    await inbox.tell({ type: 'conversation.gone', id: 'c1' })
    expect(inbox.keptFiles).toEqual([])
    inbox.unmount()
  })
})

describe('A drag over the thread', () => {
  /** Returns whether the event was taken. jsdom has no DragEvent. */
  const drag = async (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', more: object = {}) => {
    const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), {
      dataTransfer: { types: ['Files'], files: [] },
      ...more,
    })
    await act(async () => void pane().dispatchEvent(event))
    return event.defaultPrevented
  }
  const saysDrop = () => screen.queryByText('Drop the files here to attach them') !== null
  const pane = () => found(box().closest('[data-drops-files]'), 'the pane')

  it('of files is taken and marks the pane until it leaves the pane, not while it passes over what is inside', async () => {
    const inbox = await openInbox()
    await inbox.answer('loadFiles', [])
    for (const leave of [{ relatedTarget: document.body }, { relatedTarget: null }]) {
      const shown: [isTaken: boolean, saysDrop: boolean][] = []
      for (const [type, more] of [
        ['dragenter', {}],
        ['dragover', {}],
        ['dragleave', { relatedTarget: box() }],
        ['dragleave', leave],
      ] as const)
        shown.push([await drag(type, more), saysDrop()])
      expect(shown).toEqual([
        [true, true],
        [true, true],
        [false, true],
        [false, false],
      ])
    }
    inbox.unmount()
  })

  it('attaches the files that are dropped, to the open conversation alone', async () => {
    const inbox = await openInbox()
    await inbox.answer('loadFiles', [])
    await inbox.open('c2')
    await inbox.answer('loadMessages', { messages: [messageIn('c2', 1, { is_read: true })], hasMore: false })
    await drag('dragenter')
    const dataTransfer = { types: ['Files'], files: [fileNamed('a.pdf')] }
    expect([await drag('drop', { dataTransfer }), saysDrop(), chips()]).toEqual([true, false, ['a.pdf0% of 4 B']])
    await inbox.open('c1')
    expect([chips(), inbox.keptFiles]).toEqual([[], ['a.pdf']])
    inbox.unmount()
  })

  it('of a text is left to the browser', async () => {
    const inbox = await openInbox()
    await inbox.answer('loadFiles', [])
    const dataTransfer = { types: ['text/plain'], files: [] }
    const isTaken = await drag('dragenter', { dataTransfer })
    expect([isTaken, saysDrop(), await drag('drop', { dataTransfer }), chips()]).toEqual([false, false, false, []])
    inbox.unmount()
  })
})

describe('A paste into the text', () => {
  it.each([
    ['of files attaches them', { types: ['Files'], files: ['a.png'] }, true],
    [
      'of a text that an office program copied beside its picture leaves both to the browser',
      { types: ['text/plain', 'Files'], files: ['a.png'] },
      false,
    ],
    ['without files is left to the browser', { types: ['text/html'], files: [] }, false],
  ])('%s', async (_, { types, files }, isTaken) => {
    const inbox = await openInbox()
    await inbox.answer('loadFiles', [])
    const clipboardData = { types, files: files.map((name) => fileNamed(name)) }
    const event = createEvent.paste(box(), { clipboardData })
    await act(async () => void fireEvent(box(), event))
    expect([event.defaultPrevented, inbox.keptFiles]).toEqual([isTaken, isTaken ? files : []])
    inbox.unmount()
  })
})

describe('The walk of attached files', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
