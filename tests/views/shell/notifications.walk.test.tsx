import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AnyEventObject, InspectionEvent } from 'xstate'
import type { NotificationReport } from '../../../src/domain/shell/notification-calls.ts'
import { commentNewsMachine } from '../../../src/machines/comments/comment-news.ts'
import { notificationSettings, notificationSettingsMachine } from '../../../src/machines/shell/notification-settings.ts'
import { notificationsMachine, selectPermission } from '../../../src/machines/shell/notifications.ts'
import { pushMachine, selectPushDevice } from '../../../src/machines/shell/push.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { inserted, row } from '../../model/inbox-fixture.ts'
import {
  louder,
  mentioned,
  notificationsModel,
  returned,
  savedOf,
  settings,
  settingsModel,
} from '../../model/shell/notifications-fixture.ts'
import { pushModel, subscribed } from '../../model/shell/push-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const { selectIsOvertaken, selectSettings } = notificationSettings
const coverage = createCoverage(notificationsMachine)
const settingsCoverage = createCoverage(notificationSettingsMachine)
const pushCoverage = createCoverage(pushMachine)
const news = createCoverage(commentNewsMachine)

const withPush = {
  ...user,
  features: ['notifications' as const, 'web-push' as const],
  permissions: ['conversations.read'],
}
const person = { ...user, features: ['notifications', 'notes'], permissions: ['conversations.read'] }

async function show(more: Parameters<typeof showInbox>[0] = {}) {
  const inbox = await showInbox({
    person,
    inspect: (event: InspectionEvent) => {
      coverage.inspect(event)
      settingsCoverage.inspect(event)
      pushCoverage.inspect(event)
      news.inspect(event)
    },
    ...more,
  })
  await inbox.answer('loadTop', listOf([row('c1', 1), row('c2', 2)]))
  await act(() => vi.dynamicImportSettled())
  return inbox
}
type Inbox = Awaited<ReturnType<typeof show>>

const dialog = () => screen.getByRole('dialog', { name: 'Notifications' })
const button = (name: string) => within(dialog()).getByRole('button', { name })
const box = (name: RegExp | string) => within(dialog()).getByRole<HTMLInputElement>('checkbox', { name })

async function openDialog(inbox: Inbox) {
  await inbox.openDialog({ name: 'notifications' })
  expect(dialog()).toBeTruthy()
}

describe('New messages in the inbox', () => {
  it('raise a sound and a desktop notification, whose click opens the conversation', async () => {
    const inbox = await show({ withToasts: true })
    for (const report of [
      { type: 'permission.changed', permission: 'granted' },
      { type: 'lead.gained' },
    ] satisfies NotificationReport[])
      await inbox.hearNotifications(report)
    await inbox.answer('loadSettings', savedOf())
    await inbox.change([inserted('c2', 5)])
    expect(inbox.raised).toEqual(['New message from Person c2', 'sound'])
    await inbox.hearNotifications({ type: 'notice.clicked', conversationId: 'c2' })
    expect(inbox.opened).toEqual(['/c2'])
    await inbox.open('c2')
    await inbox.pass(3_000)
    inbox.raised.length = 0
    await inbox.hearNotifications({ type: 'window.focused' })
    await inbox.change([inserted('c2', 6)])
    expect(inbox.raised).toEqual([])
    await inbox.hearColleagues(mentioned('c2', 's2', [user.id]) as never)
    const now = new Date(0).toISOString()
    await inbox.tell(returned('c2', null, now) as never)
    expect(inbox.raised).toEqual([])
    await inbox.hearNotifications({ type: 'window.left' })
    await inbox.change([inserted('c2', 7)])
    expect(inbox.raised).toEqual(['New message from Person c2', 'sound'])
    await inbox.tell({ type: 'tab.hidden' })
    await inbox.hearColleagues(mentioned('c1', 's2', [user.id]) as never)
    expect(inbox.raised.slice(2)).toEqual(['A colleague mentioned you in a note', 'sound'])
    await inbox.tell(returned('c1', user.id) as never)
    await inbox.tell({ type: 'tab.shown' })
    await inbox.leave()
    await inbox.hearNotifications({ type: 'lead.lost' })
    await inbox.change([inserted('c1', 8)])
    expect(inbox.raised).toHaveLength(4)
    inbox.unmount()
  })
})

