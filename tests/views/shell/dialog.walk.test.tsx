import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { dialogs } from '../../../src/dialog-registry.ts'
import { selectSession } from '../../../src/machines/app.ts'
import { type DialogName, dialogMachine } from '../../../src/machines/shell/dialog.ts'
import { infoDialogMachine } from '../../../src/machines/shell/info-dialog.ts'
import { imageGalleryMachine } from '../../../src/machines/thread/image-gallery.ts'
// Loaded here because the product loads them on demand, which takes real time.
import '../../../src/compose-attached-files.ts'
import '../../../src/views/send/AttachButtons.tsx'
import '../../../src/views/send/BeyondWindow.tsx'
import '../../../src/views/send/CardButton.tsx'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { clientOf, orderOf } from '../../model/client/clients-fixture.ts'
import { withoutBeginnings } from '../../model/few-paths.ts'
import { createCoverage, createToastLog, eventsOf, follow } from '../../model/harness.ts'
import { stateOf } from '../../model/inbox-fixture.ts'
import { outgoingOf } from '../../model/send/send-fixture.ts'
import { dialogModel, pictures } from '../../model/shell/dialog-fixture.ts'
import { found } from '../found.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

type Load = { come: () => void; fail: (error: unknown) => void }

/** While `on`, the code of each dialog is held back until the test releases it. */
const held = vi.hoisted((): { on: boolean; loads: Load[] } => ({ on: false, loads: [] }))
vi.mock('../../../src/dialog-registry.ts', async (original) => {
  const registry = await original<typeof import('../../../src/dialog-registry.ts')>()
  return {
    ...registry,
    loadDialog: async (...asked: Parameters<typeof registry.loadDialog>) => {
      if (held.on) await new Promise<void>((come, fail) => held.loads.push({ come, fail }))
      return registry.loadDialog(...asked)
    },
  }
})
/** The newest load belongs to the requested dialog. Earlier ones were preloads or belong to dismissed dialogs. */
const settleHeld = (how: (load: Load) => void) =>
  act(async () => how(found(held.loads.pop(), 'a dialog whose code is being loaded')))

const coverage = createCoverage(dialogMachine)
const infoCoverage = createCoverage(infoDialogMachine)
const galleryCoverage = createCoverage(imageGalleryMachine)

const data = pictures.map(({ url, name }) => ({ name, image_data: { url, preview_url: url } }))
const messages = [messageOf('m1', 1, { is_read: true, attachments: { data } })]

