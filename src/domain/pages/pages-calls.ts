import type { PageFailure } from '../../schemas/page.ts'

/** `pageId` is null for a new page; an empty token leaves the stored one. */
export type SavedPage = { pageId: string | null; name: string; token: string; isActive: boolean }

/** `all`: also the pictures of chat users. */
export type PictureScope = 'pages' | 'all'

/** What the server says of the refresh, and the pages that failed. */
export type RefreshedPictures = { message: string | null; failures: readonly PageFailure[] }
