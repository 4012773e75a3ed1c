import { useMemo } from 'react'
import { newKey } from '../../domain/new-key.ts'
import type { Draft } from './Composer.tsx'

export type Drafts = { of: (conversationId: string) => Draft; keep: (conversationId: string, draft: Draft) => void }

/** What is being typed, by conversation, so that nothing is lost on the way to another and back. It ends with the screen. */
export const useDrafts = (): Drafts =>
  useMemo(() => {
    const drafts = new Map<string, Draft>()
    return {
      of: (conversationId) => {
        const known = drafts.get(conversationId)
        if (known !== undefined) return known
        const draft = { id: newKey(), text: '', pageId: null }
        drafts.set(conversationId, draft)
        return draft
      },
      keep: (conversationId, draft) => void drafts.set(conversationId, draft),
    }
  }, [])
