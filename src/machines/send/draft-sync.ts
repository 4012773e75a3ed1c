import { assign, fromPromise, setup } from 'xstate'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import type { DraftSave, DraftSaveResult, ServerDraft } from '../../domain/send/saved-drafts.ts'
import { offers } from '../../domain/session/features.ts'
import { can } from '../../domain/session/permissions.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, isTemporary } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'

type Context = Retries & {
  user: AuthUser
  /** The drafts of the server may have changed on another device. */
  isStale: boolean
  /** The next write that the server needs; null if there is none. */
  next: DraftSave | null
  /** The write that is sent. */
  sending: DraftSave
  /** All drafts are saved without a pause, because the person signs out. */
  isFlushing: boolean
}

const noSave: DraftSave = { conversationId: '', text: '', extras: null, version: '', replaces: null }

export type DraftSyncEvent =
  /** The server has confirmed who is signed in. */
  | { type: 'user.confirmed'; user: AuthUser }
  /** The person has changed a draft. */
  | { type: 'drafts.changed'; next: DraftSave | null }
  /** An answer of the server or another tab has changed the drafts. */
  | { type: 'drafts.merged'; next: DraftSave | null }
  /** The drafts of the server may have changed, or can be reached again. */
  | { type: 'drafts.invalidated' }
  /** The tab may be closed soon. */
  | { type: 'tab.hidden' }
  /** Save now, and report `drafts.flushed` when nothing more can be saved. Reports without a request mean nothing. */
  | { type: 'flush.requested' }

const keepNext = {
  type: 'keep the next write',
  params: ({ event }: { event: { next: DraftSave | null } }) => ({ next: event.next }),
} as const
const reportFlushed = { type: 'tellSession', params: { type: 'drafts.flushed' } } as const
const countFailure = {
  type: 'count the failure',
  params: ({ event }: { event: { error: unknown } }) => ({ error: event.error }),
} as const

/**
 * Brings the drafts of this browser to the server and those of other devices here, one call at a time. Makes no call if
 * the API keeps no drafts. Failures are silent: the drafts stay in the browser.
 */
export const draftSyncMachine = setup({
  types: { context: {} as Context, events: {} as DraftSyncEvent, input: {} as { user: AuthUser } },
  actors: {
    loadDrafts: fromPromise<readonly ServerDraft[]>(mustBeProvided('loadDrafts')),
    saveDraft: fromPromise<DraftSaveResult, DraftSave>(mustBeProvided('saveDraft')),
  },
  delays: {
    retryDelay: ({ context }) => context.retryDelay,
    /** Milliseconds after the last keystroke, and between two writes. */
    saveDelay: 1_000,
  },
  guards: {
    'is temporary': isTemporary,
    'keeps drafts': ({ context: { user } }) => offers(user, 'drafts') && can(user, 'messages.send'),
    'is stale': ({ context }) => context.isStale,
    'has one to save': ({ context }) => context.next !== null,
    'is flushing': ({ context }) => context.isFlushing,
  },
  actions: {
    tellSession,
    'store the confirmed user': assign({ user: (_, { user }: { user: AuthUser }) => user }),
    'mark as stale': assign({ isStale: true }),
    'mark as current': assign({ isStale: false }),
    'start to flush': assign({ isFlushing: true }),
    'stop flushing': assign({ isFlushing: false }),
    'forget the failures': assign(noRetries),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
    'keep the next write': assign({ next: (_, { next }: { next: DraftSave | null }) => next }),
    'take the next write': assign({ sending: ({ context }) => context.next ?? noSave }),
  },
}).createMachine({
  id: 'draftSync',
  context: ({ input }) => ({
    user: input.user,
    isStale: true,
    next: null,
    sending: noSave,
    isFlushing: false,
    ...noRetries,
  }),
  initial: 'notOffered',
  on: {
    'user.confirmed': { actions: { type: 'store the confirmed user', params: ({ event }) => event } },
    'drafts.changed': { actions: keepNext },
    'drafts.merged': { actions: keepNext },
    'drafts.invalidated': { actions: 'mark as stale' },
    'flush.requested': { actions: 'start to flush' },
  },
  states: {
    notOffered: {
      always: { guard: 'keeps drafts', target: 'choosing' },
      on: { 'flush.requested': { actions: reportFlushed } },
    },
    choosing: {
      always: [
        { guard: 'is stale', target: 'loading' },
        { guard: 'has one to save', target: 'saving' },
        { target: 'idle' },
      ],
    },
    loading: {
      entry: 'mark as current',
      invoke: {
        id: 'loadDrafts',
        src: 'loadDrafts',
        onDone: {
          target: 'merging',
          actions: [
            { type: 'tellSession', params: ({ event }) => ({ type: 'drafts.fetched', drafts: event.output }) },
            'forget the failures',
          ],
        },
        onError: [
          { guard: ifTemporary, target: 'waiting', actions: ['mark as stale', countFailure] },
          { target: 'refused' },
        ],
      },
    },
    saving: {
      entry: [
        'take the next write',
        {
          type: 'tellSession',
          params: ({ context: { sending } }) => ({
            type: 'draft.saving',
            conversationId: sending.conversationId,
            version: sending.version,
          }),
        },
      ],
      invoke: {
        id: 'saveDraft',
        src: 'saveDraft',
        input: ({ context }) => context.sending,
        onDone: {
          target: 'merging',
          actions: [
            {
              type: 'tellSession',
              params: ({ context, event }) => ({ type: 'draft.answered', save: context.sending, result: event.output }),
            },
            'forget the failures',
          ],
        },
        onError: [
          { guard: ifTemporary, target: 'waiting', actions: countFailure },
          {
            target: 'merging',
            actions: {
              type: 'tellSession',
              params: ({ context }) => ({ type: 'draft.refused', save: context.sending }),
            },
          },
        ],
      },
    },
    /** Waits until the drafts have taken over the answer. */
    merging: { on: { 'drafts.merged': { target: 'pausing', actions: keepNext } } },
    /** Waits for the end of typing, and limits the rate of writes. */
    pausing: {
      always: { guard: 'is flushing', target: 'choosing' },
      after: { saveDelay: 'choosing' },
      on: {
        'drafts.changed': { target: 'pausing', reenter: true, actions: keepNext },
        'tab.hidden': 'choosing',
      },
    },
    waiting: {
      entry: [reportFlushed, 'stop flushing'],
      after: { retryDelay: 'choosing' },
      on: {
        'drafts.invalidated': { target: 'choosing', actions: 'mark as stale' },
        'flush.requested': { target: 'choosing', actions: 'start to flush' },
      },
    },
    idle: {
      entry: [reportFlushed, 'stop flushing'],
      on: {
        'drafts.changed': { target: 'pausing', actions: keepNext },
        'drafts.invalidated': { target: 'choosing', actions: 'mark as stale' },
        'flush.requested': { target: 'choosing', actions: 'start to flush' },
      },
    },
    /** The API refuses to list the drafts. */
    refused: {
      entry: [reportFlushed, 'stop flushing'],
      on: { 'flush.requested': { actions: reportFlushed } },
    },
  },
})
