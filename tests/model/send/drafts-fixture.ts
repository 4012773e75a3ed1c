import { createActor, fromCallback } from 'xstate'
import type { Draft } from '../../../src/domain/send/draft.ts'
import {
  type DraftsEvent,
  draftsMachine,
  selectDraft,
  selectDraftText,
  selectOtherDraft,
} from '../../../src/machines/send/drafts.ts'
import type { DraftExtras } from '../../../src/schemas/draft.ts'
import { type Inspect, modelOf } from '../harness.ts'

export const draftOf = (id: string, text: string, pageId: string | null = null): Draft => ({ id, text, pageId })

const isReport = ({ type }: { type: string }) => type === 'drafts.changed' || type === 'drafts.merged'

export const serverDraft = (text: string, version = 'v1', extras: DraftExtras | null = null) => ({
  conversationId: 'c1',
  text,
  extras,
  version,
})

export function startDrafts(inspect: Inspect = () => {}) {
  const stored: unknown[] = []
  let hear: (event: DraftsEvent) => void = () => {}
  let watched: unknown
  const told: unknown[] = []
  const actor = createActor(
    draftsMachine.provide({
      actors: {
        watchDrafts: fromCallback<DraftsEvent, { staffId: string }>(({ input, sendBack }) => {
          watched = input
          hear = sendBack
        }),
      },
      actions: {
        store: (_, { staffId, drafts }) => void stored.push(...drafts.map((draft) => ({ staffId, ...draft }))),
      },
    }),
    {
      input: { staffId: 's1', newKey: () => 'new' },
      inspect: (event) => {
        inspect(event)
        // Without a session the machine sends its reports to itself.
        if (event.type === '@xstate.event' && isReport(event.event)) told.push(event.event)
      },
    },
  ).start()
  return {
    actor,
    told: () => told,
    send: (event: DraftsEvent) => actor.send(event),
    hear: (event: DraftsEvent) => hear(event),
    of: (conversationId: string) => selectDraft(conversationId)(actor.getSnapshot()),
    has: (conversationId: string) => selectDraftText(conversationId)(actor.getSnapshot()),
    /** What the machine knows of the server's draft. */
    saved: (conversationId: string) => {
      const { version, text } = actor.getSnapshot().context.saved.get(conversationId) ?? { version: null, text: '' }
      return { version, common: text }
    },
    other: (conversationId: string) => selectOtherDraft(conversationId)(actor.getSnapshot()),
    drafts: () => actor.getSnapshot().context.drafts,
    stored,
    watched: () => watched,
  }
}

/** No event of the server: another model walks them. */
const withoutServer = {
  'drafts.fetched': [],
  'draft.saving': [],
  'draft.answered': [],
  'draft.refused': [],
  'difference.settled': [],
}

/** Drafts of two conversations, the first with a person who wrote to two social pages, and changes from another tab. */
export const draftsModel = () =>
  modelOf(draftsMachine, {
    input: { staffId: 's1', newKey: () => 'new' },
    vertex: ({ context }) => [...context.drafts].sort(),
    cases: {
      ...withoutServer,
      'draft.changed': [
        { conversationId: 'c1', draft: draftOf('d1', 'for one') },
        { conversationId: 'c1', draft: draftOf('d1', 'for one', 'p2') },
        { conversationId: 'c1', draft: draftOf('d1', '') },
        { conversationId: 'c2', draft: draftOf('d2', 'for two') },
      ],
      'conversation.gone': [{ id: 'c1' }],
      // The other tab edits the current draft, then sends it.
      'draft.received': ({ context: { drafts } }) => {
        const one = drafts.get('c1') ?? draftOf('d3', '')
        const goneOn = { conversationId: 'c1', draft: { ...one, text: `${one.text}…` } }
        const sent = { conversationId: 'c1', draft: null }
        return [...(one.text.endsWith('…') ? [] : [goneOn]), ...(one.text === '' ? [] : [sent])]
      },
    },
  })

/** The draft of one conversation, and the server's draft of it: 'elsewhere' with the version v1, or what was saved here. */
export const serverDraftsModel = () =>
  modelOf(draftsMachine, {
    input: { staffId: 's1', newKey: () => 'new' },
    vertex: ({ context: { drafts, saved, differing, refused } }) => [
      drafts.get('c1')?.text,
      saved.get('c1'),
      differing.get('c1'),
      [...refused],
    ],
    cases: {
      'draft.changed': ['here', ''].map((text) => ({ conversationId: 'c1', draft: draftOf('d1', text) })),
      'draft.received': [],
      'conversation.gone': [{ id: 'c1' }],
      'drafts.fetched': [{ drafts: [serverDraft('elsewhere')] }, { drafts: [] }],
      'draft.saving': ({ context: { saved } }) =>
        (saved.get('c1')?.sent.length ?? 0) > 0 ? [] : [{ conversationId: 'c1', version: 'v9' }],
      'draft.answered': ({ context: { drafts } }) => {
        const save = {
          conversationId: 'c1',
          text: drafts.get('c1')?.text ?? '',
          extras: null,
          version: 'v9',
          replaces: null,
        }
        return save.text !== 'here'
          ? []
          : [
              { save, result: { isSaved: true, draft: serverDraft('here', 'v9') } },
              { save, result: { isSaved: false, draft: serverDraft('elsewhere') } },
            ]
      },
      'draft.refused': [{ save: { conversationId: 'c1', text: 'here', extras: null, version: 'v9', replaces: null } }],
      'difference.settled': ({ context: { drafts } }) =>
        // Both texts are joined once, or the texts would have no end.
        (drafts.get('c1')?.text === 'here' ? ['this', 'other', 'both'] : ['this', 'other']).map((choice) => ({
          conversationId: 'c1',
          choice,
        })),
    },
  })
