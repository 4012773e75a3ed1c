import type { QuotedMessage as Quoted } from '../schemas/reactions-receipts-replies.ts'
import { t } from '../texts/thread-on-demand.ts'
import { useAuthorName } from './use-author-name.ts'

/** Who wrote the quoted message; null if that is not known. */
export function useQuotedAuthor({ state, direction, author }: Quoted, name: string): string | null {
  const authorName = useAuthorName()
  if (state !== 'known') return null
  return direction === 'outgoing' ? (authorName(author ?? null) ?? t('thread.you')) : name
}