describe('New comments in the inbox', () => {
  const came = {
    type: 'comments.changed',
    thread: {
      id: 't1',
      postId: 'post-1',
      isWaiting: true,
      news: { threadId: 't1', name: 'Ana Reyes', line: 'Magkano po?' },
    },
  } as const
  const answered = { type: 'comments.changed', thread: { id: 't1', postId: 'post-1', isWaiting: false } } as const
  const title = 'New comment from Ana Reyes'
  const comments = () => screen.findByRole('dialog', { name: 'Comments' })
  const closeComments = async () => {
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog', { name: 'Comments' })).toBeNull()
  }

  it('raise a toast, a sound and a desktop notification, and a press opens them at their thread', async () => {
    const inbox = await show({ withToasts: true, person: { ...person, features: [...person.features, 'comments'] } })
    for (const report of [
      { type: 'permission.changed', permission: 'granted' },
      { type: 'lead.gained' },
    ] satisfies NotificationReport[])
      await inbox.hearNotifications(report)
    await inbox.answer('loadSettings', savedOf({ showsText: true }))
    await inbox.hearColleagues(came)
    await inbox.hearColleagues(answered)
    await inbox.pass(1_000)
    expect(inbox.raised).toEqual([])
    await inbox.tell({ type: 'tab.hidden' })
    await inbox.tell({ type: 'tab.shown' })
    await inbox.hearColleagues(came)
    await inbox.pass(1_000)
    expect(inbox.raised).toEqual([title, 'sound'])
    const toast = await screen.findByRole('button', { name: title })
    expect(toast.closest('li')?.textContent).toContain('Magkano po?')
    await act(async () => toast.click())
    await comments()
    expect(inbox.waiting('loadThread')).toEqual([{ threadId: 't1' }])
    await waitFor(() => expect(screen.queryByRole('button', { name: title })).toBeNull())

    // The person looks at the thread.
    await inbox.hearNotifications({ type: 'window.focused' })
    await inbox.hearColleagues(answered)
    await inbox.pass(60_000)
    await inbox.hearColleagues(came)
    await inbox.pass(1_000)
    expect([inbox.raised.length, screen.queryByRole('button', { name: title })]).toEqual([2, null])
    await closeComments()

    await inbox.hearNotifications({ type: 'notice.commentsClicked', threadId: null })
    await comments()
    expect(screen.getByText('Choose a comment to answer it.')).toBeTruthy()
    inbox.unmount()
  })

  it('of many people raise one notification, which is closed with the last of them', async () => {
    const inbox = await show({ person: { ...person, features: [...person.features, 'comments'] } })
    for (const report of [
      { type: 'permission.changed', permission: 'granted' },
      { type: 'lead.gained' },
    ] satisfies NotificationReport[])
      await inbox.hearNotifications(report)
    await inbox.answer('loadSettings', savedOf({ showsText: true }))
    const ids = ['t1', 't2', 't3', 't4']
    for (const id of ids)
      await inbox.hearColleagues({
        ...came,
        thread: { ...came.thread, id, news: { ...came.thread.news, threadId: id } },
      })
    await inbox.pass(1_000)
    expect(inbox.raised).toEqual(['New comments from 4 people', 'sound'])
    const gathered = () => inbox.app.system.get('notifications').getSnapshot().context.gathered
    for (const [index, id] of ids.entries()) {
      expect(gathered()).toEqual(ids.slice(index))
      await inbox.hearColleagues({ ...answered, thread: { ...answered.thread, id } })
    }
    expect(gathered()).toEqual([])
    inbox.unmount()
  })
})

