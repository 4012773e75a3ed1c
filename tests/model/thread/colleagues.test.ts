import { describe, expect, it } from 'vitest'
import type { AnyActorLogic, AnyActorRef } from 'xstate'
import { createActor, fromCallback, fromPromise, SimulatedClock, setup } from 'xstate'
import type { CommentAnswer } from '../../../src/domain/comments/answers.ts'
import type { ChangeStatesRequest, ChangeStatesResult } from '../../../src/domain/list/state-changes.ts'
import type { AttachedFile } from '../../../src/domain/send/attached-files.ts'
import type { ReplyUse } from '../../../src/domain/send/saved-reply-calls.ts'
import type { ColleagueReport, NoteRequest, PresenceRequest } from '../../../src/domain/thread/colleague-calls.ts'
import { generalToasts } from '../../../src/domain/toasts.ts'
import { clientSuggestionsMachine } from '../../../src/machines/client/client-suggestions.ts'
import { summaryCheckMachine } from '../../../src/machines/client/summary-check.ts'
import { answersMachine } from '../../../src/machines/comments/answers.ts'
import { commentNewsMachine } from '../../../src/machines/comments/comment-news.ts'
import { pictureRenewalMachine } from '../../../src/machines/list/picture-renewal.ts'
import { recordsMachine } from '../../../src/machines/list/records.ts'
import { savedFiltersMachine } from '../../../src/machines/list/saved-filters.ts'
import { stateChangesMachine } from '../../../src/machines/list/state-changes.ts'
import { attachedFilesMachine } from '../../../src/machines/send/attached-files.ts'
import { goneConversationsMachine } from '../../../src/machines/send/gone-conversations.ts'
import { replyHelpMachine } from '../../../src/machines/send/reply-help.ts'
import { savedRepliesMachine } from '../../../src/machines/send/saved-replies.ts'
import { type LaterPart, laterPartsMachine } from '../../../src/machines/shell/later-parts.ts'
import { notificationsMachine } from '../../../src/machines/shell/notifications.ts'
import { colleaguesMachine } from '../../../src/machines/thread/colleagues.ts'
import { collisionMachine, selectAskedAbout } from '../../../src/machines/thread/collision.ts'
import { messagePrefetchMachine } from '../../../src/machines/thread/message-prefetch.ts'
import { messagesAroundMachine } from '../../../src/machines/thread/messages-around.ts'
import {
  notesMachine,
  selectDeletingNote,
  selectIsSavingNote,
  selectNoteText,
} from '../../../src/machines/thread/notes.ts'
import { presenceMachine, selectPresent } from '../../../src/machines/thread/presence.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { Message } from '../../../src/schemas/message.ts'
import type { Note } from '../../../src/schemas/note.ts'
import type { SavedNotificationSettings } from '../../../src/schemas/notification-settings.ts'
import type { Colleague } from '../../../src/schemas/presence.ts'
import type { SavedFilters } from '../../../src/schemas/saved-filter.ts'
import { createControl, createCoverage, createToastLog, followByHand, settled } from '../harness.ts'
import { faults, messageIn, row, stateOf } from '../inbox-fixture.ts'

const presenceCoverage = createCoverage(presenceMachine)
const collisionCoverage = createCoverage(collisionMachine)
const notesCoverage = createCoverage(notesMachine)
const colleaguesCoverage = createCoverage(colleaguesMachine)
const replyHelpCoverage = createCoverage(replyHelpMachine)
const laterPartsCoverage = createCoverage(laterPartsMachine)

const user: AuthUser = {
  id: 's1',
  email: 'ana@example.com',
  role: 'agent',
  permissions: [],
  features: ['authors', 'presence', 'notes'],
}
const members = [
  { id: 's1', name: 'Ana Reyes', is_active: true },
  { id: 's2', name: 'Ben Cruz', is_active: true },
]

const noteOf = (id: string, text: string, more: Partial<Note> = {}): Note => ({
  id,
  primary_user_id: 'c1',
  staff_id: 's2',
  text,
  mentions: [],
  created_at: `2026-01-15T12:0${id.length % 10}:00.000Z`,
  ...more,
})
const colleague = (id: string, more: Partial<Colleague> = {}): Colleague => ({
  id,
  staff_id: 's2',
  is_typing: false,
  remaining: 8_000,
  ...more,
})

/**
 * Starts the whole part with controlled calls, beside records that hold the conversations c1 and c2. `stored`: the typed
 * notes in the browser's storage, by conversation.
 */
