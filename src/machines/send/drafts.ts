import { type ActorRefFrom, assign, fromCallback, type SnapshotFrom, setup } from 'xstate'
import { newKey } from '../../domain/new-key.ts'
import type { Draft, ReceivedDraft, StoredDraft } from '../../domain/send/draft.ts'
import { mustBeGiven } from '../must-be-provided.ts'
import type { System } from '../system.ts'

const blank = (id: string): Draft => ({ id, text: '', pageId: null })

type Context = {
  /** The staff member who owns the drafts. */
  staffId: string
  /** The drafts by conversation. */
  drafts: ReadonlyMap<string, Draft>
  newKey: () => string
}

export type DraftsEvent =
  | ({ type: 'draft.changed' } & StoredDraft)
  | ReceivedDraft
  | { type: 'conversation.gone'; id: string }

/** The drafts, one for each conversation. Kept across reloads and tabs until the person signs out. */
export const draftsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as DraftsEvent,
    input: {} as { staffId: string; newKey?: () => string },
  },
  actors: {
    /** Reports stored drafts and changes by other tabs. Its disposer deletes all drafts when the person signs out. */
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
    'conversation.gone': {
      actions: [
        {
          type: 'keep',
          params: ({ context, event }) => ({ conversationId: event.id, draft: blank(context.newKey()) }),
        },
        {
          type: 'store',
          params: ({ context, event }) => ({
            staffId: context.staffId,
            conversationId: event.id,
            draft: blank(context.newKey()),
          }),
        },
      ],
    },
    'draft.received': {
      actions: {
        type: 'keep',
        // Another tab sent the draft, so its id is used up. The new draft needs a new id.
        params: ({ context, event: { conversationId, draft } }) => ({
          conversationId,
          draft: draft ?? blank(context.newKey()),
        }),
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof draftsMachine>

/** The number of drafts with a text. */
export function countDraftsIn(system: System): number {
  const drafts: ActorRefFrom<typeof draftsMachine> | undefined = system.get('drafts')
  return [...(drafts?.getSnapshot().context.drafts.values() ?? [])].filter(hasText).length
}

const hasText = (draft: Draft | undefined): draft is Draft => draft !== undefined && draft.text.trim() !== ''

/** Returns a selector for the text of the conversation's draft; null if it has none. */
export const selectDraftText =
  (conversationId: string) =>
  ({ context }: Snapshot): string | null => {
    const draft = context.drafts.get(conversationId)
    return hasText(draft) ? draft.text : null
  }

/** Returns a selector for the draft of the conversation; undefined if none was typed yet. */
export const selectDraft = (conversationId: string) => (snapshot: Snapshot) =>
  snapshot.context.drafts.get(conversationId)
