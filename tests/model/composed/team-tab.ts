import { vi } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { composeSession } from '../../../src/compose-session.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { isFiltered } from '../../../src/domain/list/list-query.ts'
import { newKey } from '../../../src/domain/new-key.ts'
import type { StoredDraft } from '../../../src/domain/send/draft.ts'
import type { Outgoing } from '../../../src/domain/send/outgoing.ts'
import type { ChannelName, ChannelReport } from '../../../src/domain/shell/changes.ts'
import type { ColleagueReport } from '../../../src/domain/thread/colleague-calls.ts'
import { selectRow } from '../../../src/machines/list/records.ts'
import { selectConnection } from '../../../src/machines/shell/realtime.ts'
import { selectPresent } from '../../../src/machines/thread/presence.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { ConversationView, StateDecision } from '../../../src/schemas/conversation-state.ts'
import { fakeServices, fakeSessionServices } from '../../fake-services.ts'
import { autoSyncOf } from '../dialogs-fixture.ts'
import { settled } from '../harness.ts'
import { customers, type Frame, pageId, staffIds, type TeamWorld, waits, walkStart } from './team-world.ts'

type Call = { serve: () => unknown; resolve: (answer: never) => void; reject: (error: unknown) => void }
type Channel = { name: ChannelName; report: (event: ChannelReport) => void; isOpen: boolean; isReady: boolean }

const noAnswer = () => new Failure({ kind: 'noAnswer', method: 'POST', path: '/any' })