/** Opens an inbox with a conversation that has two pictures and no linked client. The code of dialogs is held back. */
async function showAll(holdsDialogs: boolean) {
  held.on = holdsDialogs
  held.loads.length = 0
  const log = createToastLog()
  const inbox = await showInbox({
    left: [outgoingOf({ status: 'failed' })],
    person: {
      ...user,
      permissions: [
        'persons.export',
        'persons.erase',
        'staff.manage',
        'api-keys.manage',
        'webhooks.manage',
        'imports.manage',
        'shops.manage',
        'data.export',
        'audit.read',
        'reports.read',
        'alarms.read',
        'conversations.manage',
        'labels.manage',
        'faq.manage',
        'messages.send',
        'clients.link',
        'clients.manage',
        'clients.remove',
        'orders.read',
        'orders.manage',
        'pages.manage',
        'pages.read',
        'sync.run',
        'sync.manage',
      ],
      features: [
        'chats',
        'conversation-states',
        'labels',
        'saved-replies',
        'reports',
        'notifications',
        'business-hours',
        'faq-matching',
        'assignment-rules',
        'csv-import',
        'shops',
        'facebook-login',
        'saved-filters',
        'summaries',
        'chat-orders',
        'client-changes',
        'comments',
        'message-templates',
        'product-cards',
        'files',
      ],
    },
    inspect: (event) => {
      coverage.inspect(event)
      infoCoverage.inspect(event)
      galleryCoverage.inspect(event)
      log.inspect(event)
    },
  })
  const last_incoming_at = new Date(Date.now() - 30 * 60 * 60_000).toISOString()
  const onePage = { page_ids: 'p1', page_names: 'Bakery', page_count: 1, platform: 'messenger' } as const
  await inbox.answer('loadTop', listOf([conversationOf({ state: stateOf(1), last_incoming_at, ...onePage })]))
  await inbox.answer('loadAlarms', [])
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

/** Only a linked client has orders. */
const asLinked = async (inbox: Shown, opens: () => Promise<unknown>) => {
  await inbox.changeUsers([{ type: 'UPDATE', row: { id: 'ana-p1', client_id: 'k1' } }])
  await inbox.answer('loadProfile', { client: clientOf('k1') })
  await inbox.answer('loadOrders', { orders: [orderOf('o1')] })
  await opens()
  await inbox.changeUsers([{ type: 'UPDATE', row: { id: 'ana-p1', client_id: null } }])
}

const opener: Record<DialogName, (inbox: Shown) => Promise<unknown>> = {
  linkClient: () => click(button('Link to Client')),
  personalData: () => click(button('Personal data…')),
  chats: () => click(button('Chats and client…')),
  newOrder: (inbox) => asLinked(inbox, () => click(button('New order'))),
  order: (inbox) => asLinked(inbox, () => click(button('#101'))),
  recordPayment: (inbox) => asLinked(inbox, () => click(button('Record payment from this picture'))),
  productManager: () => click(screen.getByText('Products')),
  comments: () => click(button(/^Comments/)),
  liveSale: () => click(screen.getByText('Live sale')),
  pageManager: () => click(button('Manage pages')),
  facebookLogin: async () => {
    await click(button('Manage pages'))
    if (held.on) await settleHeld((load) => load.come())
    await screen.findByRole('dialog', { name: 'Manage Facebook Pages' })
    await click(button('Connect with Facebook'))
  },
  historySync: () => click(button('Sync')),
  autoSyncControl: () => click(button(/^Auto-sync/)),
  faq: () => click(button('Manage FAQ')),
  staff: () => click(screen.getByText('Staff')),
  dataTransfer: () => click(screen.getByText('Import and export')),
  apiKeys: () => click(screen.getByText('API keys')),
  webhooks: () => click(screen.getByText('Webhooks')),
  shops: () => click(screen.getByText('Shops')),
  auditLog: () => click(screen.getByText('Audit log')),
  assignmentRules: () => click(screen.getByText('Assignment rules')),
  businessHours: () => click(screen.getByText('Business hours')),
  faqMatching: () => click(screen.getByText('FAQ matching')),
  reports: () => click(screen.getByText('Reports')),
  alarms: () => click(button('Alarms')),
  unsent: () => click(button('1 unsent message')),
  voiceNote: () => click(button('Record a voice note')),
  productCard: () => click(button('Send a product')),
  messageTemplates: () => click(button('Templates')),
  savedReplyManager: () => click(screen.getByText('Saved replies')),
  image: () => click(screen.getByRole('link', { name: 'a.jpg' })),
  changePassword: () => click(screen.getByText('Change password')),
  secondFactor: () => click(screen.getByText('Two-step sign-in')),
  clearDevice: () => click(screen.getByText('Clear this device')),
  notifications: () => click(screen.getByRole('button', { name: 'Notifications', hidden: true })),
  signOut: () => click(screen.getByText('Sign out')),
  shortcuts: () => act(async () => fireEvent.keyDown(document.body, { key: '?' })),
  palette: () => act(async () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })),
  snooze: () => act(async () => fireEvent.keyDown(document.body, { key: 's' })),
  assign: () => act(async () => fireEvent.keyDown(document.body, { key: 'a' })),
  // Only a linked client has the button.
  clientLanguage: async (inbox) => {
    await inbox.changeUsers([{ type: 'UPDATE', row: { id: 'ana-p1', client_id: 'k1' } }])
    await inbox.answer('loadProfile', { client: clientOf('k1') })
    await click(button('Change the language of summaries'))
    await inbox.changeUsers([{ type: 'UPDATE', row: { id: 'ana-p1', client_id: null } }])
  },
  labels: () => act(async () => fireEvent.keyDown(document.body, { key: 'l' })),
  labelManager: () => click(button('Manage labels')),
  savedFilterManager: () => click(screen.getByText('Saved filters')),
  editClient: (inbox) => asLinked(inbox, () => click(button('Edit'))),
  mergeClients: (inbox) => asLinked(inbox, () => click(button('Merge'))),
  removeClient: (inbox) => asLinked(inbox, () => click(button('Delete'))),
  removedClients: () => click(screen.getByText('Deleted clients')),
}