function start(person: AuthUser = user, stored: Record<string, string> = {}) {
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const presence = createControl<readonly Colleague[], PresenceRequest>()
  const load = createControl<readonly Note[], { id: string }>()
  const save = createControl<Note, NoteRequest>()
  const remove = createControl<void, { id: string }>()
  const uses = createControl<void, ReplyUse>()
  const filters = createControl<SavedFilters>()
  const states = createControl<readonly ChangeStatesResult[], ChangeStatesRequest>()
  const code = createControl<AnyActorLogic, { part: LaterPart }>()
  /** The same for the parts that need no feature. */
  const alwaysOffered = {
    pictureRenewal: createControl<AnyActorLogic, { part: LaterPart }>(),
    messagePrefetch: createControl<AnyActorLogic, { part: LaterPart }>(),
    goneConversations: createControl<AnyActorLogic, { part: LaterPart }>(),
  }
  const left: string[] = []
  const tables: unknown[] = []
  const told: unknown[] = []
  const raised: string[] = []
  const heard: Record<LaterPart, string[]> = {
    colleagues: [],
    replyHelp: [],
    stateChanges: [],
    summaryCheck: [],
    around: [],
    clientSuggestions: [],
    notifications: [],
    attachedFiles: [],
    answers: [],
    pictureRenewal: [],
    messagePrefetch: [],
    goneConversations: [],
  }
  let report = (_: ColleagueReport) => {}
  let keys = 0
  const colleagues = colleaguesMachine.provide({
    actors: {
      watchColleagues: fromCallback(({ input, sendBack }) => {
        tables.push(input.tables)
        report = sendBack
      }),
      savedFilters: savedFiltersMachine.provide({ actors: { loadFilters: filters.logic } }),
      commentNews: commentNewsMachine.provide({
        actors: { readAddress: fromCallback(() => {}), openComments: fromCallback(() => {}) },
      }),
      presence: presenceMachine.provide({
        actors: { renewPresence: presence.logic },
        actions: { 'tell that this tab left': (_, { tab }) => void left.push(tab) },
      }),
      notes: notesMachine.provide({
        actors: {
          loadNotes: load.logic,
          saveNote: save.logic,
          deleteNote: remove.logic,
          watchTexts: fromCallback(({ sendBack }) => {
            for (const [conversationId, text] of Object.entries(stored))
              sendBack({ type: 'note.received', conversationId, text })
          }),
        },
        actions: {
          'store the text': (_, { conversationId, text }) => {
            stored[conversationId] = text
          },
        },
      }),
    },
  })
  const replyHelp = replyHelpMachine.provide({
    actors: { savedReplies: savedRepliesMachine.provide({ actors: { countUse: uses.logic } }) },
  })
  const notifications = notificationsMachine.provide({
    actors: {
      loadSettings: createControl<SavedNotificationSettings>().logic,
      watchBrowser: fromCallback(({ sendBack }) => sendBack({ type: 'permission.changed', permission: 'granted' })),
    },
    actions: {
      'play the sound': () => {},
      'show the notices': (_, { notices }) => void raised.push(...notices.map(({ title }) => title)),
      'close the notice': () => {},
    },
  })
  const logics = {
    colleagues,
    replyHelp,
    stateChanges: stateChangesMachine.provide({ actors: { changeStates: states.logic } }),
    summaryCheck: summaryCheckMachine,
    around: messagesAroundMachine,
    clientSuggestions: clientSuggestionsMachine,
    notifications,
    attachedFiles: attachedFilesMachine.provide({
      actors: {
        loadFiles: createControl<readonly AttachedFile[], { staffId: string }>().logic,
        watchBrowser: fromCallback(() => {}),
      },
    }),
    answers: answersMachine.provide({
      actors: { loadAnswers: createControl<readonly CommentAnswer[], { staffId: string }>().logic },
    }),
  } as unknown as Record<LaterPart, AnyActorLogic>
  const root = createActor(
    setup({
      actors: {
        records: recordsMachine,
        laterParts: laterPartsMachine.provide({
          actors: {
            loadPart: fromPromise(({ input, signal }) =>
              (input.part in alwaysOffered ? alwaysOffered[input.part as keyof typeof alwaysOffered] : code).call(
                input,
                signal,
              ),
            ),
          },
        }),
      },
    }).createMachine({
      id: 'session',
      invoke: [
        { src: 'records', id: 'records', systemId: 'records' },
        {
          src: 'laterParts',
          id: 'laterParts',
          systemId: 'laterParts',
          input: { user: person, newKey: () => `key-${++keys}`, now: () => clock.now() },
        },
      ],
    }),
    {
      clock,
      systemId: 'session',
      inspect: (event) => {
        presenceCoverage.inspect(event)
        collisionCoverage.inspect(event)
        notesCoverage.inspect(event)
        colleaguesCoverage.inspect(event)
        replyHelpCoverage.inspect(event)
        laterPartsCoverage.inspect(event)
        toastLog.inspect(event)
        if (event.type === '@xstate.event' && (event.sourceRef as AnyActorRef | undefined)?.id === 'laterParts') {
          const { id } = event.actorRef as AnyActorRef
          if (id in heard && event.event.type !== 'xstate.init') heard[id as LaterPart].push(event.event.type)
        }
        if (
          event.type === '@xstate.event' &&
          event.actorRef.sessionId === event.rootId &&
          /labels\.|clientData\.|comments\./i.test(event.event.type)
        )
          told.push(event.event)
      },
    },
  ).start()
  root.system
    .get('records')
    .send({ type: 'conversations.fetched', rows: [row('c1', 1, { state: stateOf(1) }), row('c2', 2)], asOf: 0 })
  const part = (name: string) => root.system.get(name)
  return {
    filters,
    states,
    presence,
    load,
    save,
    remove,
    uses,
    code,
    alwaysOffered,
    left,
    tables,
    told,
    raised,
    /** The types of the events that each part was told. */
    forwarded: () => heard,
    stored,
    toasts: toastLog.toasts,
    part,
    snapshot: (name: string) => part(name)?.getSnapshot(),
    tell: (event: object) => part('laterParts').send(event),
    hear: async (event: ColleagueReport) => {
      report(event)
      await settled()
    },
    pass: async (milliseconds: number) => {
      clock.increment(milliseconds)
      await settled()
    },
    /** The code of these parts arrives; of all requested parts, if none is named. */
    ready: async (...parts: LaterPart[]) => {
      for (const { input, resolve } of code.calls)
        if (parts.length === 0 || parts.includes(input.part)) resolve(logics[input.part])
      await settled()
    },
    stop: () => root.stop(),
  }
}

