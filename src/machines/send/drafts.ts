import { type ActorRefFrom, assign, fromCallback, type SnapshotFrom, setup } from 'xstate'
import { newKey } from '../../domain/new-key.ts'
import { type Draft, type ReceivedDraft, type StoredDraft, withoutLeftovers } from '../../domain/send/draft.ts'
import {
  contentToSave,
  type DraftChoice,
  type DraftContent,
  type DraftSave,
  type DraftSaveResult,
  isSameContent,
  isUnsaved,
  nothingSaved,
  reconcile,
  type SavedDraft,
  type ServerDraft,
  settle,
  withSent,
} from '../../domain/send/saved-drafts.ts'
import { mustBeGiven } from '../must-be-provided.ts'
import { tellSession } from '../session-events.ts'
import type { System } from '../system.ts'

const blank = (id: string): Draft => ({ id, text: '', pageId: null })

type Context = {
  /** The staff member who owns the drafts. */
  staffId: string
  /** The drafts by conversation. */
  drafts: ReadonlyMap<string, Draft>
  /** What the server has, by conversation. Empty with an API that keeps no drafts. */
  saved: ReadonlyMap<string, SavedDraft>
  /** The server's drafts that differ from those of this browser, by conversation. A person chooses. */
  differing: ReadonlyMap<string, ServerDraft>
  /** What the server refused, by conversation. It is not sent again. */
  refused: ReadonlyMap<string, DraftContent>
  newKey: () => string
}

export type DraftsEvent =
  | { type: 'draft.changed'; conversationId: string; draft: Draft }
  | ReceivedDraft
  /** All drafts of this person on the server. */
  | { type: 'drafts.fetched'; drafts: readonly ServerDraft[] }
  /** A write of a draft is sent now. */
  | { type: 'draft.saving'; conversationId: string; version: string }
  | { type: 'draft.answered'; save: DraftSave; result: DraftSaveResult }
  | { type: 'draft.refused'; save: DraftSave }
  | { type: 'difference.settled'; conversationId: string; choice: DraftChoice }
  | { type: 'conversation.gone'; id: string }

/** A new state of one conversation; what is missing does not change. */
type Change = {
  conversationId: string
  draft?: Draft
  saved?: SavedDraft | null | undefined
  other?: ServerDraft | null
  refused?: DraftContent
}

const contentOf = ({ text, extras }: Draft): DraftContent => ({ text, extras: extras ?? null })
const contentIn = ({ drafts }: Context, id: string): DraftContent => contentOf(drafts.get(id) ?? blank(''))
const savedIn = ({ saved }: Context, id: string): SavedDraft => saved.get(id) ?? nothingSaved

/** The draft with what was written elsewhere. The id is new, because the outbox accepts each draft once. */
const withContent = (context: Context, id: string, content: DraftContent): Pick<Change, 'draft'> =>
  isSameContent(content, contentIn(context, id))
    ? {}
    : {
        draft: {
          id: context.newKey(),
          text: content.text,
          pageId: context.drafts.get(id)?.pageId ?? null,
          // Without a text the draft was sent.
          replyTo: content.text ? context.drafts.get(id)?.replyTo : undefined,
          extras: content.extras ?? undefined,
        },
      }

const reconciled = (context: Context, conversationId: string, server: ServerDraft | null): Change => {
  const { content, saved, other } = reconcile(
    contentIn(context, conversationId),
    savedIn(context, conversationId),
    server,
  )
  return { conversationId, ...withContent(context, conversationId, content), saved, other }
}

/** What another tab stored, with the versions that this tab has sent; undefined if neither tab knows a draft of the server. */
const withSentOf = (saved: SavedDraft | undefined, own: SavedDraft | undefined): SavedDraft | undefined =>
  own === undefined ? saved : own.sent.reduce(withSent, saved ?? nothingSaved)

const changesOf = (context: Context, event: DraftsEvent): readonly Change[] => {
  switch (event.type) {
    case 'draft.changed':
      return [{ ...event, draft: withoutLeftovers(event.draft) }]
    case 'draft.received':
      // Another tab sent the draft, so its id is used up. The new draft needs a new id.
      return [
        {
          conversationId: event.conversationId,
          draft: event.draft ?? blank(context.newKey()),
          saved: withSentOf(event.saved, context.saved.get(event.conversationId)),
        },
      ]
    case 'drafts.fetched': {
      const known = new Map(event.drafts.map((draft) => [draft.conversationId, draft]))
      return [...new Set([...known.keys(), ...context.saved.keys()])].map((id) =>
        reconciled(context, id, known.get(id) ?? null),
      )
    }
    case 'draft.saving':
      return [
        {
          conversationId: event.conversationId,
          saved: withSent(savedIn(context, event.conversationId), event.version),
        },
      ]
    case 'draft.answered': {
      const { save, result } = event
      const { conversationId } = save
      if (!result.isSaved) return [reconciled(context, conversationId, result.draft)]
      const { sent } = savedIn(context, conversationId)
      const { text, extras } = save
      return [{ conversationId, saved: { version: result.draft?.version ?? null, text, extras, sent } }]
    }
    case 'draft.refused':
      return [{ conversationId: event.save.conversationId, refused: event.save }]
    case 'difference.settled': {
      const { conversationId, choice } = event
      const other = context.differing.get(conversationId)
      if (other === undefined) return []
      const { content, saved } = settle(
        contentIn(context, conversationId),
        savedIn(context, conversationId),
        other,
        choice,
      )
      return [{ conversationId, ...withContent(context, conversationId, content), saved, other: null }]
    }
    case 'conversation.gone':
      return [{ conversationId: event.id, draft: blank(context.newKey()), saved: null, other: null }]
  }
}

