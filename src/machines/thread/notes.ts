import type { EventObject, SnapshotFrom } from 'xstate'
import { and, assign, fromCallback, fromPromise, setup } from 'xstate'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { isSameConversation, rowIn } from '../../domain/list/records.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { NoteChange, NoteRequest } from '../../domain/thread/colleague-calls.ts'
import { mentionsIn } from '../../domain/thread/mentions.ts'
import { mentionToast, noteToasts } from '../../domain/thread/note-toasts.ts'
import type { TeamMember } from '../../schemas/conversation-state.ts'
import { type Note, noteLimits } from '../../schemas/note.ts'
import { recordsIn } from '../list/records.ts'
import { memberNameIn } from '../list/team.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, readingActions, readingDelays, readingGuards, waitingOrRefused } from '../reading.ts'
import { createSendAction, type System, toast } from '../system.ts'

/** A note that is typed and not saved. */
type TypedNote = { conversationId: string; text: string }

type Context = Retries & {
  userId: string
  /** The open conversation. */
  id: string | null
  /** The notes of the open conversation, oldest first. */
  notes: readonly Note[]
  /** The changes since the pending notes were requested. */
  meanwhile: readonly NoteChange[]
  /** What is typed and not saved, by conversation. A text that is being saved stays until the answer. */
  texts: Readonly<Record<string, string>>
  /** The note that is being saved, or whose saving failed. A retry of the same text has the same id. */
  pending: NoteRequest | null
  deleting: string | null
  newKey: () => string
}

export type NotesEvent =
  | { type: 'conversation.opened'; id: string }
  | { type: 'conversation.closed' }
  | { type: 'note.changed'; change: NoteChange }
  /** Changes may have been missed. */
  | { type: 'channel.joined' }
  | { type: 'refetch.requested' }
  | { type: 'note.typed'; text: string }
  /** A text that this browser has stored, or that was typed in another tab. */
  | { type: 'note.received'; conversationId: string; text: string }
  | { type: 'conversation.gone'; id: string }
  | { type: 'note.submitted'; members: readonly TeamMember[] }
  | { type: 'note.removed'; id: string }

const byTime = (one: Note, other: Note): number =>
  Date.parse(one.created_at) - Date.parse(other.created_at) || (one.id < other.id ? -1 : 1)

const changed = (notes: readonly Note[], change: NoteChange): readonly Note[] => {
  const others = notes.filter(({ id }) => id !== (change.type === 'DELETE' ? change.id : change.note.id))
  return change.type === 'DELETE' ? others : [...others, change.note].sort(byTime)
}

const isOfOpen = (system: System, { id }: Context, change: NoteChange): boolean =>
  change.type === 'DELETE' || isSameConversation(recordsIn(system), id, change.note.primary_user_id)

const textOf = ({ id, texts }: Context): string => (id === null ? '' : (texts[id] ?? ''))

/** What stays typed after the pending note was saved: a text that was changed meanwhile. */
function leftAfterSave({ userId, pending, texts }: Context): TypedNote & { userId: string } {
  const conversationId = pending?.conversationId ?? ''
  const typed = texts[conversationId] ?? ''
  return { userId, conversationId, text: typed.trim() === pending?.text ? '' : typed }
}

/** Why the text cannot be saved as a note; null if it can. */
export const noteBlockedReason = (text: string): 'empty' | 'tooLong' | null => {
  if (text.trim() === '') return 'empty'
  return text.trim().length > noteLimits.text ? 'tooLong' : null
}

/** Shows a toast to a person who is mentioned in a new note of somebody else. */
const notifyMention = createSendAction<{ change: NoteChange; userId: string; openId: string | null }>(
  ({ change, userId, openId }, sender) => {
    if (change.type === 'DELETE') return []
    const { staff_id, mentions, primary_user_id, text } = change.note
    if (staff_id === userId || !mentions.includes(userId)) return []
    const row = rowIn(recordsIn(sender.system), [primary_user_id])
    const by = memberNameIn(sender.system, staff_id)
    return [
      toast(
        sender,
        mentionToast({
          conversationId: primary_user_id,
          by,
          about: row === null ? null : nameOf(row),
          text,
          isOpen: isSameConversation(recordsIn(sender.system), openId, primary_user_id),
        }),
      ),
    ]
  },
)