async function opened(stored: Record<string, string> = {}) {
  const sut = start(user, stored)
  await sut.ready()
  sut.tell({ type: 'conversation.opened', id: 'c1' })
  await settled()
  return sut
}

describe('The code of the parts that the first rows do not need', () => {
  it('is loaded from an API without features if it needs none, and again after a failure', async () => {
    const sut = start({ ...user, features: [] })
    const { pictureRenewal, messagePrefetch, goneConversations } = sut.alwaysOffered
    const controls = [pictureRenewal, messagePrefetch, goneConversations]
    for (const control of controls) await control.reject(new Error('no code'))
    await sut.pass(30_000)
    await pictureRenewal.resolve(pictureRenewalMachine)
    await messagePrefetch.resolve(messagePrefetchMachine)
    await goneConversations.resolve(goneConversationsMachine)
    const names = ['pictureRenewal', 'messagePrefetch', 'goneConversations']
    expect(names.map((name) => sut.part(name))).toEqual(names.map(() => expect.anything()))
    expect([controls.map(({ calls }) => calls.length), sut.code.inputs()]).toEqual([[2, 2, 2], []])
    sut.stop()
  })

  it('is not loaded from an API without the features, until a confirmed user has them', async () => {
    const sut = start({ ...user, features: ['reports'] })
    sut.tell({ type: 'conversation.opened', id: 'c1' })
    sut.tell({ type: 'tab.hidden' })
    sut.tell({ type: 'tab.shown' })
    sut.tell({ type: 'conversation.closed' })
    sut.tell({ type: 'conversation.opened', id: 'c1' })
    expect([sut.code.calls.length, sut.part('presence')]).toEqual([0, undefined])
    sut.tell({ type: 'user.confirmed', user })
    await sut.ready()
    expect(sut.presence.inputs()).toEqual([{ id: 'c1', tab: 'key-1', isTyping: false }])
    sut.stop()
  })

  it('is loaded again 30 s after a failure, and starts only the parts that the API offers', async () => {
    const sut = start({ ...user, features: ['authors'] })
    await sut.code.reject(new Error('no code'))
    await sut.pass(29_999)
    expect(sut.code.calls).toHaveLength(1)
    await sut.pass(1)
    await sut.ready()
    expect(sut.code.inputs()).toEqual([{ part: 'colleagues' }, { part: 'colleagues' }])
    expect(['presence', 'notes', 'collision'].map((name) => sut.part(name) !== undefined)).toEqual([false, false, true])
    sut.stop()
  })

  it('starts the notifications if the API offers them, and tells them what they need', async () => {
    const sut = start({ ...user, features: ['notifications', 'notes'] })
    await sut.ready()
    const context = () => sut.snapshot('notifications').context
    sut.tell({ type: 'tab.hidden' })
    sut.tell({ type: 'conversation.opened', id: 'c1' })
    sut.tell({ type: 'settings.saved', saved: { settings: null, version: 3 } })
    expect([context().id, context().isHidden, context().saved]).toEqual(['c1', true, { settings: null, version: 3 }])
    sut.part('notifications').send({ type: 'lead.gained' })
    sut.tell({ type: 'messages.announced', senders: [{ id: 'c2', name: 'Ana', line: 'Opo' }] })
    const state = stateOf(2, { returned_at: new Date(0).toISOString() })
    sut.tell({ type: 'states.changed', changes: [{ id: 'c2', state, changedBy: null }] })
    await sut.hear({ type: 'note.changed', change: { type: 'INSERT', note: noteOf('1', 'x', { mentions: ['s1'] }) } })
    sut.tell({ type: 'conversation.closed' })
    sut.tell({ type: 'tab.shown' })
    expect([sut.raised, context().id, context().isHidden]).toEqual([
      ['New message from Ana', 'Person c2 is back from snooze', 'A colleague mentioned you in a note'],
      null,
      false,
    ])
    sut.stop()
  })

  it('is loaded part by part, so that presence and notes do not wait for notifications and saved replies', async () => {
    const sut = start({ ...user, features: ['presence', 'notes', 'saved-replies', 'notifications'] })
    const running = () =>
      ['presence', 'notes', 'savedReplies', 'notifications'].map((name) => sut.part(name) !== undefined)
    await sut.ready('colleagues')
    expect(running()).toEqual([true, true, false, false])
    await sut.ready('replyHelp')
    expect(running()).toEqual([true, true, true, false])
    await sut.ready('notifications')
    expect(running()).toEqual([true, true, true, true])
    sut.stop()
  })

  it('tells a part that arrives after others what is open and whether the tab is hidden by then', async () => {
    const sut = start({ ...user, features: ['notes', 'notifications'] })
    await sut.ready('colleagues')
    sut.tell({ type: 'conversation.opened', id: 'c1' })
    sut.tell({ type: 'tab.hidden' })
    await sut.ready('notifications')
    const { id, isHidden } = sut.snapshot('notifications').context
    expect([id, isHidden]).toEqual(['c1', true])
    sut.stop()
  })

  it('knows what was typed before the code of colleagues arrived, so that their answers and this person are noticed', async () => {
    const sut = start()
    sut.tell({ type: 'conversation.opened', id: 'c1' })
    for (const text of ['500', '500 po']) sut.tell({ type: 'reply.typed', text })
    await sut.ready()
    expect(sut.forwarded().colleagues).toEqual(['reply.typed'])
    await sut.presence.resolve([])
    expect(sut.presence.inputs().at(-1)).toEqual({ id: 'c1', tab: 'key-1', isTyping: true })
    const answer = messageIn('c1', 9, { direction: 'outgoing', author: { kind: 'staff', id: 's2' } })
    sut.tell({ type: 'messages.changed', changes: [{ type: 'INSERT', record: answer }] })
    sut.part('collision').send({ type: 'send.held' })
    expect(selectAskedAbout(sut.snapshot('collision'))).toEqual([answer])
    sut.stop()
  })

  it('forgets what was typed with the conversation', async () => {
    const sut = start()
    sut.tell({ type: 'conversation.opened', id: 'c1' })
    sut.tell({ type: 'reply.typed', text: '500 po' })
    sut.tell({ type: 'conversation.closed' })
    await sut.ready()
    expect(sut.forwarded().colleagues).toEqual([])
    sut.stop()
  })

  it('opens comments that a notification asked for before their code arrived, once', async () => {
    const sut = start({ ...user, features: ['comments', 'notifications'] })
    await sut.ready('notifications')
    for (const threadId of ['t1', 't2']) sut.tell({ type: 'comments.requested', threadId })
    expect(sut.forwarded().colleagues).toEqual([])
    await sut.ready('colleagues')
    expect(sut.forwarded().colleagues).toEqual(['comments.requested'])
    expect(sut.snapshot('commentNews').context.threadId).toBe('t2')
    sut.tell({ type: 'comments.requested', threadId: 't3' })
    await sut.ready()
    expect(sut.forwarded().colleagues).toEqual(['comments.requested', 'comments.requested'])
    expect(sut.snapshot('commentNews').context.threadId).toBe('t3')
    sut.stop()
  })

  it('makes the changes of conversations that were asked for before its code arrived, in their order', async () => {
    const sut = start({ ...user, features: ['conversation-states'] })
    const changes = [{ done: true }, { muted: true }].map((decision) => ({
      type: 'change.requested',
      ids: ['c1'],
      decision,
    }))
    for (const change of changes) sut.tell(change)
    await sut.ready()
    expect(sut.snapshot('stateChanges').context.queue).toMatchObject(
      changes.map(({ ids, decision }) => ({ ids, decision })),
    )
    expect(sut.states.calls).toHaveLength(1)
    sut.stop()
  })

  it.each([
    ['conversation-states', { type: 'change.requested', ids: ['c1'], decision: { done: true } }, 'stateChanges'],
    ['conversation-states', { type: 'undo.requested' }, 'stateChanges'],
    ['notes', { type: 'comments.requested', threadId: 't1' }, 'colleagues'],
  ] as const)(
    'says, for %s, that a request cannot be met without its code, forgets the request, and loads the code for the next one',
    async (feature, request, part) => {
      const sut = start({ ...user, features: [feature] })
      sut.tell(request)
      await sut.code.reject(new Error('no code'))
      expect(sut.toasts).toEqual([generalToasts.network])
      sut.tell(request)
      await sut.ready()
      expect(sut.forwarded()[part]).toEqual([request.type])
      sut.stop()
    },
  )

  it.each([
    ['saved-replies', 'replyHelp'],
    ['reactions', 'replyHelp'],
    ['conversation-states', 'stateChanges'],
    ['notifications', 'notifications'],
    ['summaries', 'summaryCheck'],
    ['search', 'around'],
    ['client-suggestions', 'clientSuggestions'],
    ['files', 'attachedFiles'],
  ] as const)('is loaded again after a failure, for %s alone', async (feature, part) => {
    const sut = start({ ...user, features: [feature] })
    await sut.code.reject(new Error('no code'))
    await sut.pass(30_000)
    expect(sut.code.inputs()).toEqual([{ part }, { part }])
    await sut.ready()
    expect(sut.part(part)).toBeDefined()
    sut.stop()
  })

  it('is loaded again after a failure of the answers to comments, without the others', async () => {
    const sut = start({ ...user, features: ['comments'] })
    await sut.code.reject(new Error('no code'))
    await sut.pass(30_000)
    expect(sut.code.inputs()).toEqual([{ part: 'colleagues' }, { part: 'answers' }, { part: 'answers' }])
    await sut.ready('answers')
    expect(sut.part('answers')).toBeDefined()
    sut.stop()
  })

  it('tells each part what the part needs, and nothing before its code arrived', async () => {
    const sut = start({
      ...user,
      features: ['presence', 'saved-replies', 'notifications', 'summaries', 'search', 'files', 'comments', 'labels'],
    })
    const events = [
      { type: 'conversation.gone', id: 'c9' },
      { type: 'conversation.opened', id: 'c1' },
      { type: 'reply.typed', text: 'Hi' },
      { type: 'prefetch.requested', id: 'c1', pageId: null, openId: null },
      { type: 'messages.changed', changes: [] },
      { type: 'users.changed', changes: [] },
      { type: 'messages.fetched', messages: [] },
      { type: 'message.sent', conversationId: 'c1', message: messageIn('c1', 1) },
      { type: 'messages.announced', senders: [] },
      { type: 'states.changed', changes: [] },
      { type: 'settings.saved', saved: { settings: null, version: 1 } },
      { type: 'refetch.requested' },
      { type: 'comments.requested', threadId: 't1' },
      { type: 'change.requested', ids: ['c9'], decision: { done: true } },
      { type: 'undo.requested' },
      { type: 'resync.requested' },
      { type: 'resync.done' },
      { type: 'tab.hidden' },
      { type: 'tab.shown' },
      { type: 'browser.online' },
      { type: 'conversation.closed' },
    ]
    for (const event of events) sut.tell(event)
    expect(sut.forwarded()).toEqual({
      colleagues: [],
      replyHelp: [],
      stateChanges: [],
      summaryCheck: [],
      around: [],
      clientSuggestions: [],
      notifications: [],
      attachedFiles: [],
      answers: [],
      pictureRenewal: [],
      messagePrefetch: [],
      goneConversations: [],
    })
    await sut.ready()
    await sut.alwaysOffered.messagePrefetch.resolve(messagePrefetchMachine)
    await sut.alwaysOffered.goneConversations.resolve(goneConversationsMachine)
    for (const event of events) sut.tell(event)
    const both = ['conversation.opened', 'messages.changed', 'refetch.requested', 'tab.hidden', 'tab.shown']
    const expected = {
      colleagues: [
        ...both,
        'reply.typed',
        'messages.fetched',
        // The first request was kept.
        'comments.requested',
        'comments.requested',
        'conversation.closed',
        'conversation.gone',
      ],
      replyHelp: ['message.sent'],
      // The first requests were kept.
      stateChanges: ['change.requested', 'undo.requested', 'change.requested', 'undo.requested'],
      summaryCheck: ['conversation.opened', 'conversation.closed'],
      around: [
        'conversation.opened',
        'messages.changed',
        'refetch.requested',
        'resync.requested',
        'conversation.closed',
      ],
      clientSuggestions: [],
      notifications: [...both, 'messages.announced', 'states.changed', 'settings.saved', 'conversation.closed'],
      attachedFiles: ['conversation.gone'],
      answers: ['browser.online'],
      pictureRenewal: [],
      messagePrefetch: [
        'prefetch.requested',
        'messages.changed',
        'users.changed',
        'refetch.requested',
        'resync.requested',
        'conversation.gone',
      ],
      goneConversations: ['resync.done'],
    }
    const sorted = (lists: Record<string, string[]>) =>
      Object.fromEntries(Object.entries(lists).map(([part, types]) => [part, types.toSorted()]))
    expect(sorted(sut.forwarded())).toEqual(sorted(expected))
    sut.stop()
  })

  it('opens a lost channel again after 2, 4 and at most 30 s, and loads the notes again', async () => {
    const sut = await opened()
    await sut.load.resolve([])
    for (const wait of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      await sut.hear({ type: 'channel.lost' })
      expect(sut.snapshot('colleagues').value).toBe('lost')
      await sut.pass(wait)
      expect(sut.snapshot('colleagues').value).toBe('watching')
    }
    await sut.hear({ type: 'channel.joined' })
    expect(sut.load.calls).toHaveLength(2)
    expect(sut.told).toEqual([
      { type: 'labels.invalidated' },
      { type: 'clientData.changed', clientIds: null },
      { type: 'comments.changed', thread: null },
    ])
    sut.stop()
  })

  it('subscribes to the tables that the API offers, and passes on what happened to labels, clients and comments', async () => {
    const sut = start({
      ...user,
      features: ['labels', 'csv-import', 'saved-filters', 'comments'],
      permissions: ['clients.read'],
    })
    await sut.ready()
    await sut.hear({ type: 'channel.joined' })
    await sut.hear({ type: 'label.changed' })
    const labels = { version: 2, label_ids: ['l1'] }
    await sut.hear({ type: 'clientLabels.changed', clientId: 'k1', labels })
    await sut.hear({ type: 'clientData.changed', clientIds: ['k1'] })
    const news = { threadId: 't1', name: 'Ana Reyes', line: 'Magkano po?' }
    const comment = { type: 'comments.changed' as const, thread: { id: 't1', postId: 'post-1', isWaiting: true, news } }
    await sut.hear(comment)
    sut.tell({ type: 'comments.requested', threadId: 't1' })
    expect(sut.snapshot('commentNews').context).toMatchObject({ news: [news], threadId: 't1' })
    expect([sut.tables, sut.told]).toEqual([
      [['labels', 'client_labels', 'saved_filter_versions', 'comment_threads', 'client_changes']],
      [
        { type: 'labels.invalidated' },
        { type: 'clientLabels.told', clientId: 'k1', labels },
        { type: 'clientData.changed', clientIds: ['k1'] },
        comment,
      ],
    ])
    sut.stop()
  })
})