const withValue = <Value>(map: ReadonlyMap<string, Value>, id: string, value: Value | null | undefined) => {
  if (value === undefined || (value === null && !map.has(id))) return map
  const next = new Map(map)
  if (value === null) next.delete(id)
  else next.set(id, value)
  return next
}

const applied = (context: Context, { conversationId, draft, saved, other, refused }: Change): Context => ({
  ...context,
  drafts: withValue(context.drafts, conversationId, draft),
  saved: withValue(context.saved, conversationId, saved),
  differing: withValue(context.differing, conversationId, other),
  refused: withValue(context.refused, conversationId, refused),
})

/**
 * The next write that the server needs, with a new version; null if there is none. Leaves out conversations whose texts
 * differ, and what the server refused.
 */
function nextSave(context: Context): DraftSave | null {
  for (const id of new Set([...context.drafts.keys(), ...context.saved.keys()])) {
    const [own, saved] = [contentIn(context, id), savedIn(context, id)]
    if (context.differing.has(id) || !isUnsaved(own, saved)) continue
    const content = contentToSave(own)
    const refused = context.refused.get(id)
    if (refused && isSameContent(content, refused)) continue
    return { conversationId: id, ...content, version: context.newKey(), replaces: saved.version }
  }
  return null
}

const keep = {
  type: 'keep',
  params: ({ context, event }: { context: Context; event: DraftsEvent }) => ({ changes: changesOf(context, event) }),
} as const

/** Stores the drafts of these conversations as they are now. */
const store = <Event extends DraftsEvent>(idsOf: (event: Event, context: Context) => readonly string[]) =>
  ({
    type: 'store',
    params: ({ context, event }: { context: Context; event: Event }) => ({
      staffId: context.staffId,
      drafts: idsOf(event, context).map((id) => storedOf(context, id)),
    }),
  }) as const

const tellChanged = {
  type: 'tellSession',
  params: ({ context }: { context: Context }) => ({ type: 'drafts.changed' as const, next: nextSave(context) }),
} as const
const tellMerged = {
  type: 'tellSession',
  params: ({ context }: { context: Context }) => ({ type: 'drafts.merged' as const, next: nextSave(context) }),
} as const

function storedOf({ drafts, saved, newKey }: Context, conversationId: string): StoredDraft {
  const stored = { conversationId, draft: drafts.get(conversationId) ?? blank(newKey()) }
  const known = saved.get(conversationId)
  return known === undefined ? stored : { ...stored, saved: known }
}

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
    tellSession,
    store: (_, _params: { staffId: string; drafts: readonly StoredDraft[] }) => mustBeGiven('store')(),
    keep: assign(({ context }, { changes }: { changes: readonly Change[] }) => changes.reduce(applied, context)),
  },
}).createMachine({
  id: 'drafts',
  context: ({ input }) => ({
    staffId: input.staffId,
    drafts: new Map(),
    saved: new Map(),
    differing: new Map(),
    refused: new Map(),
    newKey: input.newKey ?? newKey,
  }),
  invoke: { id: 'watchDrafts', src: 'watchDrafts', input: ({ context }) => ({ staffId: context.staffId }) },
  on: {
    'draft.changed': {
      actions: [keep, store(({ conversationId }) => [conversationId]), tellChanged],
    },
    'difference.settled': {
      actions: [keep, store(({ conversationId }) => [conversationId]), tellChanged],
    },
    'drafts.fetched': {
      actions: [keep, store((_, { saved }) => [...saved.keys()]), tellMerged],
    },
    'draft.answered': {
      actions: [keep, store(({ save }) => [save.conversationId]), tellMerged],
    },
    'draft.refused': { actions: [keep, tellMerged] },
    'draft.saving': { actions: [keep, store(({ conversationId }) => [conversationId])] },
    'conversation.gone': { actions: [keep, store(({ id }) => [id]), tellMerged] },
    'draft.received': { actions: [keep, tellMerged] },
  },
})

type Snapshot = SnapshotFrom<typeof draftsMachine>

function draftsIn(system: System): Context | undefined {
  const drafts: ActorRefFrom<typeof draftsMachine> | undefined = system.get('drafts')
  return drafts?.getSnapshot().context
}

/** The number of drafts with a text that only this browser has. */
export function countDraftsIn(system: System): number {
  const context = draftsIn(system)
  return context === undefined
    ? 0
    : [...context.drafts].filter(([id, draft]) => hasText(draft) && isUnsaved(contentOf(draft), savedIn(context, id)))
        .length
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

/** Returns a selector for the draft of another device, if a person has to choose; null if not. */
export const selectOtherDraft =
  (conversationId: string) =>
  ({ context }: Snapshot): string | null =>
    context.differing.get(conversationId)?.text ?? null
