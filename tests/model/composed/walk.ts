import { type ActorRefFrom, createActor, fromPromise, SimulatedClock } from 'xstate'
import { composeSession } from '../../../src/compose-session.ts'
import { commentsDialogs } from '../../../src/dialogs/comments.ts'
import { type CommentAnswer, isSent } from '../../../src/domain/comments/answers.ts'
import { type CommentsChanged, hidingOf } from '../../../src/domain/comments/comment-calls.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { rowIdOf } from '../../../src/domain/list/conversation-row.ts'
import { likeHeart, textOfHeart } from '../../../src/domain/send/like-heart.ts'
import { mayHaveArrived, type Outgoing } from '../../../src/domain/send/outgoing.ts'
import { isQuotable, quoteOf } from '../../../src/domain/send/reply-target.ts'
import type { SendOrder } from '../../../src/domain/send/send-calls.ts'
import type { ChannelName } from '../../../src/domain/shell/changes.ts'
import type { ColleagueReport } from '../../../src/domain/thread/colleague-calls.ts'
import type { answersMachine } from '../../../src/machines/comments/answers.ts'
import { selectComment, selectReplyKind } from '../../../src/machines/comments/comment.ts'
import type { commentCountMachine } from '../../../src/machines/comments/comment-count.ts'
import { selectComments, selectThread } from '../../../src/machines/comments/comment-thread.ts'
import { selectOpenThread } from '../../../src/machines/comments/comments.ts'
import { selectHasFailed as selectListFailed, selectQuery } from '../../../src/machines/list/conversations.ts'
import { selectRow } from '../../../src/machines/list/records.ts'
import { selectUnreadMessages } from '../../../src/machines/list/stats.ts'
import { selectOutgoingIn } from '../../../src/machines/send/outbox-selectors.ts'
import { type DialogName, dialogMachine, type LoadedDialog, selectOpened } from '../../../src/machines/shell/dialog.ts'
import { selectConnection } from '../../../src/machines/shell/realtime.ts'
import {
  selectConversationId,
  selectHasFailed,
  selectIsInvalidated,
  selectMessages,
} from '../../../src/machines/thread/thread.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'
import type { StructuredContent } from '../../../src/schemas/structured-message.ts'
import { fakeServices, fakeSessionServices } from '../../fake-services.ts'
import { autoSyncOf } from '../dialogs-fixture.ts'
import { settled } from '../harness.ts'
import { commentWord, createCommentWorld, threadIdOf } from './comment-world.ts'
import { type Channel, createWorld, peopleIds, uploads } from './world.ts'

/** A step: an event, and the index of its subject among the possible ones. */
export type Step = { what: StepName; which: number }

type Call = {
  name: string
  serve: () => unknown
  answer: unknown
  /** What the server refused the call with. */
  refusal: Failure | null
  isServed: boolean
  resolve: (answer: never) => void
  reject: (error: unknown) => void
}

const start = Date.parse('2026-03-01T09:00:00.000Z')
const staffId = 's1'

const user: AuthUser = {
  id: staffId,
  email: 'ana@example.com',
  role: 'agent',
  permissions: [],
  features: ['comments', 'receipts'],
}

const failureOf = (name: string, kind: number): Failure => {
  const call = { method: name.startsWith('load') || name.startsWith('find') ? 'GET' : 'POST', path: `/${name}` }
  const status = [500, 503, 429, 403, 422][kind % 6]
  return status === undefined
    ? new Failure({ ...call, kind: 'noAnswer' })
    : new Failure({ ...call, kind: 'status', status })
}

/** The failures of which the client may conclude that the server did nothing. */
const isRefusal = (kind: number) => [2, 3, 4].includes(kind % 6)