describe('Changes of clients, orders and payments', () => {
  it.each<[string, string[], string[], boolean]>([
    ['orders may be read', ['outstanding'], ['conversations.read', 'orders.read'], true],
    ['orders may not be read', ['outstanding'], ['conversations.read', 'clients.read'], false],
    ['the API has other permissions', ['outstanding'], ['inbox'], true],
    ['clients may be read and imported', ['csv-import'], ['conversations.read', 'clients.read'], true],
    ['clients may be read and changed', ['client-changes'], ['conversations.read', 'clients.read'], true],
    ['the API offers neither', ['labels'], ['conversations.read', 'clients.read', 'orders.read'], false],
  ])('are heard of only where an amount or a client is shown: %s', async (_, features, permissions, isHeard) => {
    const sut = start({ ...user, features: [...features, 'presence'], permissions })
    await sut.ready()
    expect(sut.tables.flat().includes('client_changes')).toBe(isHeard)
    sut.stop()
  })
})

describe('Saved filters', () => {
  it('are fetched again after a change of this person in another tab, and after the channel was lost', async () => {
    const sut = start({ ...user, features: ['saved-filters'] })
    await sut.ready()
    await sut.filters.resolve({ version: 2, filters: [] })
    const calls = () => sut.filters.calls.length
    await sut.hear({ type: 'channel.joined' })
    await sut.hear({ type: 'savedFilters.changed', staffId: 's2', version: 9 })
    await sut.hear({ type: 'savedFilters.changed', staffId: 's1', version: 2 })
    const before = calls()
    await sut.hear({ type: 'savedFilters.changed', staffId: 's1', version: 3 })
    await sut.filters.resolve({ version: 3, filters: [] })
    const changed = calls()
    sut.part('savedFilters').send({ type: 'savedFilters.told', saved: { version: 4, filters: [] } })
    await sut.hear({ type: 'savedFilters.changed', staffId: 's1', version: 4 })
    const own = calls()
    await sut.hear({ type: 'channel.lost' })
    await sut.pass(2_000)
    await sut.hear({ type: 'channel.joined' })
    expect([before, changed, own, calls()]).toEqual([1, 2, 2, 3])
    sut.stop()
  })
})

