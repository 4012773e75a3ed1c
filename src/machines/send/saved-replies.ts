import { assign, fromPromise, raise, type SnapshotFrom, setup } from 'xstate'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import { matchingReplies, type SlashToken, tokenAt } from '../../domain/send/saved-replies.ts'
import type { ReplyUse } from '../../domain/send/saved-reply-calls.ts'
import { savedReplyToasts } from '../../domain/send/saved-reply-toasts.ts'
import type { Message } from '../../schemas/message.ts'
import type { SavedReply } from '../../schemas/saved-reply.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary } from '../on-failure.ts'
import {
  afterFailedRead,
  readingActions,
  readingDelays,
  readingGuards,
  refetchTo,
  waitingOrRefused,
} from '../reading.ts'

/** What is typed in the composer. */
type Typed = {
  text: string
  /** The position of the caret; null while the composer does not have the focus. */
  caret: number | null
  /** The pages that the message may be sent from. */
  pageIds: readonly string[]
}

/** The saved replies in the draft of a conversation. */
type Inserted = { draftId: string; ids: readonly string[] }

/** The copy of a picture of a saved reply in a message. `fileId`: the id of the copy. */
type SentPicture = { fileId: string; replyId: string }

/**
 * The saved replies in a message that the outbox has accepted and that is not confirmed as sent. `fileId` names a picture
 * that is a message of its own; null for a text.
 */
type Accepted = { conversationId: string; text: string; fileId: string | null; ids: readonly string[] }

type Context = Retries & {
  /** By name. Null until they are loaded. */
  replies: readonly SavedReply[] | null
  typed: Typed
  token: SlashToken | null
  /** What fits the token, best first. */
  options: readonly SavedReply[]
  /** The index of the active option. */
  active: number
  /** The button wrote the `/`. */
  isByButton: boolean
  /** By conversation. */
  inserted: ReadonlyMap<string, Inserted>
  accepted: readonly Accepted[]
  /** The uses to count, oldest first. */
  uses: readonly ReplyUse[]
  useRetries: Retries
}

export type SavedRepliesEvent =
  | ({ type: 'composer.changed' } & Typed)
  /** The button beside the composer writes a `/`. */
  | { type: 'slash.written' }
  | { type: 'option.moved'; by: 1 | -1 }
  | { type: 'picker.dismissed' }
  | { type: 'reply.inserted'; conversationId: string; draftId: string; id: string }
  /** The composer is empty, so nothing of a saved reply is left. */
  | { type: 'draft.emptied'; conversationId: string }
  /** The outbox has accepted the draft with this text and these copies of pictures. */
  | {
      type: 'draft.accepted'
      conversationId: string
      draftId: string
      text: string
      pictures: readonly SentPicture[]
    }
  | { type: 'message.sent'; conversationId: string; message: Message }
  | { type: 'refetch.requested' }

const tokenOf = ({ text, caret }: Typed): SlashToken | null => (caret === null ? null : tokenAt(text, caret))

const optionsOf = ({ replies, token, typed }: Pick<Context, 'replies' | 'token' | 'typed'>): readonly SavedReply[] =>
  token === null ? [] : matchingReplies(replies ?? [], token.query, typed.pageIds)

const maxAccepted = 100

const without = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> =>
  map.has(key) ? new Map([...map].filter(([other]) => other !== key)) : map

const withAccepted = (context: Context, event: SavedRepliesEvent & { type: 'draft.accepted' }): Partial<Context> => {
  const { conversationId, draftId, text, pictures } = event
  const held = context.inserted.get(conversationId)
  const ids = held?.draftId === draftId ? held.ids : []
  // A saved reply with a text and pictures is used once. One of pictures alone counts with its first picture.
  const alone = pictures.filter(
    ({ replyId }, index) =>
      !ids.includes(replyId) && pictures.findIndex((other) => other.replyId === replyId) === index,
  )
  const accepted: Accepted[] = [
    ...(ids.length === 0 ? [] : [{ conversationId, text: text.trim(), fileId: null, ids }]),
    ...alone.map(({ fileId, replyId }) => ({ conversationId, text: '', fileId, ids: [replyId] })),
  ]
  return {
    inserted: ids.length === 0 ? context.inserted : without(context.inserted, conversationId),
    accepted: [...context.accepted, ...accepted].slice(-maxAccepted),
  }
}

