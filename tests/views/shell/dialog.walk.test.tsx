import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { selectSession } from '../../../src/machines/app.ts'
import { type DialogName, dialogMachine } from '../../../src/machines/shell/dialog.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { dialogModel, pictures } from '../../model/client/clients-fixture.ts'
import { withoutBeginnings } from '../../model/few-paths.ts'
import { createCoverage, createToastLog, eventsOf, follow } from '../../model/harness.ts'
import { found } from '../found.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(dialogMachine)

const data = pictures.map(({ url, name }) => ({ name, image_data: { url, preview_url: url } }))
const messages = [messageOf('m1', 1, { is_read: true, attachments: { data } })]

/** The inbox with a conversation of two pictures, that nobody is linked to; a dialog's code is held back. */
async function showAll() {
  const log = createToastLog()
  const inbox = await showInbox({
    holdsDialogs: true,
    inspect: (event) => {
      coverage.inspect(event)
      log.inspect(event)
    },
  })
  await inbox.answer('loadTop', listOf([conversationOf()]))
  const openThread = async () => {
    await inbox.open('ana')
    await inbox.answer('loadMessages', { messages, hasMore: false })
  }
  await openThread()
  return { ...inbox, openThread, toasts: log.toasts }
}

type Shown = Awaited<ReturnType<typeof showAll>>

const click = (element: Element) => act(async () => fireEvent.click(element))
const button = (name: string | RegExp) => found(screen.getAllByRole('button', { name })[0], String(name))

const opener: Record<DialogName, string | RegExp> = {
  pageManager: 'Manage pages',
  historySync: 'Sync',
  autoSyncControl: /^Auto-sync/,
  faq: 'Manage FAQ',
}

const close = () => click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }))
const answerQuestion = async (name: string) => {
  const question = screen.queryByRole('alertdialog', { name: 'Discard changes' })
  if (question !== null) await click(within(question).getByRole('button', { name }))
}

/** Types what would be lost, where the dialog would otherwise end at once. */
async function typeInto(inbox: Shown) {
  if (screen.queryByRole('dialog', { name: 'Link Client' })) {
    const search = screen.getByPlaceholderText('Search by name, email, phone, or company...')
    fireEvent.change(search, { target: { value: 'nobody' } })
    await inbox.pass(300)
    await inbox.answer('searchClients', [])
    await click(screen.getByRole('button', { name: 'Create new client' }))
    fireEvent.change(screen.getByLabelText('Phone'), { target: { value: '0917' } })
  }
  if (screen.queryByRole('dialog', { name: 'Manage Facebook Pages' })) {
    await click(button('Add Page'))
    fireEvent.change(screen.getByLabelText('Page Name'), { target: { value: 'Bakery' } })
  }
}

/** What stands over the inbox, and what was said of it. */
function shown(toasts: Shown['toasts']) {
  const dialogs = screen.queryAllByRole('dialog')
  const [dialog] = dialogs
  return {
    dialogs: dialogs.map((each) => within(each).getAllByRole('heading', { level: 2 })[0]?.textContent),
    picture: dialog?.querySelector('img')?.getAttribute('src') ?? null,
    place: (dialog && within(dialog).queryByText(/^\d of \d$/)?.textContent) ?? null,
    asks: screen.queryByRole('alertdialog') !== null,
    toasts: toasts.map(({ text }) => text),
  }
}

const titles: Record<DialogName, string> = {
  pageManager: 'Manage Facebook Pages',
  historySync: 'Sync Historical Messages',
  autoSyncControl: 'Auto-Sync',
  faq: 'FAQ Management',
}

function titleIn({ value, context: { gallery, request } }: SnapshotFrom<typeof dialogMachine>): string[] {
  if (value === 'linkClient') return ['Link Client']
  if (value === 'shortcuts') return ['Keyboard shortcuts']
  if (value === 'image') return [['a.jpg', 'b.jpg'][gallery?.index ?? -1] ?? 'no picture']
  return value === 'onDemand' && request !== null ? [titles[request.name]] : []
}

const expected = (snapshot: SnapshotFrom<typeof dialogMachine>, failures: number) => {
  const index = snapshot.context.gallery?.index
  return {
    dialogs: titleIn(snapshot),
    picture: index === undefined ? null : ['https://cdn.example/a.jpg', 'https://cdn.example/b.jpg'][index],
    place: index === undefined ? null : `${index + 1} of 2`,
    asks: false,
    toasts: Array(failures).fill('Network error. Please check your connection.'),
  }
}

// The walk is about what is shown, not about how long its code takes to be read.
beforeAll(async () => {
  await Promise.all([
    import('../../../src/views/client/LinkClientDialog.tsx'),
    import('../../../src/views/pages/PageManagerDialog.tsx'),
    import('../../../src/views/sync/HistorySyncDialog.tsx'),
    import('../../../src/views/sync/AutoSyncDialog.tsx'),
    import('../../../src/views/faq/FaqDialog.tsx'),
    import('../../../src/views/thread/ImageDialog.tsx'),
    import('../../../src/views/shell/ShortcutsDialog.tsx'),
  ])
})

describe('one dialog at most stands over the inbox, over every transition', () => {
  const paths = withoutBeginnings(dialogModel().everyTransition(), eventsOf)

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const inbox = await showAll()
    expect(shown(inbox.toasts)).toEqual({ dialogs: [], picture: null, place: null, asks: false, toasts: [] })
    let failures = 0
    const staying = async (leave: () => Promise<unknown>) => {
      await typeInto(inbox)
      await leave()
      await answerQuestion('Cancel')
    }
    await follow(
      path,
      {
        'linkClient.requested': () => click(button('Link to Client')),
        'image.requested': () => click(screen.getByRole('link', { name: 'a.jpg' })),
        'image.stepped': ({ by }) => click(button(by > 0 ? 'Next picture' : 'Previous picture')),
        'shortcuts.requested': () => act(async () => fireEvent.keyDown(document.body, { key: '?' })),
        'dialog.requested': ({ dialog }) => click(button(opener[dialog.name as DialogName])),
        'dialog.dismissed': async (event) => {
          // What is not there yet has nothing to press.
          const session = selectSession(inbox.app.getSnapshot())
          if (inbox.waiting('loadDialog').length > 0) await act(async () => session?.system.get('dialog').send(event))
          else await staying(close)
        },
        'conversation.left': () => staying(inbox.leave),
        'xstate.done.actor.linkClient': async () => {
          await close()
          await answerQuestion('Discard')
        },
        'xstate.done.actor.onDemand': async () => {
          await close()
          await answerQuestion('Discard')
        },
        'xstate.done.actor.loadDialog': ({ output }) =>
          inbox.answer('loadDialog', inbox.dialogs[output.name as DialogName]),
        'xstate.error.actor.loadDialog': async () => {
          failures += 1
          await inbox.fail('loadDialog', new TypeError('Failed to fetch dynamically imported module'))
        },
      },
      (step) => waitFor(() => expect(shown(inbox.toasts)).toEqual(expected(step.expected, failures))),
    )
    inbox.unmount()
  })
})

describe('the walk through the dialogs is complete', () => {
  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