describe('Saved replies and suggestions', () => {
  const started = async (person: Partial<AuthUser>) => {
    const sut = start({ ...user, features: ['saved-replies'], ...person })
    await sut.ready()
    const parts = ['savedReplies', 'faqSuggestions', 'presence'].map((name) => sut.part(name) !== undefined)
    return { sut, parts }
  }
  it.each([
    [
      'a person who may send and read the FAQ',
      ['conversations.read', 'messages.send', 'faq.read'],
      [true, true, false],
    ],
    ['a person who may not read the FAQ', ['conversations.read', 'messages.send'], [true, false, false]],
    ['a viewer', ['conversations.read', 'faq.read'], [false, false, false]],
    ['a person of an API with other permission names', ['other'], [true, true, false]],
  ])('start for %s', async (_, permissions, expected) => {
    const { sut, parts } = await started({ permissions })
    expect(parts).toEqual(expected)
    sut.stop()
  })

  it('hear which message was sent', async () => {
    const { sut } = await started({ permissions: ['messages.send', 'conversations.read'] })
    const replies = sut.part('savedReplies')
    replies.send({ type: 'reply.inserted', conversationId: 'c1', draftId: 'd', id: 'r1' })
    replies.send({ type: 'draft.accepted', conversationId: 'c1', draftId: 'd', text: 'Hi', pictures: [] })
    sut.tell({
      type: 'message.sent',
      conversationId: 'c1',
      message: messageIn('c1', 1, { message_text: 'Hi', idempotency_key: 'k' }),
    })
    expect(sut.uses.inputs()).toEqual([{ id: 'r1', key: 'k' }])
    sut.stop()
  })
})