/** The internal notes of the open conversation. They never enter the outbox, which takes messages only. */
export const notesMachine = setup({
  types: {
    context: {} as Context,
    events: {} as NotesEvent,
    input: {} as { userId: string; id: string | null; newKey: () => string },
  },
  actors: {
    loadNotes: fromPromise<readonly Note[], { id: string }>(mustBeProvided('loadNotes')),
    saveNote: fromPromise<Note, NoteRequest>(mustBeProvided('saveNote')),
    deleteNote: fromPromise<void, { id: string }>(mustBeProvided('deleteNote')),
    /** Sends `note.received`. */
    watchTexts: fromCallback<EventObject, { userId: string }>(mustBeGiven('watchTexts')),
  },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    'has a conversation': ({ context }) => context.id !== null,
    'is another conversation': ({ context }, { id }: { id: string }) => context.id !== id,
    'can be saved': ({ context }) => noteBlockedReason(textOf(context)) === null,
  },
  actions: {
    ...readingActions,
    'notify about a mention': notifyMention,
    'use the conversation': assign({ id: (_, { id }: { id: string }) => id, notes: [], ...noRetries }),
    'forget the conversation': assign({ id: null, notes: [], ...noRetries }),
    'start loading': assign({ meanwhile: [] }),
    'keep the notes': assign(({ context }, { notes }: { notes: readonly Note[] }) => ({
      notes: context.meanwhile.reduce(changed, notes.toSorted(byTime)),
      ...noRetries,
    })),
    'apply the change': assign(({ context, system }, { change }: { change: NoteChange }) =>
      isOfOpen(system, context, change)
        ? { notes: changed(context.notes, change), meanwhile: [...context.meanwhile, change] }
        : {},
    ),
    'keep the text': assign({
      texts: ({ context }, { conversationId, text }: TypedNote) => ({ ...context.texts, [conversationId]: text }),
    }),
    'store the text': (_, _typed: TypedNote & { userId: string }) => mustBeGiven('store the text')(),
    'compose the note': assign({
      pending: ({ context }, { members }: { members: readonly TeamMember[] }): NoteRequest => {
        const [conversationId, text] = [context.id ?? '', textOf(context).trim()]
        const { pending } = context
        const isRetry = pending !== null && pending.conversationId === conversationId && pending.text === text
        return {
          conversationId,
          id: isRetry ? pending.id : context.newKey(),
          text,
          mentions: mentionsIn(text, members).slice(0, noteLimits.mentions),
        }
      },
    }),
    'add the saved note': assign(({ context, system }, { note }: { note: Note }) => {
      const { conversationId, text } = leftAfterSave(context)
      const change = { type: 'INSERT', note } as const
      return {
        pending: null,
        texts: { ...context.texts, [conversationId]: text },
        notes: isOfOpen(system, context, change) ? changed(context.notes, change) : context.notes,
        meanwhile: [...context.meanwhile, change],
      }
    }),
    'keep the note to delete': assign({ deleting: (_, { id }: { id: string }) => id }),
    'remove the deleted note': assign(({ context }) => ({
      deleting: null,
      notes: changed(context.notes, { type: 'DELETE', id: context.deleting ?? '' }),
      meanwhile: [...context.meanwhile, { type: 'DELETE', id: context.deleting ?? '' } as const],
    })),
    'forget the note to delete': assign({ deleting: null }),
  },
}).createMachine({
  id: 'notes',
  context: ({ input }) => ({
    ...input,
    notes: [],
    meanwhile: [],
    texts: {},
    pending: null,
    deleting: null,
    ...noRetries,
  }),
  type: 'parallel',
  invoke: { id: 'watchTexts', src: 'watchTexts', input: ({ context: { userId } }) => ({ userId }) },
  on: {
    'note.changed': {
      actions: [
        { type: 'apply the change', params: ({ event }) => event },
        {
          type: 'notify about a mention',
          params: ({ context, event }) => ({ ...event, userId: context.userId, openId: context.id }),
        },
      ],
    },
    'note.typed': {
      guard: 'has a conversation',
      actions: [
        {
          type: 'keep the text',
          params: ({ context, event }) => ({ conversationId: context.id ?? '', text: event.text }),
        },
        {
          type: 'store the text',
          params: ({ context: { userId, id }, event }) => ({ userId, conversationId: id ?? '', text: event.text }),
        },
      ],
    },
    'note.received': { actions: { type: 'keep the text', params: ({ event }) => event } },
    'conversation.gone': {
      actions: [
        { type: 'keep the text', params: ({ event }) => ({ conversationId: event.id, text: '' }) },
        {
          type: 'store the text',
          params: ({ context: { userId }, event }) => ({ userId, conversationId: event.id, text: '' }),
        },
      ],
    },
  },
  states: {
    list: {
      initial: 'none',
      on: {
        'conversation.opened': {
          guard: { type: 'is another conversation', params: ({ event }) => event },
          target: '.loading',
          actions: { type: 'use the conversation', params: ({ event }) => event },
        },
        'conversation.closed': { target: '.none', actions: 'forget the conversation' },
        'channel.joined': { guard: 'has a conversation', target: '.loading' },
        'refetch.requested': { guard: 'has a conversation', target: '.loading' },
      },
      states: {
        none: { always: { guard: 'has a conversation', target: 'loading' } },
        loading: {
          entry: 'start loading',
          invoke: {
            id: 'loadNotes',
            src: 'loadNotes',
            input: ({ context }) => ({ id: context.id ?? '' }),
            onDone: {
              target: 'known',
              actions: { type: 'keep the notes', params: ({ event }) => ({ notes: event.output }) },
            },
            onError: afterFailedRead(noteToasts.failed),
          },
        },
        known: {},
        failed: {
          ...waitingOrRefused('#notes.list.loading'),
        },
      },
    },
    saving: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'note.submitted': {
              guard: and(['has a conversation', 'can be saved']),
              target: 'saving',
              actions: { type: 'compose the note', params: ({ event }) => event },
            },
          },
        },
        saving: {
          invoke: {
            id: 'saveNote',
            src: 'saveNote',
            input: ({ context }) => {
              if (context.pending === null) throw new Error('a note is saved because it was composed')
              return context.pending
            },
            onDone: {
              target: 'idle',
              actions: [
                { type: 'store the text', params: ({ context }) => leftAfterSave(context) },
                { type: 'add the saved note', params: ({ event }) => ({ note: event.output }) },
              ],
            },
            onError: { target: 'idle', actions: reportFailure(noteToasts.notSaved) },
          },
        },
      },
    },
    deleting: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'note.removed': {
              target: 'deleting',
              actions: { type: 'keep the note to delete', params: ({ event }) => event },
            },
          },
        },
        deleting: {
          invoke: {
            id: 'deleteNote',
            src: 'deleteNote',
            input: ({ context }) => ({ id: context.deleting ?? '' }),
            onDone: { target: 'idle', actions: 'remove the deleted note' },
            onError: { target: 'idle', actions: ['forget the note to delete', reportFailure(noteToasts.notDeleted)] },
          },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof notesMachine>

export const selectNoteText = (snapshot: Snapshot): string => textOf(snapshot.context)

export const selectIsSavingNote = (snapshot: Snapshot): boolean => snapshot.matches({ saving: 'saving' })

/** The note that is being deleted; null if there is none. */
export const selectDeletingNote = (snapshot: Snapshot): string | null => snapshot.context.deleting