/** One tab of one member of staff: the whole session over the world. The walk controls calls, frames and time. */
export function createTab(world: TeamWorld, staffId: (typeof staffIds)[number]) {
  const clock = new SimulatedClock()
  const user: AuthUser = {
    id: staffId,
    email: `${staffId}@example.com`,
    role: 'agent',
    permissions: [
      'conversations.read',
      'conversations.manage',
      'conversations.mark_read',
      'messages.send',
      'notes.write',
    ],
    features: ['conversation-states', 'authors', 'presence', 'notes', 'drafts', 'labels', 'assignee-filter'],
  }
  const outgoing = new Map<string, Outgoing>()
  const drafts = new Map<string, StoredDraft>()
  const faults: string[] = []
  let calls: Call[] = []
  let channels: Channel[] = []
  let frames: Frame[] = []
  let colleagues: ((report: ColleagueReport) => void) | null = null
  let isOnline = true
  let isLeaving = false
  world.listen((frame) => {
    // The server tells only those who are connected.
    if (isOnline) frames.push(frame)
  })

  const call = <Result>(serve: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      calls.push({ serve, resolve, reject })
    })
  const machine = composeSession(
    fakeSessionServices({
      conversations: {
        loadTop: (request) => call(() => world.loadTop(request, staffId)),
        loadPage: ({ query }) => call(() => world.loadTop({ query, count: 20 }, staffId)),
      },
      stats: { loadStats: () => call(world.loadStats) },
      pages: { loadPages: async () => [{ page_id: pageId, page_name: 'Bakery', is_active: true }] },
      autoSync: { loadStatus: async () => autoSyncOf() },
      messages: {
        findConversation: ({ id }) => call(() => world.findConversation(id)),
        isGone: async () => false,
        loadMessages: ({ conversationId }) => call(() => world.loadMessages(conversationId)),
        findNewest: ({ conversationId }) => call(() => world.loadMessages(conversationId).messages),
        markRead: ({ conversationId }) => call(() => world.markRead(conversationId)),
        findBestPage: async () => ({ pageId, reason: null }),
        findIdentity: async ({ userId }) => ({ psid: `psid-${userId}`, platform: null }),
        sendMessage: (order) => call(() => world.sendMessage(order)),
      },
      loadStates: async () => ({
        changeStates: (request) => call(() => world.changeStates(request, staffId)),
        loadTeam: async () => staffIds.map((id) => ({ id, name: id, is_active: true })),
      }),
      loadLabelService: async () => ({
        loadLabels: async () => [{ id: 'l1', name: 'VIP', colour: 'purple', keywords: [] }],
        saveLabel: () => new Promise(() => {}),
        deleteLabel: () => new Promise(() => {}),
        loadLabelUsage: () => new Promise(() => {}),
        changeClientLabels: () => new Promise(() => {}),
      }),
      loadServerDrafts: async () => ({
        loadDrafts: () => call(() => world.loadDrafts(staffId)),
        saveDraft: (save) => call(() => world.saveDraft(save, staffId)),
      }),
      loadColleagues: async () => ({
        renewPresence: async ({ id, tab, isTyping }) => {
          if (isOnline) world.isTyping(staffId, tab, id, isTyping)
          return []
        },
        endPresence: async () => {},
        loadNotes: (id) => call(() => world.loadNotes(id)),
        saveNote: (request) => call(() => world.saveNote(request, staffId)),
        deleteNote: () => new Promise(() => {}),
        loadCommentCount: async () => 0,
        takeCommentsInAddress: () => null,
        watch: (_, report) => {
          colleagues = report
          report({ type: 'channel.joined' })
          return () => {
            colleagues = null
          }
        },
      }),
      openChannel: ({ channel: name }, report) => {
        const channel: Channel = { name, report, isOpen: true, isReady: false }
        channels.push(channel)
        return () => {
          channel.isOpen = false
        }
      },
      outboxStorage: {
        load: async () => [...outgoing.values()],
        store: (_, send) => void outgoing.set(send.key, send),
        forget: (key) => void outgoing.delete(key),
        forgetAll: () => outgoing.clear(),
      },
      draftStorage: {
        store: ({ conversationId, draft, saved }) => {
          if (draft.text === '' && (saved?.version ?? null) === null) drafts.delete(conversationId)
          else
            drafts.set(
              conversationId,
              saved === undefined ? { conversationId, draft } : { conversationId, draft, saved },
            )
        },
        watch: (_, tell) => {
          for (const one of drafts.values()) tell({ type: 'draft.received', ...one })
          return () => {}
        },
        forgetAll: () => drafts.clear(),
      },
      isOnline: () => isOnline,
    }),
    { deviceCache: fakeServices().deviceCache, wasLeft: () => isLeaving },
  )

  const signIn = () => {
    const actor = createActor(machine, {
      systemId: 'session',
      clock,
      input: { user, now: () => walkStart + clock.now() },
    })
    actor.subscribe({ error: (error) => faults.push(`the session broke: ${String(error)}`) })
    return actor.start()
  }
  let session = signIn()
  const close = () => {
    session.stop()
    for (const channel of channels) channel.isOpen = false
    channels = []
    calls = []
    frames = []
  }

  const child = <Name extends keyof ReturnType<typeof session.getSnapshot>['children']>(name: Name) => {
    const actor = session.getSnapshot().children[name]
    if (!actor) throw new Error(`${name} does not run`)
    return actor
  }
  const draftContext = () => child('drafts').getSnapshot().context
  const textOf = (id: string) => draftContext().drafts.get(id)?.text ?? ''
  const otherTextOf = (id: string) => draftContext().differing.get(id)?.text ?? ''
  const type = (conversationId: string, text: string) => {
    child('drafts').send({ type: 'draft.changed', conversationId, draft: { id: newKey(), text, pageId: null } })
    session.system.get('laterParts').send({ type: 'reply.typed', text })
  }
  const open = (id: string) => session.send({ type: 'conversation.selected', id })
  const unsent = () => child('outbox').getSnapshot().context.outgoing
  const stateIn = (id: string) => selectRow(id)(child('records').getSnapshot())?.state

  return {
    staffId,
    faults,
    textOf,
    otherTextOf,
    unsent,
    open,
    type,
    isLive: () => selectConnection(child('realtime').getSnapshot()) === 'live',
    isAtRest: () => calls.length === 0 && frames.length === 0,
    /** Sends a text, as the composer does: an accepted text leaves the draft. Returns its key; null if it was not accepted. */
    send: (conversationId: string, text: string) => {
      const request = {
        conversationId,
        pageId,
        platform: null,
        text,
        draftId: newKey(),
        type: 'send.requested',
      } as const
      const before = unsent().length
      child('outbox').send(request)
      if (unsent().length !== before + 1) return null
      type(conversationId, '')
      return unsent().at(-1)?.key ?? null
    },
    retry: () => {
      for (const { key, status } of unsent())
        if (status !== 'pending') child('outbox').send({ type: 'send.retried', key })
    },
    decide: (id: string, decision: StateDecision) => session.send({ type: 'change.requested', ids: [id], decision }),
    undo: () => session.send({ type: 'undo.requested' }),
    chooseView: (view: ConversationView) => session.send({ type: 'view.chosen', view }),
    chooseAssignee: (assignedTo: string | undefined) =>
      child('conversations').send({ type: 'filter.chosen', filter: { assignedTo } }),
    settleDrafts: () => {
      for (const conversationId of customers)
        child('drafts').send({ type: 'difference.settled', conversationId, choice: 'both' })
    },
    /** Writes a note to the open conversation. */
    note: (text: string) => {
      const notes = session.system.get('notes')
      notes?.send({ type: 'note.typed', text })
      notes?.send({ type: 'note.submitted', members: [] })
    },
    pass: (milliseconds: number) => clock.increment(milliseconds),
    /** Every channel joins and every call is answered; offline, they fail. */
    answer: () => {
      if (isOnline)
        for (const channel of channels.filter(({ isOpen, isReady }) => isOpen && !isReady)) {
          channel.isReady = true
          channel.report({ type: 'channel.subscribed', channel: channel.name })
          channel.report({ type: 'channel.ready', channel: channel.name })
        }
      for (const { serve, resolve, reject } of calls.splice(0)) {
        if (isOnline) resolve(serve() as never)
        else reject(noAnswer())
      }
    },
    /** The server executes the calls, and their answers are lost. */
    loseAnswers: () => {
      for (const { serve, reject } of calls.splice(0)) {
        if (isOnline) serve()
        reject(noAnswer())
      }
    },
    deliver: () => {
      const ready = (name: ChannelName) =>
        channels.findLast((channel) => channel.isOpen && channel.name === name && channel.isReady)
      for (const frame of frames.splice(0)) {
        if ('messages' in frame) ready('messages')?.report({ type: 'messages.received', changes: [frame.messages] })
        else if ('states' in frame) ready('users')?.report({ type: 'states.received', changes: [frame.states] })
        else colleagues?.(frame.colleagues)
      }
    },
    setOnline: (online: boolean) => {
      if (isOnline === online) return
      isOnline = online
      if (online) {
        session.send({ type: 'browser.online' })
        colleagues?.({ type: 'channel.joined' })
        return
      }
      frames = []
      session.send({ type: 'browser.offline' })
      for (const channel of channels.filter(({ isOpen }) => isOpen)) {
        channel.isReady = false
        channel.report({ type: 'channel.failed', channel: channel.name })
      }
    },
    reload: () => {
      close()
      session = signIn()
    },
    /** Signs out if nothing would be lost, as the question before a sign-out counts it, and signs in again. */
    signOut: () => {
      const isUnsaved = customers.some(
        (id) => textOf(id).trim() !== '' && textOf(id) !== (draftContext().saved.get(id)?.text ?? ''),
      )
      if (isUnsaved || unsent().length > 0) return
      isLeaving = true
      close()
      isLeaving = false
      outgoing.clear()
      drafts.clear()
      session = signIn()
    },
    /** The parts for colleagues have started. */
    areColleaguesReady: async () => {
      for (let round = 0; round < 20 && session.system.get('notes') === undefined; round += 1) {
        await vi.dynamicImportSettled()
        await settled()
      }
      if (session.system.get('notes') === undefined) throw new Error('the parts for colleagues did not start')
    },

    /** Customers who wait as far as this tab knows and are missing from its view Waiting, which no fetch will bring. */
    missing: (): string[] => {
      const list = child('conversations').getSnapshot()
      const { query, order, stale } = list.context
      if (query.view !== 'waiting' || isFiltered(query) || !list.matches('loaded')) return []
      // The list is being fetched again, or will be within a second.
      if (stale.depth !== 'none' || list.matches({ loaded: { freshness: 'refreshing' } })) return []
      return customers.filter((id) => {
        const state = stateIn(id)
        return state !== undefined && waits(state) && !order.includes(id)
      })
    },
    stateIn,
    order: () => child('conversations').getSnapshot().context.order,
    /** The members of staff whom the open conversation shows as present. */
    present: (): string[] => {
      const presence = session.system.get('presence')
      return presence === undefined
        ? []
        : selectPresent(presence.getSnapshot()).map((one: { staffId: string }) => one.staffId)
    },
    stop: close,
  }
}

export type Tab = ReturnType<typeof createTab>
