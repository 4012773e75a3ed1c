import { createActor, fromCallback, type InspectionEvent } from 'xstate'
import type { Draft } from '../../../src/domain/send/draft.ts'
import { type DraftsEvent, draftsMachine, selectDraft, selectDraftText } from '../../../src/machines/send/drafts.ts'
import { modelOf } from '../harness.ts'

export const draftOf = (id: string, text: string, pageId: string | null = null): Draft => ({ id, text, pageId })

export function startDrafts(inspect: (event: InspectionEvent) => void = () => {}) {
  const stored: unknown[] = []
  let hear: (event: DraftsEvent) => void = () => {}
  let watched: unknown
  const actor = createActor(
    draftsMachine.provide({
      actors: {
        watchDrafts: fromCallback<DraftsEvent, { staffId: string }>(({ input, sendBack }) => {
          watched = input
          hear = sendBack
        }),
      },
      actions: { store: (_, kept) => void stored.push(kept) },
    }),
    { input: { staffId: 's1', newKey: () => 'new' }, inspect },
  ).start()
  return {
    send: (event: DraftsEvent) => actor.send(event),
    hear: (event: DraftsEvent) => hear(event),
    of: (conversationId: string) => selectDraft(conversationId)(actor.getSnapshot()),
    has: (conversationId: string) => selectDraftText(conversationId)(actor.getSnapshot()),
    drafts: () => actor.getSnapshot().context.drafts,
    stored,
    watched: () => watched,
  }
}

/** Drafts of two conversations, the first with a person who wrote to two social pages, and changes from another tab. */
export const draftsModel = () =>
  modelOf(draftsMachine, {
    input: { staffId: 's1', newKey: () => 'new' },
    vertex: ({ context }) => [...context.drafts].sort(),
    cases: {
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