/** The session with all its children and a simulated world. The walk controls everything between the two. */
function createHarness() {
  const clock = new SimulatedClock()
  const now = () => start + clock.now()
  const world = createWorld(now)
  const comments = createCommentWorld(world.privateReply)
  /** The comments that changed, which the channel of colleagues has not delivered yet. */
  let commentFrames: CommentsChanged[] = []
  let colleagues: ((report: ColleagueReport) => void) | null = null
  for (const person of peopleIds) comments.personComments(person)
  comments.listen((change) => {
    if (colleagues !== null) commentFrames.push(change)
  })
  const storedAnswers = new Map<string, CommentAnswer>()
  /** The answers to comments that staff asked to send, by their text. */
  const asked = new Map<string, { key: string; commentId: string; kind: string }>()
  /** The furthest receipts that each row has shown in this session. */
  const shownReceipts = new Map<string, string>()
  const stored = new Map<string, Outgoing>()
  /** The sends that staff requested, and those that staff discarded. */
  const meant = new Set<string>()
  const givenUp = new Set<string>()
  /** Those that may arrive after later ones: unconfirmed at some time, or retried by a person. */
  const mayBeLate = new Set<string>()
  let calls: Call[] = []
  const faults: string[] = []
  let isOnline = true
  let isLeaving = false
  let drafts = 0
  let keyLate = false
  /** The number of messages in chats that were checked for texts of comments. */
  let checkedMessages = 0
  /** Numbers the events, so that checks can compare their order. */
  let moment = 0
  const next = () => {
    moment += 1
    return moment
  }
  /** The number of the last incoming message event, by person. */
  const heardFrom = new Map<string, number>()
  /** The number of the last event after which messages may have been missed. */
  let gapAt = 0
  /** The look-ups of best pages, with the number of their request and the pages that may follow from their result. */
  const lookUps: { person: string; askedAt: number; pages: () => readonly string[] }[] = []
  /**
   * For each message: its person, its page (null is Auto-select), and the number after which a look-up counts for it.
   */
  const written = new Map<string, { person: string; pageId: string | null; since: number }>()

  const call =
    <Input, Answer>(name: string, serve: (input: Input) => Answer) =>
    (input: Input) =>
      new Promise<Answer>((resolve, reject) => {
        calls.push({
          name,
          serve: () => serve(input),
          answer: undefined,
          refusal: null,
          isServed: false,
          resolve,
          reject,
        })
      })
  /** A call without an input. */
  const plainCall = <Answer>(name: string, serve: () => Answer) => {
    const asked = call(name, serve)
    return () => asked(undefined)
  }

  /** A message must go to its person, from the chosen page or from a best page of a look-up that still counts. */
  const checkAddress = ({ key, pageId, psid }: SendOrder) => {
    const draft = written.get(key)
    if (!draft) return void faults.push(`${key} was written by nobody`)
    const { person, since } = draft
    if (psid !== world.psidOf(person, pageId)) faults.push(`a message to ${person} goes to ${psid} on ${pageId}`)
    const best = lookUps
      .filter((lookUp) => lookUp.person === person && lookUp.askedAt > since)
      .flatMap((lookUp) => lookUp.pages())
    const allowed = draft.pageId === null ? best : [draft.pageId]
    if (!allowed.includes(pageId))
      faults.push(`a message to ${person} goes out from ${pageId} and not from ${allowed.join(' or ')}`)
  }

  const services = fakeSessionServices({
    conversations: { loadTop: call('loadTop', world.loadTop), loadPage: call('loadPage', world.loadPage) },
    stats: { loadStats: call('loadStats', world.loadStats) },
    pages: { loadPages: plainCall('loadPages', world.loadPages) },
    loadColleagues: async () => ({
      renewPresence: async () => [],
      endPresence: async () => {},
      loadNotes: async () => [],
      saveNote: () => new Promise(() => {}),
      deleteNote: async () => {},
      loadCommentCount: plainCall('loadCommentCount', comments.count),
      takeCommentsInAddress: () => null,
      watch: (_, report) => {
        colleagues = report
        report({ type: 'channel.joined' })
        return () => {
          colleagues = null
        }
      },
    }),
    loadCommentService: async () => ({
      loadThreads: call('loadThreads', comments.loadThreads),
      loadThread: call('loadThread', comments.loadThread),
      finishThread: call('finishThread', comments.finishThread),
      changeComment: call('changeComment', comments.changeComment),
      findAnswer: call('findAnswer', comments.findAnswer),
      sendReply: (request) => {
        const { key, commentId, kind } = asked.get(request.message) ?? {}
        if (key !== request.key || commentId !== request.commentId || kind !== request.kind)
          faults.push(`the answer ${request.message} goes to ${request.commentId} in ${request.kind}`)
        return call('sendReply', comments.sendReply)(request)
      },
      decideSend: () => new Promise(() => {}),
      loadSale: () => new Promise(() => {}),
      saveSale: () => new Promise(() => {}),
    }),
    messages: {
      findConversation: call('findConversation', world.findConversation),
      isGone: call('isGone', (input) => world.findConversation(input) === null),
      loadMessages: call('loadMessages', world.loadMessages),
      markRead: call('markRead', world.markRead),
      findBestPage: async (input) => {
        const first = world.firstPageOf(input.userId)
        const [askedAt, leftAt] = [next(), clock.now()]
        let end: { at: number; pageId: string } | null = null
        /** The first page replaces an answer that failed or took longer than 30 s. */
        const pages = () => [
          ...(end === null ? [] : [end.pageId]),
          ...((end?.at ?? clock.now()) - leftAt >= 30_000 ? [first] : []),
        ]
        lookUps.push({ person: input.userId, askedAt, pages })
        const found = call('findBestPage', world.findBestPage)(input)
        const pageId = await found.then(
          (best) => best.pageId,
          () => first,
        )
        end = { at: clock.now(), pageId }
        return found
      },
      findIdentity: call('findIdentity', world.findIdentity),
      sendMessage: (order) => {
        // The outbox may send at once, before the walk has recorded the message: check afterwards.
        queueMicrotask(() => checkAddress(order))
        return call('sendMessage', (sent: SendOrder) => world.sendMessage(sent, keyLate))(order)
      },
      findNewest: call('findNewest', world.findNewest),
    },
    autoSync: { loadStatus: plainCall('loadStatus', () => autoSyncOf()) },
    openChannel: ({ channel: name }, report) => {
      const channel: Channel = {
        name,
        report,
        isOpen: true,
        standing: 'joining',
        subscribedAt: null,
        frames: [],
      }
      world.channels.push(channel)
      return () => {
        channel.isOpen = false
      }
    },
    outboxStorage: {
      load: async () => [...stored.values()],
      store: (_, send) => void stored.set(send.key, send),
      forget: (key) => void stored.delete(key),
      forgetAll: () => {
        stored.clear()
        storedAnswers.clear()
      },
      answers: {
        load: async () => [...storedAnswers.values()],
        store: (_, answer) => void storedAnswers.set(answer.key, answer),
        forget: (key) => void storedAnswers.delete(key),
      },
    },
    isOnline: () => isOnline,
  })
  const { loadTitle, loadMachine } = commentsDialogs.comments
  /** The dialog without its view. */
  const loadDialog = async () => {
    const [title, logic] = await Promise.all([loadTitle(), loadMachine(services)])
    return { name: 'comments', title, logic, View: () => null } as LoadedDialog
  }
  const machine = composeSession(services, {
    deviceCache: fakeServices().deviceCache,
    wasLeft: () => isLeaving,
  }).provide({
    actors: {
      dialog: dialogMachine.provide({
        actors: { loadDialog: fromPromise<LoadedDialog, { name: DialogName }>(loadDialog) },
        actions: { 'load ahead': () => {} },
      }),
    },
  })

  const signIn = () => {
    const actor = createActor(machine, {
      systemId: 'session',
      clock,
      input: { user, now },
    })
    actor.subscribe({ error: (error) => faults.push(`the session broke: ${String(error)}`) })
    return actor.start()
  }
  let session = signIn()

  const child = <Name extends keyof ReturnType<typeof session.getSnapshot>['children']>(name: Name) => {
    const actor = session.getSnapshot().children[name]
    if (!actor) throw new Error(`${name} does not run`)
    return actor
  }
  const thread = () => session.getSnapshot().children.thread
  const outbox = () => child('outbox')
  const outgoing = () => outbox().getSnapshot().context.outgoing
  const channelOf = (name: ChannelName) => world.channels.findLast((channel) => channel.isOpen && channel.name === name)

  const nth = <Item>(items: readonly Item[], which: number): Item | undefined =>
    items[which % Math.max(items.length, 1)]

  const finish = (one: Call | undefined, end: (one: Call) => void) => {
    if (!one) return
    calls = calls.filter((other) => other !== one)
    end(one)
  }
  const serve = (one: Call) => {
    if (one.isServed) return
    one.isServed = true
    try {
      one.answer = one.serve()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      one.refusal = error
    }
  }
  const answer = (one: Call) => {
    serve(one)
    if (one.refusal === null) one.resolve(one.answer as never)
    else one.reject(one.refusal)
  }

  const rowOf = (id: string | null) => selectRow(id)(child('records').getSnapshot())

  const answers = (): ActorRefFrom<typeof answersMachine> | undefined => session.system.get('answers')
  const sentAnswers = () => (answers()?.getSnapshot().context.answers ?? []).filter(isSent)
  const openedComments = () => {
    const opened = selectOpened(child('dialog').getSnapshot())
    return opened?.name === 'comments' ? opened.actor : null
  }
  const openedThread = () => {
    const opened = openedComments()
    return opened === null ? undefined : selectOpenThread(opened.getSnapshot())
  }
  const openedComment = (which: number) => {
    const open = openedThread()
    const all = open === undefined ? [] : selectComments(open.getSnapshot())
    return nth(
      all.filter((one) => !selectComment(one.getSnapshot()).by_page),
      which,
    )
  }
  const answerComment = (which: number) => {
    const comment = openedComment(which)
    if (comment === undefined) return
    comment.send({ type: 'reply.begun', kind: which % 3 === 0 ? 'private' : 'public' })
    const kind = selectReplyKind(comment.getSnapshot())
    if (kind === null) return
    drafts += 1
    const message = `${kind} ${drafts}`
    comment.send({ type: 'reply.typed', message })
    // What is typed stays in the form, or is cancelled.
    if (which % 5 === 4) return
    if (which % 7 === 6) return comment.send({ type: 'reply.cancelled' })
    // The key is known from what is typed.
    const typed = answers()
      ?.getSnapshot()
      .context.answers.find(({ text }) => text === message)
    if (typed === undefined) return
    asked.set(message, { key: typed.key, commentId: typed.comment.id, kind })
    comment.send({ type: 'reply.submitted', message })
    if (which % 2 === 0) comment.send({ type: 'reply.submitted', message })
    if (selectReplyKind(comment.getSnapshot()) !== null) asked.delete(message)
  }

  const write = (which: number) => {
    const open = thread()
    const conversation = open && rowOf(selectConversationId(open.getSnapshot()))
    if (!conversation) return
    drafts += 1
    const isHeart = which % 10 === 7
    const text = isHeart ? textOfHeart : which % 3 === 0 ? 'ok' : `say ${drafts}`
    const before = new Set(outgoing().map(({ key }) => key))
    const pageId = which % 4 === 0 ? (conversation.page_id ?? null) : null
    // A draft of files alone, one with a text before them, and one with quick replies, and a heart.
    const files = which % 5 === 1 ? uploads.slice(0, 1 + (which % 3)) : []
    const hasText = files.length === 0 || which % 2 === 0
    const quotable = which % 7 === 3 ? selectMessages(open.getSnapshot()).filter(isQuotable) : []
    const structured: StructuredContent | null = isHeart
      ? likeHeart
      : which % 5 === 2
        ? { kind: 'quickReplies', titles: ['Yes', 'No'] }
        : null
    const original = quotable.find(({ page_id }) => pageId === null || page_id === pageId)
    const event = {
      type: 'send.requested',
      draftId: `d${drafts}`,
      conversationId: rowIdOf(conversation),
      pageId,
      platform: null,
      text: hasText ? text : '',
      files,
      structured,
      replyTo: original && quoteOf(original),
    } as const
    const isWrittenAt = next()
    outbox().send(event)
    // A double click, or Enter pressed twice.
    if (which % 2 === 0) outbox().send(event)
    const keys = outgoing().filter(({ key }) => !before.has(key))
    const expected = files.length + Number(hasText)
    if (keys.length !== expected) faults.push(`one draft of ${expected} became ${keys.length} messages`)
    const isLive = selectConnection(child('realtime').getSnapshot()) === 'live'
    const isReceiving = world.channels.filter(({ isOpen, standing }) => isOpen && standing === 'ready').length === 2
    const person = rowIdOf(conversation)
    const heard = heardFrom.get(person) ?? 0
    // Ready channels miss nothing, also while the session still catches up.
    const since = isLive ? heard : isReceiving ? Math.max(heard, gapAt) : isWrittenAt
    for (const { key } of keys) {
      meant.add(key)
      written.set(key, { person, pageId, since })
    }
  }

  const closeTab = () => {
    session.stop()
    for (const channel of world.channels) channel.isOpen = false
    commentFrames = []
    shownReceipts.clear()
  }

  const steps = {
    answer: (which: number) => finish(nth(calls, which), answer),
    /** The server executes a call; its answer is still under way. */
    serve: (which: number) => {
      const one = nth(calls, which)
      if (one) serve(one)
    },
    loseAnswer: (which: number) =>
      finish(nth(calls, which), (one) => {
        if (which % 2) serve(one)
        one.reject(failureOf(one.name, 5))
      }),
    /** The server takes a message and never answers. */
    neverAnswer: (which: number) =>
      finish(
        nth(
          calls.filter(({ name }) => name === 'sendMessage'),
          which,
        ),
        serve,
      ),
    refuse: (which: number) =>
      finish(nth(calls, which), (one) => {
        if (!isRefusal(which) && which % 7 === 0) serve(one)
        // The server cannot refuse a call that it has already executed.
        one.reject(failureOf(one.name, one.isServed && isRefusal(which) ? 0 : which))
      }),
    /** A moment without delays: every channel joins, and every open call is answered. */
    calm: () => {
      for (let times = 0; times < 4; times += 1) steps.join(0)
      for (const one of calls) finish(one, answer)
    },
    join: (which: number) => {
      const channel = nth(
        world.channels.filter(({ isOpen, standing }) => isOpen && standing !== 'ready' && standing !== 'broken'),
        which,
      )
      if (!channel) return
      if (channel.standing === 'joining') {
        channel.standing = 'subscribed'
        channel.subscribedAt = clock.now()
        channel.report({ type: 'channel.subscribed', channel: channel.name })
      } else {
        channel.standing = 'ready'
        gapAt = next()
        channel.report({ type: 'channel.ready', channel: channel.name })
      }
    },
    dropChannel: (which: number) => {
      const channel = channelOf(which % 2 ? 'messages' : 'users')
      if (!channel || channel.standing === 'broken') return
      channel.standing = 'broken'
      gapAt = next()
      channel.frames = []
      const type = (['channel.failed', 'channel.closed', 'channel.timedOut'] as const)[which % 3] ?? 'channel.failed'
      channel.report({ type, channel: channel.name })
    },
    deliverFrames: (which: number) => {
      const channel = nth(
        world.channels.filter(({ isOpen, frames }) => isOpen && frames.length > 0),
        which,
      )
      if (!channel) return
      const frames = channel.frames.splice(0, 1 + (which % 5))
      if (which % 7 === 0) frames.reverse()
      // Some events arrive twice.
      if (which % 11 === 0) frames.push(...frames.slice(-1))
      const messages = frames.flatMap((frame) => ('messages' in frame ? [frame.messages] : []))
      const users = frames.flatMap((frame) => ('users' in frame ? [frame.users] : []))
      if (which % 13 === 0) {
        gapAt = next()
        channel.report({ type: 'row.refused' })
      }
      for (const change of messages)
        if (change.type === 'INSERT' && change.record.direction === 'incoming')
          heardFrom.set(change.record.primary_user_id ?? '', next())
      if (messages.length > 0) channel.report({ type: 'messages.received', changes: messages })
      if (users.length > 0) channel.report({ type: 'users.received', changes: users })
    },
    personWrites: (which: number) => world.personWrites(nth(peopleIds, which) ?? '', which),
    colleagueSends: (which: number) =>
      world.colleagueSends(nth(peopleIds, which) ?? '', 'ok', which % 2 ? `colleague-${next()}` : null),
    personReacts: (which: number) =>
      world.personReacts(nth(peopleIds, which) ?? '', nth(['👍', '❤', null], which) ?? null),
    personReceives: (which: number) => world.personReceives(nth(peopleIds, which) ?? '', which),
    personComments: (which: number) => comments.personComments(nth(peopleIds, which) ?? ''),
    deliverComments: (which: number) => {
      for (const change of commentFrames.splice(0, 1 + (which % 5))) colleagues?.(change)
    },
    dropColleagues: () => {
      commentFrames = []
      colleagues?.({ type: 'channel.lost' })
    },
    openComments: (which: number) => {
      const threadId = nth([...comments.people().map(threadIdOf), null], which) ?? null
      session.send({ type: 'comments.requested', threadId })
    },
    closeComments: () => child('dialog').send({ type: 'dialog.dismissed' }),
    answerComment,
    answerAgain: (which: number) => {
      const one = nth(sentAnswers(), which)
      if (one) answers()?.send({ type: which % 2 ? 'send.retried' : 'check.requested', key: one.key })
      else answers()?.send({ type: 'waiting.retried' })
    },
    discardAnswer: (which: number) => {
      const one = nth(
        sentAnswers().filter(({ status }) => status !== 'pending'),
        which,
      )
      if (!one) return
      givenUp.add(one.key)
      answers()?.send({ type: 'send.discarded', key: one.key })
    },
    hideComment: (which: number) => {
      const comment = openedComment(which)
      if (comment) comment.send({ type: 'change.requested', change: hidingOf(selectComment(comment.getSnapshot())) })
    },
    finishThread: () => openedThread()?.send({ type: 'done.requested' }),
    isRenamed: (which: number) => world.isRenamed(nth(peopleIds, which) ?? '', `name ${which}`),
    isDeleted: (which: number) => world.isDeleted(nth(peopleIds, which) ?? ''),
    select: (which: number) => session.send({ type: 'conversation.selected', id: nth(peopleIds, which) ?? '' }),
    leave: () => session.send({ type: 'conversation.deselected' }),
    choosePage: (which: number) =>
      session.send({ type: 'page.chosen', pageId: nth([null, 'p1', 'p2'], which) ?? null }),
    search: (which: number) =>
      child('conversations').send({ type: 'search.typed', text: nth(['', 'a', 'old', 'name'], which) ?? '' }),
    unreadOnly: (which: number) =>
      child('conversations').send({ type: 'unreadOnly.chosen', unreadOnly: which % 2 === 1 }),
    refresh: () => session.send({ type: 'refetch.requested' }),
    older: () => thread()?.send({ type: 'older.requested' }),
    read: () => thread()?.send({ type: 'read.requested' }),
    scroll: (which: number) => thread()?.send({ type: which % 2 ? 'end.seen' : 'end.left' }),
    askRoute: (which: number) => {
      const open = thread()
      const pageIds = (open && rowOf(selectConversationId(open.getSnapshot()))?.page_ids?.split(', ')) ?? []
      open?.send({ type: 'route.requested', pageId: nth([null, null, ...pageIds], which) ?? null })
    },
    write,
    retry: (which: number) => {
      const one = nth(outgoing(), which)
      if (!one) return
      mayBeLate.add(one.key)
      outbox().send({ type: 'send.retried', key: one.key })
    },
    discard: (which: number) => {
      const one = nth(
        outgoing().filter(({ status }) => status !== 'pending'),
        which,
      )
      if (!one) return
      givenUp.add(one.key)
      outbox().send({ type: 'send.discarded', key: one.key })
    },
    hide: (which: number) => session.send({ type: which % 2 ? 'tab.hidden' : 'tab.shown' }),
    network: (which: number) => {
      isOnline = which % 2 === 0
      session.send({ type: isOnline ? 'browser.online' : 'browser.offline' })
    },
    sleep: (which: number) => {
      gapAt = next()
      clock.increment(60_000 + which * 1_000)
      session.send({ type: 'clock.jumped' })
    },
    tick: (which: number) => clock.increment((which % 12) ** 3 * 10),
    lateKeys: (which: number) => {
      keyLate = which % 2 === 1
    },
    /** The tab is closed at any point and opened again. */
    reopen: () => {
      closeTab()
      session = signIn()
    },
    signOut: () => {
      for (const { key } of [...outgoing(), ...sentAnswers(), ...storedAnswers.values()]) givenUp.add(key)
      isLeaving = true
      closeTab()
      isLeaving = false
      session = signIn()
    },
  }

  /** The client treats the channel of a silent server as ready after five seconds. */
  const mayHear = ({ standing, subscribedAt }: Channel) =>
    standing === 'ready' || (standing === 'subscribed' && subscribedAt !== null && clock.now() - subscribedAt >= 5_000)

  const checkComments = () => {
    const { delivered } = comments
    if (new Set(delivered.map(({ text }) => text)).size !== delivered.length)
      faults.push(`an answer left twice: ${delivered.map(({ text }) => text).join()}`)
    const privately = delivered.filter(({ kind }) => kind === 'private')
    if (new Set(privately.map(({ commentId }) => commentId)).size !== privately.length)
      faults.push('two private replies to one comment')
    const replies = new Map(privately.map(({ text, commentId }) => [text, comments.commentOf(commentId).person]))
    for (const { message_text, primary_user_id } of world.messages().slice(checkedMessages)) {
      const [first = ''] = message_text?.split(' ') ?? []
      if ([commentWord, 'public'].includes(first)) faults.push(`${message_text} came into a chat`)
      if (first === 'private' && replies.get(message_text ?? '') !== primary_user_id)
        faults.push(`${message_text} came into the chat of ${primary_user_id}`)
    }
    checkedMessages = world.messages().length
  }

  /** The furthest that an identity of the row has received and read. */
  const furthest = (row: Conversation) =>
    (row.receipts ?? []).flatMap(({ fb_user_id, delivered_up_to, read_up_to }) =>
      Object.entries({ delivered_up_to, read_up_to }).map(([kind, at]) => [`${fb_user_id} ${kind}`, at ?? ''] as const),
    )
  const checkReceipts = () => {
    for (const row of peopleIds.map(rowOf)) {
      for (const [what, at] of row === null ? [] : furthest(row)) {
        if (at < (shownReceipts.get(what) ?? '')) faults.push(`${what} went back to ${at}`)
        shownReceipts.set(what, at)
      }
    }
  }

  /** The invariants after each step. */
  const check = () => {
    checkComments()
    checkReceipts()
    const realtime = child('realtime')
    if (selectConnection(realtime.getSnapshot()) === 'live') {
      for (const name of ['messages', 'users'] as const) {
        const channel = channelOf(name)
        if (!channel || !mayHear(channel)) faults.push(`Live with ${name} ${channel?.standing ?? 'closed'}`)
      }
    }
    for (const key of meant) {
      if (world.deliveriesOf(key) > 1) faults.push(`${key} went out more than once`)
    }
    for (const one of outgoing()) if (mayHaveArrived(one)) mayBeLate.add(one.key)
    const latest = new Map<string, number>()
    for (const [key, { person }] of written) {
      const place = world.placeOf(key)
      if (place === null || mayBeLate.has(key)) continue
      if (place < (latest.get(person) ?? -1)) faults.push(`${key} came before one that was written earlier`)
      latest.set(person, place)
    }
    const open = thread()?.getSnapshot()
    const conversation = open && rowOf(selectConversationId(open))
    if (!open || !conversation) return
    const shown = selectMessages(open)
    const person = conversation.primary_user_id ?? ''
    if (shown.some((row) => row.primary_user_id !== person))
      faults.push(`a message of another in the thread of ${person}`)
    if (new Set(shown.map((row) => row.message_id)).size !== shown.length) faults.push('two bubbles of one message')
    const keys = shown.flatMap((row) => row.idempotency_key ?? [])
    if (new Set(keys).size !== keys.length) faults.push('two bubbles of one key')
    const pending = selectOutgoingIn(person)(outbox().getSnapshot())
    for (const { key, status } of pending) {
      if (keys.includes(key)) faults.push(`a message stands there as sent and as ${status}`)
    }
  }

  /** Completes everything that is under way, without further faults. */
  const quiet = async () => {
    isOnline = true
    session.send({ type: 'browser.online' })
    session.send({ type: 'tab.shown' })
    thread()?.send({ type: 'end.seen' })
    for (let round = 0; round < 400; round += 1) {
      for (const one of calls) finish(one, answer)
      while (commentFrames.length > 0) steps.deliverComments(0)
      for (const channel of world.channels.filter(({ isOpen }) => isOpen)) {
        for (let index = 0; index < 2; index += 1)
          if (channel.standing !== 'ready' && channel.standing !== 'broken')
            steps.join(
              world.channels
                .filter(({ isOpen, standing }) => isOpen && standing !== 'ready' && standing !== 'broken')
                .indexOf(channel),
            )
        while (channel.frames.length > 0)
          steps.deliverFrames(
            world.channels.filter(({ isOpen, frames }) => isOpen && frames.length > 0).indexOf(channel),
          )
      }
      await settled()
      check()
      if (calls.length === 0 && round > 40 && selectConnection(child('realtime').getSnapshot()) === 'live') break
      clock.increment(1_000)
      await settled()
    }
    if (selectConnection(child('realtime').getSnapshot()) !== 'live') faults.push('it does not come back to Live')
    if (calls.length > 0) faults.push(`it never stops asking for ${calls.map(({ name }) => name).join(', ')}`)
    const list = child('conversations')
    const open = thread()
    if (selectListFailed(list.getSnapshot())) list.send({ type: 'refetch.requested' })
    const count: ActorRefFrom<typeof commentCountMachine> | undefined = session.system.get('commentCount')
    if (count?.getSnapshot().matches('failed')) count.send({ type: 'refetch.requested' })
    const comment = openedThread()
    if (comment?.getSnapshot().matches('failed')) comment.send({ type: 'refetch.requested' })
    if (child('stats').getSnapshot().context.failures > 0) child('stats').send({ type: 'refetch.requested' })
    if (open && (selectHasFailed(open.getSnapshot()) || selectIsInvalidated(open.getSnapshot())))
      open.send({ type: 'refetch.requested' })
    for (let round = 0; round < 20; round += 1) {
      for (const one of calls) finish(one, answer)
      await settled()
      clock.increment(1_000)
      await settled()
    }
  }

  /** The invariants once nothing is pending. */
  const checkQuiet = () => {
    const { order, query, held } = child('conversations').getSnapshot().context
    const fresh = world.list(query)
    // With "unread only", the row that was read last stays in the list although the server omits it.
    const answered = (id: string) => !held.includes(id) || fresh.some((row) => row.primary_user_id === id)
    const withOrder = (row: Conversation | null) =>
      row && {
        ...row,
        receipts: row.receipts?.toSorted((one, other) => (one.fb_user_id < other.fb_user_id ? -1 : 1)),
      }
    const rows = order.filter(answered).map((id) => withOrder(rowOf(id)))
    if (held.length > (query.unreadOnly ? 1 : 0)) faults.push(`the list holds ${held.join()} that were read`)
    if (JSON.stringify(rows) !== JSON.stringify(fresh.map(withOrder)))
      faults.push(
        `the list is ${JSON.stringify(rows)} and not ${JSON.stringify(fresh)} for ${JSON.stringify(selectQuery(child('conversations').getSnapshot()))}`,
      )
    const unread = selectUnreadMessages(child('stats').getSnapshot())
    if (unread !== world.loadStats().unread_messages)
      faults.push(`${unread} unread and not ${world.loadStats().unread_messages}`)
    const open = thread()?.getSnapshot()
    const conversation = open && rowOf(selectConversationId(open))
    if (open && conversation) {
      // A message sent from here is visible although the page filter excludes its page.
      const ofPage = selectMessages(open).filter(({ page_id }) => [null, page_id].includes(open.context.pageId))
      const compared = world.hasDeleted() ? ofPage.slice(-50) : ofPage
      const described = (row: Message) =>
        `${row.message_id} ${row.message_text} ${(row.reactions ?? []).map(({ emoji }) => emoji).join('')}`
      const shown = compared.map(described)
      const all = world.threadOf(conversation.primary_user_id ?? '', open.context.pageId).map(described)
      if (JSON.stringify(shown) !== JSON.stringify(all.slice(-Math.max(shown.length, 1))))
        faults.push(`the thread is ${shown.slice(-5).join()} and not ${all.slice(-5).join()}`)
    }
    const waiting = new Set(outgoing().map(({ key }) => key))
    for (const key of meant) {
      const isDelivered = world.deliveriesOf(key) === 1
      if (givenUp.has(key)) continue
      if (isDelivered && waiting.has(key)) faults.push(`${key} was delivered and still stands there as not`)
      if (!isDelivered && !waiting.has(key)) faults.push(`${key} is lost`)
    }
    const ofComments = openedThread()
    const shownThread = ofComments && selectThread(ofComments.getSnapshot())
    if (shownThread) {
      const [shown, there] = [shownThread, comments.loadThread({ threadId: shownThread.id })].map((one) =>
        JSON.stringify(one),
      )
      if (shown !== there) faults.push(`the comments are ${shown} and not ${there}`)
    }
    const count = session.system.get('commentCount')?.getSnapshot().context.waiting
    if (count !== comments.count()) faults.push(`${count} threads wait and not ${comments.count()}`)
    const unsent = new Set(sentAnswers().map(({ key }) => key))
    const arrived = new Set(comments.delivered.map(({ key }) => key))
    for (const [text, { key }] of asked) {
      if (givenUp.has(key)) continue
      if (arrived.has(key) && unsent.has(key)) faults.push(`${text} was delivered and still stands there as not`)
      if (!arrived.has(key) && !unsent.has(key)) faults.push(`${text} is lost`)
    }
    for (const key of stored.keys()) if (!waiting.has(key)) faults.push(`${key} is kept and not shown`)
  }

  return { steps, check, quiet, checkQuiet, faults, stop: closeTab, meant, world }
}

