import { useCallback, useMemo, useState } from 'react'
import { newKey } from '../../domain/new-key.ts'
import type { Draft } from '../../domain/send/draft.ts'
import { selectDraft, selectOtherDraft } from '../../machines/send/drafts.ts'
import { useDraftsActor } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

/** The draft of a conversation and a function that changes it. */
export function useDraft(conversationId: string): [Draft, (draft: Draft) => void] {
  const drafts = useDraftsActor()
  const [blank] = useState<Draft>(() => ({ id: newKey(), text: '', pageId: null }))
  const kept = useSelector(
    drafts,
    useMemo(() => selectDraft(conversationId), [conversationId]),
  )
  const change = useCallback(
    (draft: Draft) => drafts.send({ type: 'draft.changed', conversationId, draft }),
    [drafts, conversationId],
  )
  return [kept ?? blank, change]
}

/** The text of another device that differs from the draft, if the person has to choose; null if not. */
export const useOtherDraft = (conversationId: string): string | null =>
  useSelector(
    useDraftsActor(),
    useMemo(() => selectOtherDraft(conversationId), [conversationId]),
  )
