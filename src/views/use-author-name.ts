import { useCallback } from 'react'
import { safeName } from '../domain/shown-text.ts'
import type { Author } from '../schemas/author.ts'
import { t } from '../texts/thread-on-demand.ts'
import { useTeam, useUserId } from './use-inbox.ts'
import { useAuthorsOffer } from './use-list.ts'

/** Returns a function for the name of an author; null if the author is not known or the API offers no authors. */
export function useAuthorName(): (author: Author | null | undefined) => string | null {
  const offered = useAuthorsOffer()
  const userId = useUserId()
  const team = useTeam()
  return useCallback(
    (author) => {
      if (!offered || author == null) return null
      switch (author.kind) {
        case 'outside':
          return t('thread.businessSuite')
        case 'automatic':
          return author.title == null
            ? t('thread.automaticAnswer')
            : t('thread.automaticAnswerFrom', { title: safeName(author.title) })
        case 'staff': {
          if (author.id === userId) return t('thread.you')
          const name = team.find(({ id }) => id === author.id)?.name
          return name === undefined ? null : safeName(name)
        }
      }
    },
    [offered, userId, team],
  )
}