describe('Presence', () => {
  const seen = (sut: Awaited<ReturnType<typeof opened>>) => selectPresent(sut.snapshot('presence'))
  const ben = { staffId: 's2', isTyping: false }

  it('is renewed every 3 s, shows each colleague once, and forgets those whom nothing renews', async () => {
    const sut = await opened()
    await followByHand(presenceMachine, [
      {
        name: 'the answer names two tabs of Ben',
        run: () => sut.presence.resolve([colleague('t1'), colleague('t2', { is_typing: true })]),
        check: () => expect(seen(sut)).toEqual([{ staffId: 's2', isTyping: true }]),
      },
      {
        name: 'realtime tells that one tab left, and that Cara came',
        run: async () => {
          await sut.hear({ type: 'presence.changed', change: { type: 'DELETE', id: 't2' } })
          const cara = { type: 'INSERT', id: 't3', staffId: 's3', conversationId: 'c1', isTyping: true } as const
          await sut.hear({ type: 'presence.changed', change: cara })
        },
        check: () => expect(seen(sut)).toEqual([ben, { staffId: 's3', isTyping: true }]),
      },
      {
        name: 'changes elsewhere and own tabs do not count, and Cara moves on',
        run: async () => {
          for (const [id, staffId, conversationId] of [
            ['t4', 's4', 'c2'],
            ['t5', 's1', 'c1'],
            ['t3', 's3', 'c2'],
            ['t6', 's6', 'not-loaded'],
          ] as const)
            await sut.hear({
              type: 'presence.changed',
              change: { type: 'UPDATE', id, staffId, conversationId, isTyping: false },
            })
        },
        check: () => expect(seen(sut)).toEqual([ben]),
      },
      {
        name: 'three renewals fail',
        run: async () => {
          for (let count = 0; count < 2; count += 1) {
            await sut.pass(3_000)
            await sut.presence.reject(faults.noAnswer)
          }
          await sut.pass(1_000)
        },
        check: () => expect([seen(sut), sut.presence.calls.length]).toEqual([[ben], 3]),
      },
      {
        name: 'nothing renewed Ben for 8 s',
        run: () => sut.pass(1_000),
        check: () => expect(seen(sut)).toEqual([]),
      },
    ])
    sut.stop()
  })

  it('tells at once that this person begins to write, and 5 s after the last key that they stopped', async () => {
    const sut = await opened()
    const told = () => sut.presence.inputs().map(({ isTyping }) => isTyping)
    sut.tell({ type: 'reply.typed', text: 'O' })
    await sut.presence.resolve([])
    expect(told()).toEqual([false, true])
    await sut.presence.resolve([])
    await sut.pass(2_900)
    sut.tell({ type: 'reply.typed', text: 'Op' })
    await sut.pass(2_900)
    await sut.presence.resolve([])
    sut.tell({ type: 'reply.typed', text: '' })
    await settled()
    expect(told()).toEqual([false, true, true, false])
    await sut.presence.resolve([])
    sut.tell({ type: 'reply.typed', text: 'A' })
    await settled()
    await sut.presence.resolve([])
    await sut.pass(3_000)
    await sut.presence.resolve([])
    await sut.pass(2_000)
    expect(told()).toEqual([false, true, true, false, true, true, false])
    sut.stop()
  })

  it('moves with the open conversation, and ends when the tab is hidden or the conversation closed', async () => {
    const sut = await opened()
    await sut.presence.resolve([colleague('t1')])
    sut.tell({ type: 'conversation.opened', id: 'c2' })
    await settled()
    expect([sut.presence.last().input, seen(sut), sut.left]).toEqual([
      { id: 'c2', tab: 'key-1', isTyping: false },
      [],
      [],
    ])
    sut.tell({ type: 'tab.hidden' })
    sut.tell({ type: 'tab.shown' })
    await settled()
    sut.tell({ type: 'conversation.closed' })
    expect([sut.left, sut.presence.calls.length, sut.snapshot('presence').value]).toEqual([
      ['key-1', 'key-1'],
      3,
      'away',
    ])
    sut.stop()
  })
})

