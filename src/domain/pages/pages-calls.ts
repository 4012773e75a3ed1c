import type { PageFailure } from '../../schemas/page.ts'

/** What customers of a page see of its staff besides messages. */
export type PageSenderActions = { typing: boolean; seen: boolean }

/** `pageId` is null for a new page. An empty token keeps the stored one. `senderActions` is absent if the API offers none. */
export type SavedPage = {
  pageId: string | null
  name: string
  token: string
  isActive: boolean
  senderActions?: PageSenderActions
}

/** `all` includes the pictures of chat users. */
export type PictureScope = 'pages' | 'all'

/** The server's message about the refresh, and the pages that failed. */
export type RefreshedPictures = { message: string | null; failures: readonly PageFailure[] }