const close = () => click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }))
const answerQuestion = async (name: string) => {
  const question = screen.queryByRole('alertdialog', { name: 'Discard changes' })
  if (question !== null) await click(within(question).getByRole('button', { name }))
}

/** Types input that needs a confirmation to discard; without input the dialog would close at once. */
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

/** The dialog over the inbox, and the toasts about it. */
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
  linkClient: 'Link Client',
  personalData: 'Personal data',
  chats: 'Chats and client',
  newOrder: 'New order',
  order: 'Order',
  recordPayment: 'Record payment',
  productManager: 'Products',
  comments: 'Comments',
  liveSale: 'Live sale',
  pageManager: 'Manage Facebook Pages',
  facebookLogin: 'Connect with Facebook',
  historySync: 'Sync Historical Messages',
  autoSyncControl: 'Auto-Sync',
  faq: 'FAQ Management',
  staff: 'Staff',
  apiKeys: 'API keys',
  webhooks: 'Webhooks',
  shops: 'Shops',
  dataTransfer: 'Import and export',
  auditLog: 'Audit log',
  assignmentRules: 'Assignment rules',
  businessHours: 'Business hours',
  faqMatching: 'FAQ matching',
  reports: 'Reports',
  alarms: 'Alarms',
  unsent: 'Unsent messages',
  voiceNote: 'Voice note',
  productCard: 'Send a product',
  messageTemplates: 'Send a template',
  savedReplyManager: 'Saved replies',
  image: 'a.jpg',
  changePassword: 'Change password',
  secondFactor: 'Two-step sign-in',
  clearDevice: 'Clear this device?',
  notifications: 'Notifications',
  signOut: 'Sign out?',
  shortcuts: 'Keyboard shortcuts',
  palette: 'Find people and actions',
  snooze: 'Snooze',
  assign: 'Assign',
  clientLanguage: 'Language of summaries',
  labels: 'Labels',
  labelManager: 'Manage labels',
  savedFilterManager: 'Saved filters',
  editClient: 'Edit client',
  mergeClients: 'Merge clients',
  removeClient: 'Delete client',
  removedClients: 'Deleted clients',
}

const expected = ({ value, context: { request } }: SnapshotFrom<typeof dialogMachine>, failures: number) => {
  const open = value === 'open' && request !== null ? request.name : null
  return {
    dialogs: open === null ? [] : [titles[open]],
    picture: open === 'image' ? 'https://cdn.example/a.jpg' : null,
    place: open === 'image' ? '1 of 2' : null,
    asks: false,
    toasts: Array(failures).fill('Network error. Please check your connection.'),
  }
}

// jsdom has no microphone, so the button that records would be missing.
beforeAll(() => {
  Object.defineProperty(navigator, 'mediaDevices', { value: {}, configurable: true })
  Object.defineProperty(window, 'MediaRecorder', { value: class {}, configurable: true })
})

// The walk checks the content, not the loading time of the code.
beforeAll(() => Promise.all(Object.values(dialogs).map(({ loadView }) => loadView())))