describe('A collision', () => {
  const answer = (id: string, minute: number, more: Partial<Message> = {}) =>
    messageIn(more.primary_user_id ?? 'c1', minute, {
      message_id: id,
      direction: 'outgoing',
      author: { kind: 'staff', id: 's2' },
      ...more,
    })
  const insert = (...records: Message[]) => ({
    type: 'messages.changed',
    changes: records.map((record) => ({ type: 'INSERT', record })),
  })

  it('is an answer of somebody else since this person began to write; it is asked about once', async () => {
    const sut = await opened()
    const state = () => {
      const snapshot = sut.snapshot('collision')
      return [
        snapshot.matches({ writing: 'overtaken' }),
        selectAskedAbout(snapshot)?.map(({ message_id }) => message_id) ?? null,
      ]
    }
    const step = (name: string, events: object[], shown: unknown) => ({
      name,
      run: () => {
        for (const event of events) {
          const isOfPart = 'type' in event && ['send.held', 'edit.chosen'].includes(String(event.type))
          if (isOfPart) sut.part('collision').send(event)
          else sut.tell(event)
        }
      },
      check: () => expect(state()).toEqual(shown),
    })
    await followByHand(collisionMachine, [
      step('an answer before the first key', [insert(answer('m1', 20))], [false, null]),
      step('this person writes', [{ type: 'reply.typed', text: 'It is' }], [false, null]),
      step(
        'messages that are no answers of others',
        [
          insert(
            answer('m2', 31, { author: { kind: 'staff', id: 's1' } }),
            answer('m3', 32, { author: null }),
            answer('m4', 33, { idempotency_key: 'auto-reply:m1', author: { kind: 'automatic' } }),
            answer('m5', 34, { direction: 'incoming', author: null }),
            answer('m6', 35, { primary_user_id: 'c2' }),
            answer('m7', 0),
            answer('m8', 36, { is_historical: true }),
          ),
          { type: 'messages.changed', changes: [{ type: 'DELETE', messageId: 'm1' }] },
        ],
        [false, null],
      ),
      step('Ben answers', [insert(answer('m9', 40)), { type: 'reply.typed', text: 'It is 450' }], [true, null]),
      step('this person presses Send', [{ type: 'send.held' }], [false, ['m9']]),
      step(
        'an answer from outside is fetched meanwhile',
        [
          {
            type: 'messages.fetched',
            messages: [answer('m9', 40), answer('m10', 41, { author: { kind: 'outside' } })],
          },
        ],
        [false, ['m9', 'm10']],
      ),
      step('this person edits', [{ type: 'edit.chosen' }], [false, null]),
      step(
        'the same answers are fetched again',
        [{ type: 'messages.fetched', messages: [answer('m10', 41)] }],
        [false, null],
      ),
      step('the text is emptied', [insert(answer('m11', 50)), { type: 'reply.typed', text: '' }], [false, null]),
      step(
        'another conversation, and back',
        [
          { type: 'reply.typed', text: 'A' },
          { type: 'conversation.opened', id: 'c2' },
          { type: 'conversation.closed' },
          insert(answer('m12', 60)),
        ],
        [false, null],
      ),
    ])
    sut.stop()
  })
})