describe('The dialog of the notifications', () => {
  const advices = {
    undecided: 'Your browser has to allow them first.',
    asking: 'Answer the question of your browser.',
    denied: /^Your browser blocks notifications of this page\./,
    unsupported: /^This browser cannot show them\./,
  }

  it('offers what the permission allows, on every path', async () => {
    for (const path of notificationsModel('lead').everyTransitionInFewPaths(400)) {
      const inbox = await show()
      await openDialog(inbox)
      await inbox.answer('loadSettings', { settings: null, version: 0 })
      const hear = (event: AnyEventObject) => inbox.hearNotifications(event as NotificationReport)
      const tell = (event: AnyEventObject) => inbox.tell(event as never)
      const direct = (event: AnyEventObject) => act(async () => inbox.app.system.get('notifications').send(event))
      // A question of the browser that a change of the permission has answered stays open.
      const dropOldQuestions = async () => {
        while (inbox.waiting('requestPermission').length > 1) await inbox.answer('requestPermission', 'undecided')
      }
      const press = (name: string) => act(async () => button(name).click())
      await follow(
        path,
        {
          'permission.changed': hear,
          'lead.gained': hear,
          'lead.lost': hear,
          'settings.saved': tell,
          'refetch.requested': direct,
          'messages.announced': direct,
          'permission.requested': () => press('Allow in this browser'),
          'sound.tested': () => press('Test sound'),
          'notice.tested': () => press('Test notification'),
          ...inbox.ends('loadSettings'),
          'xstate.done.actor.requestPermission': async ({ output }) => {
            await dropOldQuestions()
            await inbox.answer('requestPermission', output)
          },
          'xstate.error.actor.requestPermission': async ({ error }) => {
            await dropOldQuestions()
            await inbox.fail('requestPermission', error)
          },
          'xstate.after.retryDelay.notifications.tab.leading.waiting': () =>
            inbox.pass(inbox.app.system.get('notifications').getSnapshot().context.retryDelay),
        },
        ({ expected }) => {
          const permission = selectPermission(expected)
          const shown = {
            allow: within(dialog()).queryByRole('button', { name: 'Allow in this browser' })?.hasAttribute('disabled'),
            test: within(dialog()).queryByRole('button', { name: 'Test notification' }) !== null,
            advice: Object.entries(advices).find(([, text]) => within(dialog()).queryByText(text))?.[0],
          }
          expect(shown).toEqual({
            allow: permission === 'undecided' ? false : permission === 'asking' ? true : undefined,
            test: permission === 'granted',
            advice: permission in advices ? permission : undefined,
          })
        },
      )
      inbox.unmount()
    }
  }, 120_000)

  it('matches its own model on every path', async () => {
    for (const path of settingsModel().everyTransitionInFewPaths()) {
      const inbox = await show()
      await openDialog(inbox)
      const edit = async ({ settings: wanted }: AnyEventObject) => {
        const actor = inbox.app.system.get('dialog').getSnapshot().context.opened.actor
        if (wanted === louder && !box(/colleagues/).checked) await userEvent.click(box(/colleagues/))
        else await act(async () => actor.send({ type: 'settings.edited', settings: wanted }))
      }
      const answerQuestion = (name: string) =>
        userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name }))
      await follow(
        path,
        {
          'settings.edited': edit,
          'settings.submitted': () => userEvent.click(button('Save')),
          'refetch.requested': () => userEvent.click(button('Try again')),
          'dialog.dismissed': () => userEvent.keyboard('{Escape}'),
          'discard.confirmed': () => answerQuestion('Discard'),
          'discard.refused': () => answerQuestion('Keep editing'),
          'xstate.done.actor.loadSettings': ({ output }) => inbox.answer('loadSettings', output.saved),
          'xstate.error.actor.loadSettings': ({ error }) => inbox.fail('loadSettings', error),
          ...inbox.ends('saveSettings'),
          'xstate.after.retryDelay.notificationSettings.failed.waiting': () =>
            inbox.pass(
              inbox.app.system.get('dialog').getSnapshot().context.opened.actor.getSnapshot().context.retryDelay,
            ),
        },
        ({ expected }) => {
          const [shown] = screen.queryAllByRole('dialog', { name: 'Notifications', hidden: true })
          if (expected.status === 'done') return expect(shown).toBeUndefined()
          const wanted = selectSettings(expected)
          const others =
            shown && within(shown).queryByRole<HTMLInputElement>('checkbox', { name: /colleagues/, hidden: true })
          expect([
            others?.checked ?? null,
            screen.queryByText(/These settings were changed in another tab/) !== null,
            screen.queryByRole('alertdialog') !== null,
            shown?.querySelector('button[type=submit]')?.textContent,
          ]).toEqual([
            wanted?.others ?? null,
            selectIsOvertaken(expected),
            expected.matches('leaving'),
            expected.matches('saving') ? 'Saving...' : 'Save',
          ])
        },
      )
      inbox.unmount()
    }
  }, 120_000)

  it('offers the choice about comments to whom the API offers comments', async () => {
    for (const features of [person.features, [...person.features, 'comments']]) {
      const inbox = await show({ person: { ...person, features } })
      await openDialog(inbox)
      const { comments: _, ...before } = settings
      await inbox.answer('loadSettings', { settings: { ...before, unassigned: false }, version: 1 })
      const choice = within(dialog()).queryByRole<HTMLInputElement>('checkbox', {
        name: 'Comments that need an answer',
      })
      expect(choice?.checked).toBe(features.includes('comments') ? false : undefined)
      if (choice !== null) {
        await userEvent.click(choice)
        await userEvent.click(button('Save'))
        expect(inbox.waiting('saveSettings')).toMatchObject([{ settings: { unassigned: false, comments: true } }])
      }
      inbox.unmount()
    }
  })

  it('is accessible, and changes quiet hours by their times, days and time zone', async () => {
    const inbox = await show()
    await openDialog(inbox)
    const manila = { ...settings.quiet, timeZone: 'Asia/Manila' }
    await inbox.answer('loadSettings', savedOf({ quiet: manila }))
    await userEvent.click(box(/^No sound/))
    await expectScreen(dialog())
    await userEvent.click(box('Sunday'))
    await userEvent.clear(within(dialog()).getByLabelText(/^From/))
    expect(button('Save').getAttribute('aria-describedby')).not.toBeNull()
    expect(screen.getByText('Type both times of the quiet hours')).toBeTruthy()
    await userEvent.type(within(dialog()).getByLabelText(/^From/), '21:30')
    await userEvent.click(button('Use UTC'))
    await userEvent.click(button('Save'))
    expect(inbox.waiting('saveSettings')).toEqual([
      {
        settings: {
          ...settings,
          quiet: { isOn: true, from: '21:30', to: '08:00', days: [1, 2, 3, 4, 5, 6], timeZone: 'UTC' },
        },
        replaces: 1,
      },
    ])
    inbox.unmount()
  })
})

