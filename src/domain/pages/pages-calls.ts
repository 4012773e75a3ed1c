import type { PageFailure } from '../../schemas/page.ts'

/** `pageId` is null for a new page. An empty token keeps the stored one. */
export type SavedPage = { pageId: string | null; name: string; token: string; isActive: boolean }

/** `all` includes the pictures of chat users. */
export type PictureScope = 'pages' | 'all'

/** The server's message about the refresh, and the pages that failed. */
export type RefreshedPictures = { message: string | null; failures: readonly PageFailure[] }