describe('Notes', () => {
  const texts = (sut: Awaited<ReturnType<typeof opened>>) =>
    sut.snapshot('notes').context.notes.map(({ text }: Note) => text)

  it('are loaded with the conversation, in the order of their times, with the changes that arrive meanwhile', async () => {
    const sut = await opened()
    await sut.hear({ type: 'note.changed', change: { type: 'INSERT', note: noteOf('333', 'third') } })
    await sut.hear({ type: 'note.changed', change: { type: 'DELETE', id: '1' } })
    await sut.load.resolve([noteOf('22', 'second'), noteOf('1', 'first')])
    await sut.hear({
      type: 'note.changed',
      change: { type: 'INSERT', note: noteOf('4444', 'elsewhere', { primary_user_id: 'not-loaded' }) },
    })
    expect(texts(sut)).toEqual(['second', 'third'])
    sut.tell({ type: 'conversation.opened', id: 'c2' })
    expect(texts(sut)).toEqual([])
    sut.tell({ type: 'conversation.closed' })
    expect(sut.load.calls.map(({ input }) => input.id)).toEqual(['c1', 'c2'])
    sut.stop()
  })

  it('are loaded again after a temporary failure, which is reported once, and when a person asks', async () => {
    const sut = await opened()
    await sut.load.reject(faults.noAnswer)
    await sut.pass(60_000)
    await sut.load.reject(faults.noAnswer)
    await sut.pass(60_000)
    await sut.load.reject(faults.refused)
    await sut.pass(60_000)
    expect(sut.load.calls).toHaveLength(3)
    sut.tell({ type: 'refetch.requested' })
    await sut.load.resolve([noteOf('1', 'first')])
    expect(texts(sut)).toEqual(['first'])
    expect(sut.toasts).toHaveLength(2)
    sut.stop()
  })

  it('are saved once by their id; the text stays through a failure and by conversation', async () => {
    const sut = await opened()
    const notes = () => sut.part('notes')
    const submit = async () => {
      notes().send({ type: 'note.submitted', members })
      await settled()
    }
    await submit()
    expect(sut.save.calls).toEqual([])
    notes().send({ type: 'note.typed', text: ' Ask @Ben Cruz ' })
    await submit()
    expect(selectIsSavingNote(sut.snapshot('notes'))).toBe(true)
    await sut.save.reject(faults.noAnswer)
    expect(sut.toasts).toHaveLength(1)
    await submit()
    const request = { conversationId: 'c1', id: 'key-2', text: 'Ask @Ben Cruz', mentions: ['s2'] }
    expect(sut.save.inputs()).toEqual([request, request])
    sut.tell({ type: 'conversation.opened', id: 'c2' })
    notes().send({ type: 'note.typed', text: 'Another' })
    await sut.save.resolve(noteOf('key-2', 'Ask @Ben Cruz', { staff_id: 's1' }))
    expect([texts(sut), selectNoteText(sut.snapshot('notes'))]).toEqual([[], 'Another'])
    sut.tell({ type: 'conversation.opened', id: 'c1' })
    expect(selectNoteText(sut.snapshot('notes'))).toBe('')
    expect(sut.stored).toEqual({ c1: '', c2: 'Another' })
    sut.stop()
  })

  it('that are typed survive a reload until their conversation is gone', async () => {
    const sut = await opened({ c1: 'Half a note', c2: 'Another', c3: ' ' })
    expect(selectNoteText(sut.snapshot('notes'))).toBe('Half a note')
    sut.tell({ type: 'conversation.gone', id: 'c1' })
    expect([selectNoteText(sut.snapshot('notes')), sut.stored]).toEqual(['', { c1: '', c2: 'Another', c3: ' ' }])
    sut.stop()
  })

  it('are deleted by their author; a failure keeps the note', async () => {
    const sut = await opened()
    await sut.load.resolve([noteOf('1', 'first')])
    for (const end of ['fails', 'succeeds']) {
      sut.part('notes').send({ type: 'note.removed', id: '1' })
      expect(selectDeletingNote(sut.snapshot('notes'))).toBe('1')
      if (end === 'fails') await sut.remove.reject(faults.noAnswer)
      else await sut.remove.resolve(undefined)
      expect([selectDeletingNote(sut.snapshot('notes')), texts(sut)]).toEqual([null, end === 'fails' ? ['first'] : []])
    }
    expect(sut.toasts).toHaveLength(1)
    sut.stop()
  })

  it('raise a toast for whoever is mentioned by somebody else', async () => {
    const sut = await opened()
    const change = async (note: Note) => sut.hear({ type: 'note.changed', change: { type: 'INSERT', note } })
    await change(noteOf('1', 'nobody'))
    await change(noteOf('2', 'own', { staff_id: 's1', mentions: ['s1'] }))
    await change(noteOf('3', 'for you', { mentions: ['s1'] }))
    await change(noteOf('4', 'x'.repeat(200), { mentions: ['s1'], primary_user_id: 'not-loaded' }))
    expect(sut.toasts).toEqual([
      { kind: 'info', text: 'A colleague mentioned you in a note about Person c1' },
      { kind: 'info', text: 'A colleague mentioned you in a note' },
    ])
    sut.stop()
  })
})

describe('Every state and transition is tested', () => {
  it('of presence', () =>
    expect([presenceCoverage.statesMissed(), presenceCoverage.transitionsMissed()]).toEqual([[], []]))
  it('of collisions', () =>
    expect([collisionCoverage.statesMissed(), collisionCoverage.transitionsMissed()]).toEqual([[], []]))
  it('of notes', () => expect([notesCoverage.statesMissed(), notesCoverage.transitionsMissed()]).toEqual([[], []]))
  it('of the channel', () =>
    expect([colleaguesCoverage.statesMissed(), colleaguesCoverage.transitionsMissed()]).toEqual([[], []]))
  it('of the help with replies', () =>
    expect([replyHelpCoverage.statesMissed(), replyHelpCoverage.transitionsMissed()]).toEqual([[], []]))
  it('of the loading', () =>
    // These are always offered.
    expect([laterPartsCoverage.statesMissed(), laterPartsCoverage.transitionsMissed()]).toEqual([
      ['pictureRenewal', 'messagePrefetch', 'goneConversations'].map((part) => `laterParts.${part}.notOffered`),
      [],
    ]))
})