describe('Notifications of this device', () => {
  const texts: Readonly<Record<string, RegExp | null>> = {
    checking: null,
    off: /^You can be notified on this device/,
    subscribing: /^Answer the question of your browser/,
    on: /^This device is notified/,
    unsubscribing: /^This device is notified/,
    failed: /^This device could not be set up/,
    denied: /^Your browser blocks notifications of this page/,
    uninstalled: /^Add this page to the Home Screen first/,
    unsupported: /^This browser cannot be notified while/,
  }
  const names = ['Notify this device', 'Stop notifying this device']

  it.each(['device', 'tab'] as const)(
    'are offered and explained in the dialog, on every path: %s',
    async (part) => {
      for (const path of pushModel(part).everyTransitionInFewPaths(200)) {
        const inbox = await show({ person: withPush })
        await openDialog(inbox)
        await inbox.answer('loadSettings', { settings: null, version: 0 })
        const group = () => screen.getByRole('group', { name: 'This device while the inbox is closed' })
        type Asked = 'readDevice' | 'subscribe' | 'renewSubscription' | 'unsubscribe' | 'tellVisible'
        // Of calls that the machine no longer waits for, the answers come first.
        const last = async (name: Asked, how: () => Promise<unknown>) => {
          while (inbox.waiting(name).length > 1) await inbox.fail(name, new Error('too late'))
          await how()
        }
        const answer = (name: Asked) => (event: AnyEventObject) =>
          last(name, () => inbox.answer(name, event['output'] as never))
        const fail = (name: Asked) => (event: AnyEventObject) => last(name, () => inbox.fail(name, event['error']))
        const push = () => inbox.app.system.get('push')
        const hear = (event: AnyEventObject) => inbox.hearPush(event as never)
        const tell = (event: AnyEventObject) => inbox.tell(event as never)
        const press = (name: string) => userEvent.click(within(group()).getByRole('button', { name }))
        await follow(
          path,
          {
            'push.enabled': () => press('Notify this device'),
            'push.disabled': () => press('Stop notifying this device'),
            'push.replaced': hear,
            'push.clicked': hear,
            'push.commentsClicked': hear,
            'permission.changed': (event) => inbox.hearNotifications(event as NotificationReport),
            'tab.shown': tell,
            'tab.hidden': tell,
            'xstate.done.actor.readDevice': ({ output }) => inbox.answer('readDevice', output.device),
            'xstate.error.actor.readDevice': fail('readDevice'),
            'xstate.done.actor.subscribe': answer('subscribe'),
            'xstate.error.actor.subscribe': fail('subscribe'),
            'xstate.done.actor.renewSubscription': answer('renewSubscription'),
            'xstate.error.actor.renewSubscription': fail('renewSubscription'),
            'xstate.done.actor.unsubscribe': answer('unsubscribe'),
            'xstate.error.actor.unsubscribe': fail('unsubscribe'),
            'xstate.done.actor.tellVisible': answer('tellVisible'),
            'xstate.error.actor.tellVisible': fail('tellVisible'),
            // Passing the time would also let the tab say again that it is visible.
            'xstate.after.retryDelay.push.device.on.waiting': (event) => act(async () => push().send(event)),
            'xstate.after.visibleInterval.push.tab.visible.told': (event) => act(async () => push().send(event)),
          },
          ({ expected }) => {
            const device = selectPushDevice(expected)
            const text = texts[device]
            const shown = names.map(
              (name) => within(group()).queryByRole<HTMLButtonElement>('button', { name })?.disabled,
            )
            const isBusy = device === 'subscribing' || device === 'unsubscribing'
            const isOn = device === 'on' || device === 'unsubscribing'
            const isOffered = isOn || isBusy || device === 'off' || device === 'failed'
            expect([text && within(group()).queryByText(text) !== null, shown]).toEqual([
              text && true,
              [isOffered && !isOn ? isBusy : undefined, isOn ? isBusy : undefined],
            ])
          },
        )
        inbox.unmount()
      }
    },
    120_000,
  )

  it('leave a hidden tab without desktop notifications, and open the conversation that was clicked', async () => {
    const inbox = await show({ person: withPush, withToasts: true })
    for (const report of [
      { type: 'permission.changed', permission: 'granted' },
      { type: 'lead.gained' },
    ] satisfies NotificationReport[])
      await inbox.hearNotifications(report)
    await inbox.answer('loadSettings', savedOf({ sound: false }))
    await inbox.answer('readDevice', 'on')
    await inbox.answer('renewSubscription', subscribed)
    await inbox.tell({ type: 'tab.hidden' })
    await inbox.change([inserted('c2', 5)])
    expect(inbox.raised).toEqual(['hidden'])
    await inbox.hearPush({ type: 'push.commentsClicked', threadId: 't1' })
    await inbox.hearPush({ type: 'push.clicked', conversationId: 'c2' })
    expect(inbox.opened).toEqual(['/c2'])
    inbox.unmount()
  })

  it('are not offered by an API without the feature', async () => {
    const inbox = await show()
    await openDialog(inbox)
    await inbox.answer('loadSettings', { settings: null, version: 0 })
    expect([screen.queryByText('This device while the inbox is closed'), inbox.waiting('readDevice')]).toEqual([
      null,
      [],
    ])
    inbox.unmount()
  })
})

describe('The tests of the notifications together', () => {
  it('enter every state', () =>
    expect([
      ...coverage.statesMissed(),
      ...settingsCoverage.statesMissed(),
      ...pushCoverage.statesMissed(),
      ...news.statesMissed(),
    ]).toEqual([]))
  it('take every transition', () =>
    expect([
      coverage.transitionsMissed(),
      pushCoverage.transitionsMissed(),
      news.transitionsMissed(),
      settingsCoverage.transitionsMissed(),
    ]).toEqual([
      [],
      [],
      [],
      [
        // The confirmation dialog handles Escape itself.
        'notificationSettings.leaving -- dialog.dismissed --> notificationSettings.editing',
      ],
    ]))
})