describe('At most one dialog is open over the inbox, over every transition', () => {
  const paths = withoutBeginnings(dialogModel().everyTransition(), eventsOf)

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const inbox = await showAll(true)
    expect(shown(inbox.toasts)).toEqual({ dialogs: [], picture: null, place: null, asks: false, toasts: [] })
    let failures = 0
    const staying = async (leave: () => Promise<unknown>) => {
      await typeInto(inbox)
      await leave()
      await answerQuestion('Keep editing')
    }
    await follow(
      path,
      {
        'dialog.expected': () => act(async () => fireEvent.focus(button('Link to Client'))),
        'dialog.requested': ({ dialog }) => opener[dialog.name as DialogName](inbox),
        'dialog.dismissed': async (event) => {
          // A dialog that is still loading has nothing to press.
          const dialog = selectSession(inbox.app.getSnapshot())?.system.get('dialog')
          if (dialog?.getSnapshot().matches('loading')) await act(async () => dialog.send(event))
          else await staying(close)
        },
        'conversation.left': () => staying(inbox.leave),
        // Choosing a command in the palette also closes the palette.
        'command.chosen': (event) =>
          act(async () => selectSession(inbox.app.getSnapshot())?.system.get('dialog')?.send(event)),
        'key.typed': ({ key }) => act(async () => fireEvent.keyDown(document.body, { key })),
        'clientData.changed': (event) =>
          act(async () => selectSession(inbox.app.getSnapshot())?.system.get('dialog')?.send(event)),
        'comments.changed': (event) =>
          act(async () => selectSession(inbox.app.getSnapshot())?.system.get('dialog')?.send(event)),
        'xstate.done.actor.opened': async () => {
          await close()
          await answerQuestion('Discard')
        },
        'xstate.done.actor.loadDialog': () => settleHeld((load) => load.come()),
        'xstate.error.actor.loadDialog': async () => {
          failures += 1
          await settleHeld((load) => load.fail(new TypeError('Failed to fetch dynamically imported module')))
        },
      },
      (step) => waitFor(() => expect(shown(inbox.toasts)).toEqual(expected(step.expected, failures))),
    )
    inbox.unmount()
  })
})

describe('The image preview', () => {
  it('steps through the pictures by button and key, and stops at the first and the last', async () => {
    const inbox = await showAll(false)
    await opener.image(inbox)
    await screen.findByRole('dialog', { name: 'a.jpg' })
    const place = () => [shown(inbox.toasts).dialogs, shown(inbox.toasts).place]
    const places: unknown[] = [place()]
    const press = (key: string) => act(async () => fireEvent.keyDown(screen.getByRole('dialog'), { key }))
    for (const step of [
      () => press('ArrowLeft'),
      () => click(button('Next picture')),
      () => press('ArrowRight'),
      () => click(button('Previous picture')),
    ]) {
      await step()
      places.push(place())
    }
    await close()
    const [first, second] = [
      [['a.jpg'], '1 of 2'],
      [['b.jpg'], '2 of 2'],
    ]
    expect([places, shown(inbox.toasts).dialogs]).toEqual([[first, first, second, second, first], []])
  })
})

describe('The list of shortcuts', () => {
  it('stays open until it is closed', async () => {
    const inbox = await showAll(false)
    await opener.shortcuts(inbox)
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(within(dialog).getAllByRole('term').length).toBeGreaterThan(5)
    await close()
    expect(shown(inbox.toasts).dialogs).toEqual([])
  })
})

describe('The walk of the dialogs', () => {
  it('enters every state', () => {
    expect(coverage.statesMissed()).toEqual([])
    expect(infoCoverage.statesMissed()).toEqual([])
    expect(galleryCoverage.statesMissed()).toEqual([])
  })
  it('takes every transition', () => {
    expect(coverage.transitionsMissed()).toEqual([])
    expect(infoCoverage.transitionsMissed()).toEqual([])
    expect(galleryCoverage.transitionsMissed()).toEqual([])
  })
})
