import { assign, fromCallback, type SnapshotFrom, setup } from 'xstate'
import { newKey } from '../../domain/new-key.ts'
import type { Draft, ReceivedDraft, StoredDraft } from '../../domain/send/draft.ts'
import { mustBeGiven } from '../must-be-provided.ts'

type Context = {
  /** Whose drafts these are. */
  staffId: string
  /** By conversation. */
  drafts: ReadonlyMap<string, Draft>
  newKey: () => string
}

export type DraftsEvent = ({ type: 'draft.changed' } & StoredDraft) | ReceivedDraft

/** What is being typed, each conversation's own, over reloads and in all tabs, until the person signs out. */
export const draftsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as DraftsEvent,
    input: {} as { staffId: string; newKey?: () => string },
  },
  actors: {
    /** Tells what is kept and what other tabs change; its disposer forgets all that is kept when the person signs out. */
    watchDrafts: fromCallback<DraftsEvent, { staffId: string }>(mustBeGiven('watchDrafts')),
  },
  actions: {
    store: (_, _params: StoredDraft & { staffId: string }) => mustBeGiven('store')(),
    keep: assign({
      drafts: ({ context }, { conversationId, draft }: StoredDraft) =>
        new Map(context.drafts).set(conversationId, draft),
    }),
  },
}).createMachine({
  id: 'drafts',
  context: ({ input }) => ({ staffId: input.staffId, drafts: new Map(), newKey: input.newKey ?? newKey }),
  invoke: { id: 'watchDrafts', src: 'watchDrafts', input: ({ context }) => ({ staffId: context.staffId }) },
  on: {
    'draft.changed': {
      actions: [
        { type: 'keep', params: ({ event }) => event },
        {
          type: 'store',
          params: ({ context, event: { conversationId, draft } }) => ({
            staffId: context.staffId,
            conversationId,
            draft,
          }),
        },
      ],
    },
    'draft.received': {
      actions: {
        type: 'keep',
        // A draft that was sent elsewhere is another one from now on: its id was taken.
        params: ({ context, event: { conversationId, draft } }) => ({
          conversationId,
          draft: draft ?? { id: context.newKey(), text: '', pageId: null },
        }),
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof draftsMachine>

/** A selector for whether something was typed to a conversation and not sent. */
export const selectHasDraft =
  (conversationId: string) =>
  ({ context }: Snapshot): boolean =>
    (context.drafts.get(conversationId)?.text ?? '').trim() !== ''

/** A selector for what is being typed to a conversation; undefined where nothing was yet. */
export const selectDraft = (conversationId: string) => (snapshot: Snapshot) =>
  snapshot.context.drafts.get(conversationId)