export type StepName = keyof ReturnType<typeof createHarness>['steps']

/** The relative frequency of each step. */
export const weights: Readonly<Record<StepName, number>> = {
  answer: 30,
  serve: 8,
  loseAnswer: 4,
  neverAnswer: 1,
  refuse: 3,
  calm: 6,
  join: 14,
  dropChannel: 2,
  deliverFrames: 14,
  personWrites: 8,
  colleagueSends: 2,
  personReacts: 2,
  personReceives: 3,
  personComments: 4,
  deliverComments: 5,
  dropColleagues: 1,
  openComments: 10,
  closeComments: 1,
  answerComment: 14,
  answerAgain: 4,
  discardAnswer: 1,
  hideComment: 3,
  finishThread: 1,
  isRenamed: 1,
  isDeleted: 1,
  select: 6,
  leave: 1,
  choosePage: 2,
  search: 1,
  unreadOnly: 1,
  refresh: 2,
  older: 3,
  read: 1,
  scroll: 2,
  askRoute: 8,
  write: 10,
  retry: 3,
  discard: 1,
  hide: 2,
  network: 2,
  sleep: 1,
  tick: 12,
  lateKeys: 1,
  reopen: 1,
  signOut: 1,
}

/** The code that a session loads on demand. The clock of a walk does not wait until files are read. */
const code = Promise.all([
  import('../../../src/dialog-registry.ts'),
  import('../../../src/part-registry.ts'),
  import('../../../src/compose-answers.ts'),
  import('../../../src/compose-attached-files.ts'),
  import('../../../src/compose-colleagues.ts'),
  import('../../../src/compose-notifications.ts'),
])

/** Applies the steps to a new session and waits until nothing is pending. Returns each broken invariant once. */
export async function walk(steps: readonly Step[]): Promise<string[]> {
  await code
  const harness = createHarness()
  for (const { what, which } of steps) {
    harness.steps[what](which)
    await settled()
    harness.check()
    if (harness.faults.length > 0) break
  }
  if (harness.faults.length === 0) {
    await harness.quiet()
    harness.checkQuiet()
  }
  harness.stop()
  return [...new Set(harness.faults)]
}