const isDeliveredBy = ({ text, fileId }: Accepted, { message_text, attachments }: Message): boolean =>
  fileId === null ? text === message_text : (attachments?.data.some(({ id }) => id === fileId) ?? false)

const withUses = (context: Context, event: SavedRepliesEvent & { type: 'message.sent' }): Partial<Context> => {
  const { conversationId, message } = event
  const sent = context.accepted.find((one) => one.conversationId === conversationId && isDeliveredBy(one, message))
  const key = message.idempotency_key
  if (sent === undefined || key == null) return {}
  return {
    accepted: context.accepted.filter((one) => one !== sent),
    uses: [...context.uses, ...sent.ids.map((id) => ({ id, key }))],
  }
}

const typedIn = ({ event }: { event: Typed }) => ({ typed: event })
const keepTyped = { type: 'keep what is typed' as const, params: typedIn }
const ifToken = { type: 'has a token' as const, params: typedIn }
const ifAnotherToken = { type: 'has another token' as const, params: typedIn }

/**
 * The list of saved replies that `/` opens in the composer, and the count of their uses in sent messages. The list is
 * loaded each time it opens, because colleagues edit saved replies and no channel announces that.
 */
export const savedRepliesMachine = setup({
  types: { context: {} as Context, events: {} as SavedRepliesEvent | { type: 'list.needed' } },
  actors: {
    loadReplies: fromPromise<readonly SavedReply[]>(mustBeProvided('loadReplies')),
    countUse: fromPromise<void, ReplyUse>(mustBeProvided('countUse')),
  },
  delays: {
    ...readingDelays,
    useRetryDelay: ({ context }) => context.useRetries.retryDelay,
  },
  guards: {
    ...readingGuards,
    'has a token': (_, { typed }: { typed: Typed }) => tokenOf(typed) !== null,
    'has another token': ({ context }, { typed }: { typed: Typed }) => {
      const token = tokenOf(typed)
      return token !== null && token.start !== context.token?.start
    },
    'has a use to count': ({ context }) => context.uses.length > 0,
  },
  actions: {
    ...readingActions,
    'keep what is typed': assign(({ context }, { typed }: { typed: Typed }) => {
      const token = tokenOf(typed)
      const isSame = token?.query === context.token?.query && token?.start === context.token?.start
      const next = { typed, token }
      return { ...next, options: optionsOf({ ...context, ...next }), active: isSame ? context.active : 0 }
    }),
    'keep the replies': assign(({ context }, { replies }: { replies: readonly SavedReply[] }) => {
      const options = optionsOf({ ...context, replies })
      return { replies, options, active: Math.min(context.active, Math.max(0, options.length - 1)), ...noRetries }
    }),
    'move the active option': assign({
      active: ({ context }, { by }: { by: 1 | -1 }) => {
        const count = context.options.length
        return count === 0 ? 0 : (context.active + by + count) % count
      },
    }),
    'remember the button': assign({ isByButton: true }),
    'forget the button': assign({ isByButton: false }),
    'keep the insertion': assign({
      inserted: (
        { context },
        { conversationId, draftId, id }: { conversationId: string; draftId: string; id: string },
      ) => {
        const held = context.inserted.get(conversationId)
        const ids = held?.draftId === draftId ? held.ids.filter((one) => one !== id) : []
        return new Map(context.inserted).set(conversationId, { draftId, ids: [...ids, id] })
      },
    }),
    'forget the insertions': assign({
      inserted: ({ context }, { conversationId }: { conversationId: string }) =>
        without(context.inserted, conversationId),
    }),
    'keep the accepted draft': assign(({ context }, event: SavedRepliesEvent & { type: 'draft.accepted' }) =>
      withAccepted(context, event),
    ),
    'queue the uses': assign(({ context }, event: SavedRepliesEvent & { type: 'message.sent' }) =>
      withUses(context, event),
    ),
    'remove the first use': assign(({ context }) => ({ uses: context.uses.slice(1), useRetries: noRetries })),
    'count the failure of the use': assign({
      useRetries: ({ context }, { error }: { error: unknown }) => retriesAfter(context.useRetries, error),
    }),
  },
}).createMachine({
  id: 'savedReplies',
  context: {
    replies: null,
    typed: { text: '', caret: null, pageIds: [] },
    token: null,
    options: [],
    active: 0,
    isByButton: false,
    inserted: new Map(),
    accepted: [],
    uses: [],
    useRetries: noRetries,
    ...noRetries,
  },
  type: 'parallel',
  on: {
    'reply.inserted': { actions: { type: 'keep the insertion', params: ({ event }) => event } },
    'draft.emptied': { actions: { type: 'forget the insertions', params: ({ event }) => event } },
    'draft.accepted': { actions: { type: 'keep the accepted draft', params: ({ event }) => event } },
    'message.sent': { actions: { type: 'queue the uses', params: ({ event }) => event } },
  },
  states: {
    picker: {
      initial: 'closed',
      on: { 'slash.written': { actions: 'remember the button' } },
      states: {
        closed: {
          on: {
            'composer.changed': [
              {
                guard: ifToken,
                target: 'open',
                actions: keepTyped,
              },
              { actions: keepTyped },
            ],
          },
        },
        open: {
          entry: raise({ type: 'list.needed' }),
          exit: 'forget the button',
          on: {
            'composer.changed': [
              {
                guard: ifToken,
                actions: keepTyped,
              },
              {
                target: 'closed',
                actions: keepTyped,
              },
            ],
            'option.moved': { actions: { type: 'move the active option', params: ({ event }) => event } },
            'picker.dismissed': 'dismissed',
            'reply.inserted': {
              target: 'closed',
              actions: { type: 'keep the insertion', params: ({ event }) => event },
            },
          },
        },
        /** Stays closed until the `/` is gone or another one is typed. */
        dismissed: {
          on: {
            'composer.changed': [
              {
                guard: ifAnotherToken,
                target: 'open',
                actions: keepTyped,
              },
              {
                guard: ifToken,
                actions: keepTyped,
              },
              {
                target: 'closed',
                actions: keepTyped,
              },
            ],
          },
        },
      },
    },
    list: {
      initial: 'idle',
      states: {
        idle: { on: { 'list.needed': 'loading' } },
        loading: {
          invoke: {
            id: 'loadReplies',
            src: 'loadReplies',
            onDone: {
              target: 'idle',
              actions: { type: 'keep the replies', params: ({ event }) => ({ replies: event.output }) },
            },
            onError: afterFailedRead(savedReplyToasts.failed),
          },
        },
        /** The replies of an earlier load stay. */
        failed: {
          ...waitingOrRefused('#savedReplies.list.loading'),
          on: {
            ...refetchTo('loading'),
            'list.needed': 'loading',
          },
        },
      },
    },
    /** A failed count is shown to nobody: the figure is a help, and no work depends on it. */
    counting: {
      initial: 'idle',
      states: {
        idle: { always: { guard: 'has a use to count', target: 'counting' } },
        counting: {
          invoke: {
            id: 'countUse',
            src: 'countUse',
            input: ({ context }) => {
              const [use] = context.uses
              if (use === undefined) throw new Error('a use is counted because one is queued')
              return use
            },
            onDone: { target: 'idle', actions: 'remove the first use' },
            onError: [
              {
                guard: ifTemporary,
                target: 'waiting',
                actions: { type: 'count the failure of the use', params: ({ event }) => ({ error: event.error }) },
              },
              { target: 'idle', actions: 'remove the first use' },
            ],
          },
        },
        waiting: { after: { useRetryDelay: 'counting' } },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof savedRepliesMachine>

export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches({ picker: 'open' })
export const selectToken = (snapshot: Snapshot): SlashToken | null => snapshot.context.token
/** The saved replies that fit what is typed, best first. */
export const selectOptions = (snapshot: Snapshot): readonly SavedReply[] => snapshot.context.options
/** The option that Enter inserts; undefined if nothing fits. */
export const selectActive = (snapshot: Snapshot): SavedReply | undefined =>
  snapshot.context.options[snapshot.context.active]
export const selectIsByButton = (snapshot: Snapshot): boolean => snapshot.context.isByButton
/** The saved replies are not known, and not because a load failed. */
export const selectIsLoading = (snapshot: Snapshot): boolean =>
  snapshot.context.replies === null && snapshot.matches({ list: 'loading' })
export const selectHasFailed = (snapshot: Snapshot): boolean =>
  snapshot.context.replies === null && snapshot.matches({ list: 'failed' })
export const selectHasReplies = (snapshot: Snapshot): boolean => (snapshot.context.replies?.length ?? 0) > 0
