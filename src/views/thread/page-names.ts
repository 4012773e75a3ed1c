import { useMemo } from 'react'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import { useConversationPages } from '../use-pages.ts'

/** Names by page id if the conversation spans several social pages; else null. */
export type PageNames = ReadonlyMap<string, string> | null

export function usePageNames(conversation: Conversation): PageNames {
  const pages = useConversationPages(conversation)
  return useMemo(() => (pages.length > 1 ? new Map(pages.map(({ id, name }) => [id, name])) : null), [pages])
}

/** The social page of a message, if the conversation spans several. */
export const viaOf = (pageNames: PageNames, { page_id, page_name }: Message): string | null =>
  pageNames === null ? null : (pageNames.get(page_id) ?? page_name ?? page_id)
